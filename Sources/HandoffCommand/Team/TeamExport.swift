// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import HandoffHost
import HandoffTrust
import HandoffWire

struct TeamExport: Verb {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print a team's certificate, so that others can trust it.",
        discussion: "It contains the team's name, Team ID and public key, and no secret.")

    @Argument(help: ArgumentHelp("The Team ID, or the name.", valueName: "team"))
    var team: String

    @Option(help: "Write it to this file.", completion: .file())
    var file: String?

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let chosen = try TeamChoice(team).choose(from: TeamKeyStore(directory: common.files.locations.teamKeys)).team
        let certificate = ShownCertificate(
            team: chosen.id.name, name: chosen.name.text, key: chosen.fingerprint.hex, certificate: chosen.pem)
        guard let file else { return output.show(certificate) }
        do {
            try Data(chosen.pem.utf8).write(to: URL(filePath: file))
        } catch {
            throw CommandFailure(.failed, code: "stateNotWritable", "cannot write \(file)")
        }
        if output.json { output.show(certificate) }
        output.note("wrote \(file); compare on the other device: \(chosen.fingerprint.grouped)")
    }
}

private struct ShownCertificate: Renderable {
    let team: String
    let name: String
    let key: String
    /// PEM.
    let certificate: String

    func text(_ terminal: Terminal) -> String { certificate }
}

struct TeamChoice {
    private let text: String

    init(_ text: String) { self.text = text }

    func choose(from store: TeamKeyStore) throws -> TeamKeyFile {
        if let id = try? TeamID(text), let file = try store.read(id) { return file }
        let named = try store.list().teams.filter { $0.team.name.text.lowercased() == text.lowercased() }
        guard named.count <= 1 else {
            let ids = named.map(\.team.id.name).joined(separator: ", ")
            throw CommandFailure.usage("several teams have that name; say which: \(ids)")
        }
        guard let file = named.first else {
            throw CommandFailure(
                .failed, code: "noTeam", "this device has no key for a team \(DisplayText(cleaning: text).text)",
                advice: "run: handoff team create NAME    or see: handoff team list")
        }
        return file
    }
}
