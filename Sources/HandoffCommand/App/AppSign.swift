// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffHost
internal import HandoffTrust
internal import HandoffWire

struct AppSign: Verb {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign an app bundle for a team.",
        discussion: "Writes Contents/_Signature into the bundle. Any later change to the bundle invalidates it.")

    @Argument(help: ArgumentHelp("The bundle: Name.app.", valueName: "bundle"), completion: .directory)
    var bundle: String

    @Option(help: ArgumentHelp("The team: its Team ID, or its name.", valueName: "team"))
    var team: String

    @OptionGroup var passphraseFile: PassphraseFile

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        let store = TeamKeyStore(directory: common.files.locations.teamKeys)
        let key = try TeamChoice(team).choose(from: store).unlock(with: passphraseFile)
        var progress = ProgressLine("reading", output)
        defer { progress.clear() }
        do {
            let signature = try BundleSigner(path: bundle).sign(with: key, at: .now) { progress.reached($0) }
            progress.clear()
            output.show(ShownSignature(signature))
            output.remark(rejectedIn: signature.manifest.entitlements)
        } catch let refusal as BundleSigner.Refusal {
            progress.clear()
            output.show(ShownVerification(problems: refusal.findings))
            throw CommandFailure(.notVerified, code: "notSignable", "\(bundle) cannot be signed as it is")
        }
    }
}

struct ShownSignature: Renderable {
    let bundle: String
    let version: String
    let team: String
    let teamName: String
    let teamKey: String
    let signed: String
    let files: Int
    let bytes: Int64
    private let grouped: String
    private let signedLocal: String

    enum CodingKeys: String, CodingKey {
        case bundle, version, team, teamName, teamKey, signed, files, bytes
    }

    init(_ signature: BundleSignature) {
        bundle = signature.manifest.bundle.name
        version = signature.manifest.version
        team = signature.teamID.name
        teamName = signature.teamName.text
        teamKey = signature.fingerprint.hex
        grouped = signature.fingerprint.grouped
        signed = signature.signedAt.iso8601
        signedLocal = signature.signedAt.local
        files = signature.manifest.entries.count
        bytes = signature.manifest.fileBytes
    }

    func text(_ terminal: Terminal) -> String {
        """
        bundle  \([bundle, version].words), \(files) files
        team    \(teamName) (\(team))
        key     \(grouped)
        signed  \(signedLocal)
        """
    }
}
