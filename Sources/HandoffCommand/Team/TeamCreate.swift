// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffHost
internal import HandoffTrust
internal import HandoffWire

struct TeamCreate: Verb {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a team: a key to sign apps with.",
        discussion: "The key stays on this device. Back up its file: without it you cannot sign another version.")

    @Argument(help: "The name to show.")
    var name: String

    @Option(
        help: ArgumentHelp("The Team ID, ten characters of A-Z and 0-9; random if not given.", valueName: "teamid"))
    var id: String?

    @Flag(help: "Ask for a passphrase to encrypt the key with.")
    var passphrase = false

    @OptionGroup var passphraseFile: PassphraseFile

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if passphrase, passphraseFile.path != nil {
            throw ValidationError("--passphrase and --passphrase-file exclude each other")
        }
    }

    func perform(_ output: Output) throws {
        let id = try id.map { text throws(CommandFailure) in try TeamID(argument: text) } ?? .fresh()
        let name = DisplayText(cleaning: name, limit: Limits.nameCharacters)
        let store = TeamKeyStore(directory: common.files.locations.teamKeys)
        let secret = passphrase ? try Passphrase.askTwice() : try passphraseFile.read()
        do {
            let key = try TeamKey.create(name: name, id: id, at: .now)
            try store.add(key, passphrase: secret)
            output.show(ShownTeam(key.team, isEncrypted: secret != nil, file: store.path(of: id)))
        } catch let rejection as TeamRejection {
            throw CommandFailure.usage("a team needs a name: \(rejection)")
        }
        output.note("sign an app: handoff app sign NAME.app --team \(id)")
    }
}

extension TeamID {
    init(argument: String) throws(CommandFailure) {
        do throws(WireError) {
            try self.init(argument)
        } catch {
            throw .usage(error.reason)
        }
    }
}
