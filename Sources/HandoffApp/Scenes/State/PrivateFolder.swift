// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A folder of this user alone, 0700, with files 0600. A file is written beside, synced, put in place, and the folder synced:
/// after a crash there is the old file or the new one.
struct PrivateFolder: ~Copyable {
    private let descriptor: CInt
    private let path: String

    /// Takes the descriptor over.
    private init(descriptor: CInt, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Nil if it is not there, and is not to be made. Folders above it are made as it is.
    static func open(_ path: String, makingIt: Bool) throws(SceneStateError) -> PrivateFolder? {
        if makingIt { try make(path) }
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw error("cannot open the folder \(path)")
        }
        let folder = PrivateFolder(descriptor: descriptor, path: path)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw SceneStateError(kind: .disk("others can enter the folder \(path); run: chmod 700 \(path)"))
        }
        return folder
    }

    private static func make(_ path: String) throws(SceneStateError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw error("cannot make the folder \(path)")
        }
        try make(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw error("cannot make the folder \(path)") }
    }

    private static func error(_ what: String) -> SceneStateError {
        SceneStateError(kind: .disk("\(what): \(String(cString: strerror(errno)))"))
    }

    /// Nil if there is none. Throws for one that others can read, and above `limit` bytes.
    func read(_ name: String, limit: Int) throws(SceneStateError) -> [UInt8]? {
        // Without O_NONBLOCK a named pipe in the file's place would hold the app for ever.
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.error("cannot read \(path)/\(name)")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SceneStateError(kind: .disk("\(path)/\(name) is not a plain file"))
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw SceneStateError(kind: .disk("others can read \(path)/\(name); run: chmod 600 \(path)/\(name)"))
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.error("cannot read \(path)/\(name)") }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else {
                throw SceneStateError(kind: .disk("\(path)/\(name) has more than \(limit) bytes"))
            }
            bytes += buffer[..<count]
        }
    }

    /// Puts it in the place of what is there.
    func write(_ bytes: [UInt8], to name: String) throws(SceneStateError) {
        let temporary = try writeBeside(bytes, name)
        guard renameat(descriptor, temporary, descriptor, name) == 0 else {
            let error = Self.error("cannot write \(path)/\(name)")
            unlinkat(descriptor, temporary, 0)
            throw error
        }
        fsync(descriptor)
    }

    /// False if there is one already, which stays as it is.
    func writeFirst(_ bytes: [UInt8], to name: String) throws(SceneStateError) -> Bool {
        let temporary = try writeBeside(bytes, name)
        defer { unlinkat(descriptor, temporary, 0) }
        guard linkat(descriptor, temporary, descriptor, name, 0) == 0 else {
            if errno == EEXIST { return false }
            throw Self.error("cannot write \(path)/\(name)")
        }
        fsync(descriptor)
        return true
    }

    /// Its temporary name, which is this process's own: another of the same app may be writing too.
    private func writeBeside(_ bytes: [UInt8], _ name: String) throws(SceneStateError) -> String {
        let temporary = ".\(name).\(getpid())"
        unlinkat(descriptor, temporary, 0)
        let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Self.error("cannot write \(path)/\(name)") }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + written, bytes.count - written) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failed(temporary, name) }
            written += count
        }
        guard fsync(file) == 0 else { throw failed(temporary, name) }
        return temporary
    }

    private func failed(_ temporary: String, _ name: String) -> SceneStateError {
        let error = Self.error("cannot write \(path)/\(name)")
        unlinkat(descriptor, temporary, 0)
        return error
    }

    /// One that is not there is removed already.
    func remove(_ name: String) throws(SceneStateError) {
        guard unlinkat(descriptor, name, 0) == 0 else {
            if errno == ENOENT { return }
            throw Self.error("cannot remove \(path)/\(name)")
        }
        fsync(descriptor)
    }

    /// Sorted, without those that begin with a dot.
    func names() throws(SceneStateError) -> [String] {
        // A descriptor of its own: the stream closes it and moves its position.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw Self.error("cannot list the folder \(path)") }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
