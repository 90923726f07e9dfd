// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// The message that Thunderbird shows, for `handoff-adapters`. Runs for one connection of the add-on.
struct MailReport {
    static let subjectCharacters = 200

    private struct Message: Decodable {
        /// Without angle brackets. Empty: no message that may continue.
        let id: String
        let subject: String
    }

    private let file: String

    /// Nil: the session has no folder for such files.
    init?(environment: [String: String], process: Int32 = getpid()) {
        guard let folder = Locations.programReports(in: environment) else { return nil }
        file = "\(folder)/\(process)"
    }

    /// Until the add-on leaves. `taken` is called after each message.
    func run(input: CInt, taken: () -> Void = {}) throws(NativeFrameError) {
        defer { unlink(file) }
        var reader = NativeFrameReader()
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = retrying { read(input, &buffer, buffer.count) }
            guard count > 0 else { return }
            reader.append(buffer[..<count])
            while let message = try reader.next() {
                take(message)
                taken()
            }
        }
    }

    private func take(_ message: [UInt8]) {
        guard let message = try? JSONDecoder().decode(Message.self, from: Data(message)) else { return }
        let subject = message.subject.prefix(Self.subjectCharacters).filter { !$0.isNewline }
        // The folder exists while the program is on.
        try? Data("mail\n\(message.id)\n\(subject)".utf8).write(to: URL(filePath: file), options: .atomic)
    }
}
