// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// Compares executables with their hashes from the install; unchanged files are not hashed again. Runs beside the loop.
/// While its mount does not respond, an executable is neither intact nor the program in question.
final class VerifiedExecutables: Sendable {
    /// Bytes.
    private static let piece = 256 * 1024

    private struct Seen {
        let status: stat
        let digest: [UInt8]
    }

    private let seen = Lock<[ExactText: Seen]>([:])
    private let files: FileQuestions

    init(patience: Duration = FileQuestions.patience) { files = FileQuestions(patience: patience) }

    /// Without a known hash, the file alone identifies the app, if no team vouches for it.
    func isIntact(_ app: InstalledApp) -> Bool {
        guard !app.executableHash.isEmpty else { return app.developer == nil }
        return files.answer(about: app.executable) { [self] in digest(of: app.executable, $0) } == app.executableHash
    }

    func owner(of program: RunningProgram, among apps: [InstalledApp]) -> ProgramOwner {
        let candidates = apps.filter { !$0.executable.isEmpty }
        // First the usual case: other mounts may not respond.
        let paths =
            candidates.map(\.executable).filter { $0.isSamePath(as: program.path) }
            + candidates.map(\.executable).filter { !$0.isSamePath(as: program.path) }
        let found = files.first(of: paths) { path, _ in
            var file = stat()
            return stat(path, &file) == 0
                && (UInt64(file.st_dev), UInt64(file.st_ino)) == (program.device, program.inode) ? true : nil
        }
        guard let found, let owner = candidates.first(where: { $0.executable.isSamePath(as: found.path) }) else {
            return .nobody
        }
        return isIntact(owner) ? .app(owner.bundle) : .altered(owner.bundle)
    }

    private func digest(of path: String, _ progress: FileProgress) -> [UInt8]? {
        do throws(SystemError) {
            let file = try OpenFile.open(path, O_RDONLY | O_NONBLOCK)
            let status = try file.status()
            if let known = seen.withLock({ $0[ExactText(path)] }), known.status.isSameVersion(as: status) {
                return known.digest
            }
            let digest = try hash(file, progress)
            // Changed while it was read, so not the verified file.
            guard try file.status().isSameVersion(as: status) else { return nil }
            seen.withLock { $0[ExactText(path)] = Seen(status: status, digest: digest) }
            return digest
        } catch {
            return nil
        }
    }

    private func hash(_ file: borrowing OpenFile, _ progress: FileProgress) throws(SystemError) -> [UInt8] {
        var hasher = FileHasher()
        var buffer = [UInt8](repeating: 0, count: Self.piece)
        while true {
            let count = retrying { read(file.descriptor, &buffer, buffer.count) }
            guard count >= 0 else { throw SystemError(errno, file.path) }
            guard count > 0 else { return hasher.finish().bytes }
            progress.made()
            buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    func keep(_ apps: [InstalledApp]) {
        let executables = Set(apps.map { ExactText($0.executable) })
        seen.withLock { seen in seen = seen.filter { executables.contains($0.key) } }
    }
}
