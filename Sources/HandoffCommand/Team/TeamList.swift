// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffHost
internal import HandoffTrust
internal import HandoffWire

struct TeamList: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the teams that you sign apps for.",
        discussion: "Works without a daemon. Keys that cannot be read are named on standard error.")

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let store = TeamKeyStore(directory: common.locations.teamKeys)
        let (teams, problems) = try store.list()
        output.show(
            ShownTeams(
                teams: teams.map { ShownTeam($0.team, isEncrypted: $0.isEncrypted, file: store.path(of: $0.team.id)) }))
        for problem in problems { output.remark("does not count: \(problem)") }
    }
}

private struct ShownTeams: Renderable {
    let teams: [ShownTeam]

    func encode(to encoder: any Encoder) throws { try teams.encode(to: encoder) }

    func text(_ terminal: Terminal) -> String {
        Table(
            heading: ["NAME", "TEAM", "PASSPHRASE", "EXPIRES", "KEY"],
            rows: teams.map { team in
                [team.name, team.team, team.encrypted ? "yes" : "no", String(team.expires.prefix(10)), team.grouped]
            },
            ifEmpty: "no teams; make one with: handoff team create NAME"
        ).text(terminal)
    }
}
