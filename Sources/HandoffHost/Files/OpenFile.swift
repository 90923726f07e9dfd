// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffWire

/// An open file or folder, closed when it goes. Every path below a folder is reached through the folder's descriptor and
/// never through a symbolic link, so nothing can be swapped underneath between a check and the use.
struct OpenFile: ~Copyable {
    let descriptor: CInt
    /// For errors.
    let path: String

    /// Takes the descriptor over.
    init(descriptor: CInt, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { _ = Glibc.close(descriptor) }

    /// `flags` get O_CLOEXEC and O_NOFOLLOW.
    static func open(_ path: String, _ flags: CInt, mode: mode_t = 0o600) throws(SystemError) -> OpenFile {
        let descriptor = retrying { Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode) }
        guard descriptor >= 0 else { throw SystemError(errno, path) }
        return OpenFile(descriptor: descriptor, path: path)
    }

    /// Beneath this folder; `name` is one component.
    func open(_ name: String, _ flags: CInt, mode: mode_t = 0o600) throws(SystemError) -> OpenFile {
        let descriptor = retrying { openat(self.descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW, mode) }
        guard descriptor >= 0 else { throw SystemError(errno, path + "/" + name) }
        return OpenFile(descriptor: descriptor, path: path + "/" + name)
    }

    /// Throws `EFBIG` above `limit` bytes.
    func readAll(limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = retrying { Glibc.read(descriptor, &buffer, buffer.count) }
            guard count >= 0 else { throw SystemError(errno, path) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { throw SystemError(EFBIG, path) }
            bytes += buffer[..<count]
        }
    }

    func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
        let bytes = Array(bytes)
        let failure = bytes.withUnsafeBytes { raw -> SystemError? in
            do throws(SystemError) { try write(raw) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    /// All of them.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = retrying { Glibc.write(descriptor, rest.baseAddress, rest.count) }
            guard count >= 0 else { throw SystemError(errno, path) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Returns once it is on the disk. For a folder: the names in it.
    func sync() throws(SystemError) {
        guard retrying({ fsync(descriptor) }) == 0 else { throw SystemError(errno, path) }
    }

    func status() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError(errno, path) }
        return status
    }

    /// What this folder holds, sorted, without `.` and `..`. Stops reading after `most`, so that a caller with a limit
    /// asks for one more than that.
    func entries(atMost most: Int) throws(SystemError) -> [String] {
        // A descriptor of its own: the stream closes it and moves its position.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw SystemError(errno, path) }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < most, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "." || name == ".." { continue }
            names.append(name)
        }
        return names.sorted()
    }
}

/// What the system answered, and about which path.
struct SystemError: Error {
    let code: CInt
    let path: String
    /// The whole sentence for the user where the code alone says too little.
    let explanation: String?

    init(_ code: CInt, _ path: String, _ explanation: String? = nil) {
        self.code = code
        self.path = path
        self.explanation = explanation
    }

    /// "No space left on device"
    var sentence: String { String(cString: strerror(code)) }
}

extension stat {
    var kind: mode_t { st_mode & S_IFMT }
    /// Permission bits alone.
    var permissions: mode_t { st_mode & 0o7777 }

    /// Whether nothing was written between the two. The time of the last change cannot be set by who changes a file.
    func isSameVersion(as other: stat) -> Bool {
        st_ino == other.st_ino && st_dev == other.st_dev && st_size == other.st_size && st_mode == other.st_mode
            && st_mtim.tv_sec == other.st_mtim.tv_sec && st_mtim.tv_nsec == other.st_mtim.tv_nsec
            && st_ctim.tv_sec == other.st_ctim.tv_sec && st_ctim.tv_nsec == other.st_ctim.tv_nsec
    }
}

/// Again while a signal interrupts the call.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
