// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffHost
internal import HandoffWire

struct TeamDistrust: Verb {
    static let configuration = CommandConfiguration(
        commandName: "distrust", abstract: "Stop trusting a team.",
        discussion: """
            The activities of its apps disappear from your other devices immediately, and nothing can be continued in these \
            apps. The apps stay installed and work again once you trust the team again.
            """)

    @Argument(help: ArgumentHelp("The Team ID, or the beginning of its key.", valueName: "team"))
    var team: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let book = TeamBook(common)
        let chosen = try choose(from: try book.trusted())
        try book.distrust(chosen.team.key)
        output.show(ShownDistrust(distrusted: ShownTrust(chosen)))
        common.files.noteChangeOfTeams(output)
    }

    private func choose(from teams: [TeamSummary]) throws(CommandFailure) -> TeamSummary {
        let typed = team.filter { !$0.isWhitespace && $0 != ":" }
        let found = teams.filter { candidate in
            candidate.team.id.name == typed.uppercased()
                || typed.count >= 8 && candidate.team.key.hex.hasPrefix(typed.lowercased())
        }
        guard found.count <= 1 else {
            let keys = found.map { $0.team.key.hex.prefix(16) }.joined(separator: ", ")
            throw .usage(
                "several teams are called \(typed.uppercased()); say which by the beginning of its key: \(keys)")
        }
        guard let one = found.first else {
            throw CommandFailure(
                .failed, code: "noTeam",
                "no team \(DisplayText(cleaning: team, limit: Limits.nameCharacters)) is trusted on this device",
                advice: "run: handoff team list")
        }
        return one
    }
}

private struct ShownDistrust: Renderable {
    let distrusted: ShownTrust

    func text(_ terminal: Terminal) -> String {
        let apps =
            switch distrusted.apps {
            case 0: ""
            case 1: "; its app no longer takes part"
            default: "; its \(distrusted.apps) apps no longer take part"
            }
        return "distrusts team \(distrusted.team), \(distrusted.name)\(apps)"
    }
}
