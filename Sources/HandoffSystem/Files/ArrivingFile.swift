// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// A file whose bytes come over time. Until all are there it has no name, so that nothing is left of it however the process
/// ends; on a file system that cannot, one beside the name that it will have. Then it is synced, and takes its name in one
/// step. What is given up is removed.
///
/// One thread writes, and when it has ended another may finish or discard.
package final class ArrivingFile: Sendable {
    package struct Refusal: Error, Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case exists
            /// The disk is full, or the file may not grow so large.
            case noRoom
            case other
        }

        package let kind: Kind
        /// For the user.
        package let reason: String
    }

    /// What the file will be called.
    package let path: String
    private let replaces: Bool
    private let folder: OpenFile
    private let name: String
    /// The name until then, of a file that has one; else the one that it passes through where it takes another's place.
    private let part: String
    private let isNamed: Bool
    private let file: OpenFile
    private let isSettled = Lock(false)

    /// Throws unless a file can be made there. With `replacing` a regular file of that name gives way in the end, and its
    /// mode is kept; behind a symbolic link, the file that it leads to. `named`: as where every file has a name.
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
        // Where it is not for the want of a name, this fails too, and says why.
        return isNamed
            ? try folder.open(part, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
            : OpenFile(descriptor: unnamed, path: folder.path)
    }

    /// Whether a file may be made there, before anything is asked of anybody. What stands there, if it gives way.
    @discardableResult
    private static func check(_ path: String, replacing: Bool) throws(Refusal) -> stat? {
        guard !path.isEmpty, !path.hasSuffix("/") else {
            throw Refusal(kind: .other, reason: "\(path.isEmpty ? "nothing" : path) is no name of a file")
        }
        var found = stat()
        guard lstat(path, &found) == 0 else {
            guard errno == ENOENT else { throw Refusal(errno, path) }
            return nil
        }
        guard replacing else { throw Refusal(kind: .exists, reason: "\(path) exists") }
        // A symbolic link that leads nowhere gives way itself.
        if stat(path, &found) != 0, errno == ENOENT { return nil }
        guard found.kind == S_IFREG else {
            throw Refusal(kind: .other, reason: "\(path) is no file, and is not replaced by one")
        }
        return found
    }

    /// Throws unless a file could be made there now.
    package static func check(at path: String, replacing: Bool) throws(Refusal) {
        try check(path, replacing: replacing)
        let parent = path.contains("/") ? path.parent : "."
        guard access(parent, W_OK | X_OK) == 0 else { throw Refusal(errno, path) }
    }

    /// Throws `.noRoom` where so many bytes will not fit. File systems that cannot tell take them for granted.
    package func reserve(_ byteCount: Int64) throws(Refusal) {
        guard byteCount > 0, chandoff_reserve(file.descriptor, off_t(byteCount)) != 0 else { return }
        let refusal = Refusal(errno, path)
        if refusal.kind == .noRoom { throw refusal }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
        do throws(SystemError) { try file.write(bytes) } catch { throw Refusal(error.code, path) }
    }

    /// The file is on the disk, under its name. Throws, and discards it, where that cannot be.
    package func finish() throws(Refusal) {
        do throws(SystemError) {
            try file.sync()
            try takeName()
            isSettled.withLock { $0 = true }
            try folder.sync()
        } catch {
            discard()
            throw error.code == EEXIST
                ? Refusal(kind: .exists, reason: "\(path) came into being meanwhile") : Refusal(error.code, path)
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
        // A file system without it, but with hard links; one with neither is asked first, as well as can be.
        if linkat(folder, part, folder, name, 0) == 0 { return unlinkat(folder, part, 0) }
        guard errno == EPERM || errno == EOPNOTSUPP else { return -1 }
        guard faccessat(folder, name, F_OK, 0) != 0 else {
            errno = EEXIST
            return -1
        }
        return renameat(folder, part, folder, name)
    }

    /// Removes what has come. Without effect once it is finished.
    package func discard() {
        let wasSettled = isSettled.withLock { isSettled in
            defer { isSettled = true }
            return isSettled
        }
        guard !wasSettled else { return }
        unlinkat(folder.descriptor, part, 0)
        // Its room is free at once, also while this is kept.
        ftruncate(file.descriptor, 0)
    }
}

extension ArrivingFile.Refusal {
    fileprivate init(_ code: CInt, _ path: String) {
        let sentence = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT: self.init(kind: .noRoom, reason: "there is no room for \(path): \(sentence)")
        case EFBIG: self.init(kind: .noRoom, reason: "\(path) may not grow so large: \(sentence)")
        default: self.init(kind: .other, reason: "\(path) cannot be written: \(sentence)")
        }
    }
}
