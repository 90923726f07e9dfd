// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import FoundationEssentials
internal import HandoffHost
internal import HandoffTrust
internal import HandoffWire

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
