// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// Which executables are what was verified at install: read and hashed once, and again when the file changed since. Asked on
/// any thread, for it takes as long as reading a file does.
final class VerifiedExecutables: Sendable {
    /// A piece of a file that is read at a time, bytes.
    private static let piece = 256 * 1024

    private struct Seen {
        let status: stat
        let digest: [UInt8]
    }

    private let seen = Lock<[String: Seen]>([:])

    /// Without a known content an app counts by its file alone, and only one that no team vouches for.
    func isIntact(_ app: InstalledApp) -> Bool {
        guard !app.executableHash.isEmpty else { return app.developer == nil }
        return digest(of: app.executable) == app.executableHash
    }

    /// Of one of these.
    func owner(of program: RunningProgram, among apps: [InstalledApp]) -> ProgramOwner {
        let owner = apps.first { app in
            var file = stat()
            return !app.executable.isEmpty && stat(app.executable, &file) == 0
                && (UInt64(file.st_dev), UInt64(file.st_ino)) == (program.device, program.inode)
        }
        guard let owner else { return .nobody }
        return isIntact(owner) ? .app(owner.bundle) : .altered(owner.bundle)
    }

    private func digest(of path: String) -> [UInt8]? {
        do throws(SystemError) {
            let file = try OpenFile.open(path, O_RDONLY | O_NONBLOCK)
            let status = try file.status()
            if let known = seen.withLock({ $0[path] }), known.status.isSameVersion(as: status) { return known.digest }
            let digest = try hash(file)
            // Changed while it was read: whatever this is, it is not what was verified.
            guard try file.status().isSameVersion(as: status) else { return nil }
            seen.withLock { $0[path] = Seen(status: status, digest: digest) }
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
    func keep(_ apps: [InstalledApp]) {
        let executables = Set(apps.map(\.executable))
        seen.withLock { seen in seen = seen.filter { executables.contains($0.key) } }
    }
}
