// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

/// From an argument or a file: other users of this machine can read arguments.
struct GivenText {
    let option: String
    let argument: String?
    /// `-` for standard input.
    let file: String?

    var isStandardInput: Bool { file == "-" }

    func read(limit: Int) throws(CommandFailure) -> String? {
        guard let file else { return argument }
        guard argument == nil else {
            throw .usage("\(option) and \(option)-file exclude each other")
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Self.open(file).readAll(limit: limit)
        } catch {
            throw .usage("cannot read \(option)-file: \(error.reason)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("the file given with \(option)-file is not UTF-8 text")
        }
        return text
    }

    private static func open(_ name: String) throws(SystemError) -> OpenFile {
        // A duplicate: the command keeps using the standard descriptors.
        let descriptor =
            name == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : Glibc.open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(errno, name) }
        return OpenFile(descriptor: descriptor, path: name)
    }
}
