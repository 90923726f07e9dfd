// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

/// Each device gets a file from its beginning; only one device gets standard input.
enum StreamSource: Sendable {
    case file(String)
    case standardInput

    init(argument: String) throws(CommandFailure) {
        guard argument != "-" else {
            self = .standardInput
            return
        }
        self = .file(argument)
        _ = try open()
    }

    /// Nil if unknown. For a file: its current size.
    func byteCount() throws(CommandFailure) -> Int64? { try open().byteCount }

    func open() throws(CommandFailure) -> OpenSource {
        switch self {
        case .standardInput: return OpenSource(descriptor: STDIN_FILENO, isOwned: false, name: "standard input")
        case .file(let path):
            // Without blocking, because opening a pipe without a writer never returns.
            let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw OpenSource.failure(errno, path) }
            let source = OpenSource(descriptor: descriptor, isOwned: true, name: path)
            let status = source.status
            guard status?.isFile == true else {
                throw .usage(
                    status?.isFolder == true
                        ? "\(path) is a folder; stream it with: tar c \(path) | handoff activity publish --stream -"
                        : "\(path) is not a file; stream it with --stream - and < \(path)")
            }
            return source
        }
    }
}

struct OpenSource: ~Copyable {
    private let descriptor: CInt
    private let isOwned: Bool
    private let name: String

    init(descriptor: CInt, isOwned: Bool, name: String) {
        self.descriptor = descriptor
        self.isOwned = isOwned
        self.name = name
    }

    deinit { if isOwned { close(descriptor) } }

    var status: FileStatus? { FileStatus(descriptor: descriptor) }

    /// From the current position to the end; nil if unknown.
    var byteCount: Int64? {
        guard let status, status.isFile, !FileStatus.isOfKernel(descriptor) else { return nil }
        return max(0, status.size - max(0, Int64(lseek(descriptor, 0, SEEK_CUR))))
    }

    /// Returns 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CommandFailure) -> Int {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // Another program made the descriptor non-blocking.
                var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&poller, 1, -1)
            default: throw Self.failure(errno, name)
            }
        }
    }

    static func failure(_ code: CInt, _ name: String) -> CommandFailure {
        CommandFailure(.failed, code: "notReadable", "\(name) cannot be read: \(String(cString: strerror(code)))")
    }
}
