// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

/// What is given as an argument, or stands in a file: other users of this machine can read arguments.
struct GivenText {
    /// For messages: `--title`.
    let option: String
    let argument: String?
    /// `-` for standard input.
    let file: String?

    var isStandardInput: Bool { file == "-" }

    /// Nil where none was given. A file of more than `limit` bytes is refused.
    func read(limit: Int) throws(CommandFailure) -> String? {
        guard let file else { return argument }
        guard argument == nil else {
            throw .usage("\(option) and \(option)-file are one and the same: give one of them")
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Self.open(file).readAll(limit: limit)
        } catch {
            throw .usage("cannot read \(option)-file: \(error.reason)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("what \(option)-file has is not UTF-8 text")
        }
        return text
    }

    private static func open(_ name: String) throws(SystemError) -> OpenFile {
        // A copy of its own: the command goes on with the standard ones.
        let descriptor =
            name == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : Glibc.open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(errno, name) }
        return OpenFile(descriptor: descriptor, path: name)
    }
}
