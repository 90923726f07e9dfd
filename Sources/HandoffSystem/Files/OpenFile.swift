// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// Resolves paths below a folder from its descriptor, without links, so nothing can be swapped between a check and its
/// use.
package struct OpenFile: ~Copyable, Sendable {
    package let descriptor: CInt
    package let path: String

    /// Takes ownership.
    package init(descriptor: CInt, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { _ = Glibc.close(descriptor) }

    /// Adds O_CLOEXEC and O_NOFOLLOW to `flags`.
    package static func open(_ path: String, _ flags: CInt, mode: mode_t = 0o600) throws(SystemError) -> OpenFile {
        let descriptor = retrying { Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode) }
        guard descriptor >= 0 else { throw SystemError(errno, path) }
        return OpenFile(descriptor: descriptor, path: path)
    }

    package func open(_ name: String, _ flags: CInt, mode: mode_t = 0o600) throws(SystemError) -> OpenFile {
        let descriptor = retrying { openat(self.descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW, mode) }
        guard descriptor >= 0 else { throw SystemError(errno, path + "/" + name) }
        return OpenFile(descriptor: descriptor, path: path + "/" + name)
    }

    /// Throws `EFBIG` above `limit` bytes.
    package func readAll(limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = retrying { Glibc.read(descriptor, &buffer, buffer.count) }
            guard count >= 0 else { throw SystemError(errno, path) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else {
                throw SystemError(EFBIG, path, "\(path) has more than \(limit) bytes")
            }
            bytes += buffer[..<count]
        }
    }

    /// For short system files. Nil if unreadable or longer.
    package static func text(of path: String, limit: Int = 64 * 1024) -> String? {
        guard let bytes = try? open(path, O_RDONLY | O_NONBLOCK).readAll(limit: limit) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    package func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
        let bytes = Array(bytes)
        let failure = bytes.withUnsafeBytes { raw -> SystemError? in
            do throws(SystemError) { try write(raw) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = retrying { Glibc.write(descriptor, rest.baseAddress, rest.count) }
            guard count >= 0 else { throw SystemError(errno, path) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// For a folder, syncs the names in it.
    package func sync() throws(SystemError) {
        guard retrying({ fsync(descriptor) }) == 0 else { throw SystemError(errno, path) }
    }

    package func status() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError(errno, path) }
        return status
    }

    /// Sorted, without `.` and `..`. Stops after `most`, so ask for one more to detect an excess. Changes names that
    /// are not UTF-8.
    package func entries(atMost most: Int) throws(SystemError) -> [String] {
        try names(atMost: most).map { String(decoding: $0, as: UTF8.self) }.sorted()
    }
}
