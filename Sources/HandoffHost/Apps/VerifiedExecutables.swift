// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffTrust

/// Which executables are what was verified at install: read and hashed once, and again when the file changed since.
struct VerifiedExecutables {
    /// A piece of a file that is read at a time, bytes.
    private static let piece = 256 * 1024

    private var seen: [String: (status: stat, digest: [UInt8])] = [:]

    /// Without a known content only an app under development counts, by its file alone.
    mutating func isIntact(_ app: InstalledApp) -> Bool {
        guard !app.executableHash.isEmpty else { return app.isInDevelopment }
        return digest(of: app.executable) == app.executableHash
    }

    private mutating func digest(of path: String) -> [UInt8]? {
        do throws(SystemError) {
            let file = try OpenFile.open(path, O_RDONLY | O_NONBLOCK)
            let status = try file.status()
            if let known = seen[path], known.status.isSameVersion(as: status) { return known.digest }
            let digest = try hash(file)
            // Changed while it was read: whatever this is, it is not what was verified.
            guard try file.status().isSameVersion(as: status) else { return nil }
            seen[path] = (status, digest)
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
