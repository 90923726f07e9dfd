// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffTrust

/// Which executables are what was verified at install: read and hashed once, and again when the file changed since.
struct VerifiedExecutables {
    /// What tells that a file changed. The time of its last change cannot be set by who changes it.
    private struct Stamp: Equatable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            seconds = status.st_ctim.tv_sec
            nanoseconds = status.st_ctim.tv_nsec
        }
    }

    /// A piece of a file that is read at a time, bytes.
    private static let piece = 256 * 1024

    private var seen: [String: (stamp: Stamp, digest: [UInt8])] = [:]

    /// Without a known content only an app under development counts, by its file alone.
    mutating func isIntact(_ app: InstalledApp) -> Bool {
        guard !app.executableHash.isEmpty else { return app.isInDevelopment }
        return digest(of: app.executable) == app.executableHash
    }

    private mutating func digest(of path: String) -> [UInt8]? {
        do throws(SystemError) {
            let file = try OpenFile.open(path, O_RDONLY | O_NONBLOCK)
            let stamp = Stamp(try file.status())
            if let known = seen[path], known.stamp == stamp { return known.digest }
            let digest = try hash(file)
            // Changed while it was read: whatever this is, it is not what was verified.
            guard Stamp(try file.status()) == stamp else { return nil }
            seen[path] = (stamp, digest)
            return digest
        } catch {
            return nil
        }
    }

    private func hash(_ file: borrowing OpenFile) throws(SystemError) -> [UInt8] {
        var hasher = FileHasher()
        var buffer = [UInt8](repeating: 0, count: Self.piece)
        while true {
            let count = retrying { read(file.descriptor, &buffer, buffer.count) }
            guard count >= 0 else { throw SystemError(errno, file.path) }
            guard count > 0 else { return hasher.finish().bytes }
            buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    /// Forgets what is installed no more.
    mutating func keep(_ apps: [InstalledApp]) {
        let executables = Set(apps.map(\.executable))
        seen = seen.filter { executables.contains($0.key) }
    }
}
