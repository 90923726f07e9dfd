// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// Has no name until complete, so nothing is left however the process ends, or a temporary name if the file system
/// requires it. Is synced, then takes its name in one step.
///
/// One thread writes; after that, another may finish or discard.
package final class ArrivingFile: Sendable {
    package struct Refusal: Error, Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case exists
            /// A full disk, or a limit on the file's size.
            case noRoom
            case other
        }

        package let kind: Kind
        package let reason: String
    }

    package let path: String
    private let replaces: Bool
    private let folder: OpenFile
    private let name: String
    /// The temporary name, also to replace a file.
    private let part: String
    private let isNamed: Bool
    private let file: OpenFile
    private let isSettled = Lock(false)

    /// `replacing`: replaces a regular file, or a link's target, and keeps its mode. `named`: without unnamed files.
    package init(at path: String, replacing: Bool, named: Bool = false) throws(Refusal) {
        let existing = try Self.check(path, replacing: replacing)
        self.path = path
        replaces = replacing
        let resolved = existing == nil ? path : (path.followingLinks ?? path)
        name = String(resolved.split(separator: "/").last ?? "")
        let folderPath = resolved.contains("/") ? resolved.parent : "."
        let parent = folderPath.followingLinks ?? folderPath
        var randomness = SystemRandomNumberGenerator()
        part = ".\(String(randomness.next() as UInt64, radix: 36)).part"
        do throws(SystemError) {
            folder = try OpenFile.open(parent, O_RDONLY | O_DIRECTORY)
            var isNamed = named
            file = try Self.begin(in: folder, as: part, &isNamed)
            self.isNamed = isNamed
        } catch {
            throw Refusal(error.code, path)
        }
        if let existing { fchmod(file.descriptor, existing.permissions) }
    }

    deinit { discard() }

    private static func begin(
        in folder: borrowing OpenFile, as part: String, _ isNamed: inout Bool
    ) throws(SystemError) -> OpenFile {
        let unnamed = isNamed ? -1 : chandoff_open_unnamed(folder.descriptor, 0o666)
        isNamed = unnamed < 0
        // If the error has another reason, this fails with it too.
        return isNamed
            ? try folder.open(part, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
            : OpenFile(descriptor: unnamed, path: folder.path)
    }

    /// Returns the status of the file to replace.
    @discardableResult
    private static func check(_ path: String, replacing: Bool) throws(Refusal) -> stat? {
        guard !path.isEmpty, !path.hasSuffix("/") else {
            throw Refusal(kind: .other, reason: "\(path.isEmpty ? "nothing" : path) is not the name of a file")
        }
        var found = stat()
        guard lstat(path, &found) == 0 else {
            guard errno == ENOENT else { throw Refusal(errno, path) }
            return nil
        }
        guard replacing else { throw Refusal(kind: .exists, reason: "\(path) already exists") }
        // A broken link is itself replaced.
        if stat(path, &found) != 0, errno == ENOENT { return nil }
        guard found.kind == S_IFREG else {
            throw Refusal(kind: .other, reason: "\(path) is not a file, so it is not replaced")
        }
        return found
    }

    package static func check(at path: String, replacing: Bool) throws(Refusal) {
        try check(path, replacing: replacing)
        let parent = path.contains("/") ? path.parent : "."
        guard access(parent, W_OK | X_OK) == 0 else { throw Refusal(errno, path) }
    }

    /// Throws `.noRoom`, as far as the file system can determine.
    package func reserve(_ byteCount: Int64) throws(Refusal) {
        guard byteCount > 0, chandoff_reserve(file.descriptor, off_t(byteCount)) != 0 else { return }
        let refusal = Refusal(errno, path)
        if refusal.kind == .noRoom { throw refusal }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
        do throws(SystemError) { try file.write(bytes) } catch { throw Refusal(error.code, path) }
    }

    /// Syncs the file and names it. Discards it on an error.
    package func finish() throws(Refusal) {
        do throws(SystemError) {
            try file.sync()
            try takeName()
            isSettled.withLock { $0 = true }
            try folder.sync()
        } catch {
            discard()
            throw error.code == EEXIST
                ? Refusal(kind: .exists, reason: "\(path) was created in the meantime") : Refusal(error.code, path)
        }
    }

    private func takeName() throws(SystemError) {
        guard rename() != 0 else { return }
        throw SystemError(errno, path)
    }

    private func rename() -> CInt {
        let folder = folder.descriptor
        if !isNamed {
            guard replaces else { return chandoff_give_name(file.descriptor, folder, name) }
            guard chandoff_give_name(file.descriptor, folder, part) == 0 else { return -1 }
        }
        if replaces { return renameat(folder, part, folder, name) }
        let result = chandoff_rename_to_free(folder, part, folder, name)
        guard result != 0, errno == EINVAL || errno == ENOSYS else { return result }
        // Hard links, or without those a check, which another program can overtake.
        if linkat(folder, part, folder, name, 0) == 0 { return unlinkat(folder, part, 0) }
        guard errno == EPERM || errno == EOPNOTSUPP else { return -1 }
        guard faccessat(folder, name, F_OK, 0) != 0 else {
            errno = EEXIST
            return -1
        }
        return renameat(folder, part, folder, name)
    }

    package func discard() {
        let wasSettled = isSettled.withLock { isSettled in
            defer { isSettled = true }
            return isSettled
        }
        guard !wasSettled else { return }
        unlinkat(folder.descriptor, part, 0)
        // Frees the space while this object still exists.
        ftruncate(file.descriptor, 0)
    }
}

extension ArrivingFile.Refusal {
    fileprivate init(_ code: CInt, _ path: String) {
        let sentence = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT: self.init(kind: .noRoom, reason: "the disk has no room for \(path): \(sentence)")
        case EFBIG: self.init(kind: .noRoom, reason: "\(path) would become too large: \(sentence)")
        default: self.init(kind: .other, reason: "\(path) cannot be written: \(sentence)")
        }
    }
}
