// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import HandoffTrust

struct PassphraseFile: ParsableArguments {
    @Option(
        name: .customLong("passphrase-file"),
        help: ArgumentHelp("Read the passphrase from the first line of this file.", valueName: "file"),
        completion: .file())
    var path: String?

    func read() throws(CommandFailure) -> String? {
        guard let path else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= TeamKeyFile.passphraseBytes,
            let text = String(data: data, encoding: .utf8)
        else {
            throw .usage(
                "cannot read a passphrase from \(path): one line of at most \(TeamKeyFile.passphraseBytes) bytes")
        }
        return String(text.prefix { !$0.isNewline })
    }
}

enum Passphrase {
    static func ask(_ question: String) throws(CommandFailure) -> String {
        guard let terminal = fopen("/dev/tty", "r+e") else {
            throw CommandFailure(
                .usage, code: "usage", "the key needs a passphrase, which cannot be asked for without a terminal",
                advice: "use --passphrase-file FILE")
        }
        defer { fclose(terminal) }
        fputs("\(question): ", terminal)
        fflush(terminal)
        var line = [CChar](repeating: 0, count: TeamKeyFile.passphraseBytes + 2)
        let isRead = Terminal.hidingInput(at: fileno(terminal)) { fgets(&line, CInt(line.count), terminal) != nil }
        fputs("\n", terminal)
        guard let isRead else { throw .usage("cannot ask for a passphrase here") }
        guard isRead else { throw .usage("no passphrase was given") }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(text.prefix { !$0.isNewline })
    }

    static func askTwice() throws(CommandFailure) -> String {
        let first = try ask("a passphrase for the key")
        guard try ask("the passphrase again") == first else { throw .usage("the two passphrases differ") }
        return first
    }
}

extension TeamKeyFile {
    func unlock(with file: PassphraseFile) throws(CommandFailure) -> TeamKey {
        let given = try file.read()
        let passphrase = isEncrypted && given == nil ? try Passphrase.ask("the passphrase of team \(team.id)") : given
        do throws(Damage) {
            return try unlock(passphrase: passphrase)
        } catch {
            throw CommandFailure(.failed, code: "key", "the key of team \(team.id) cannot be used: \(error)")
        }
    }
}
