// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// What of a file system's abilities is used. Tests leave out what theirs has and others have not.
package struct DiskAbilities: Hashable, Sendable {
    /// Files without a name: not on vfat, nor on some network's.
    package var hasUnnamedFiles = true
    /// Several names of one file: not on vfat and exFAT.
    package var hasLinks = true
    /// Swapping two names in one step: not on exFAT, nor on NFS.
    package var swapsNames = true
    /// As if every folder took names that differ by case alone for one.
    package var foldsAllCase = false
    /// As if no name could have more bytes.
    package var longestName = Limits.pathPartBytes

    package init() {}

    // MARK: Names

    /// Every file system takes names of so many bytes that documents have.
    private static let shortNames = 64

    static func fitsAnywhere(_ name: [UInt8]) -> Bool { name.count <= shortNames }

    /// How many bytes a name in that folder may have. A file system that encrypts names takes fewer: eCryptfs 143. Some report
    /// more than they take.
    func longestName(in folder: borrowing OpenFile) -> Int {
        let reported = fpathconf(folder.descriptor, CInt(_PC_NAME_MAX))
        let limit = min(reported > 0 ? reported : Limits.pathPartBytes, longestName)
        for fewer in [limit, 143] where fewer <= limit && folder.takesNames(of: fewer) { return fewer }
        return min(limit, Self.shortNames)
    }

    /// The name that a document of that name has in this folder.
    func fitting(_ name: [UInt8], in folder: borrowing OpenFile) throws(Failure) -> [UInt8] {
        guard !Self.fitsAnywhere(name) else { return name }
        let limit = longestName(in: folder)
        guard let fitting = DocumentName.shortened(name, to: limit) else {
            let shown = String(decoding: name, as: UTF8.self)
            throw Failure(
                .documentNotPlaced,
                "the name \(shown) is too long for \(folder.path), which takes \(limit) bytes: rename it")
        }
        return fitting
    }

    // MARK: Files and folders

    /// A new one in that folder, to be written and read. Nil where there is no such thing.
    func openUnnamed(in folder: borrowing OpenFile, mode: mode_t) throws(SystemError) -> OpenFile? {
        guard hasUnnamedFiles else { return nil }
        let descriptor = retrying { chandoff_open_unnamed(folder.descriptor, mode) }
        if descriptor >= 0 { return OpenFile(descriptor: descriptor, path: folder.path) }
        switch errno {
        // As old systems say it, in turn: not here, not at all, and what is that.
        case EOPNOTSUPP, EISDIR, EINVAL, ENOENT: return nil
        default: throw SystemError(errno, folder.path)
        }
    }

    /// Throws `EEXIST` where the name is taken. Works for files that never had a name, too.
    func link(_ file: borrowing OpenFile, to name: [UInt8], in folder: borrowing OpenFile) throws(SystemError) {
        guard hasLinks else { throw SystemError(EPERM, folder.path(of: name)) }
        try giveName(name, in: folder, to: file)
    }

    /// Its first. Throws `EEXIST` where the name is taken.
    func giveName(_ name: [UInt8], in folder: borrowing OpenFile, to file: borrowing OpenFile) throws(SystemError) {
        guard chandoff_give_name(file.descriptor, folder.descriptor, name.cString) == 0 else {
            throw SystemError(errno, folder.path(of: name))
        }
    }

    /// False where the file system cannot.
    func swap(
        _ name: [UInt8], in folder: borrowing OpenFile, with other: [UInt8], in otherFolder: borrowing OpenFile
    ) throws(SystemError) -> Bool {
        guard swapsNames else { return false }
        return try folder.swap(name, with: other, in: otherFolder)
    }

    /// Throws `EEXIST` where the new name is taken.
    func rename(
        _ name: [UInt8], in folder: borrowing OpenFile, toFree newName: [UInt8], in newFolder: borrowing OpenFile
    ) throws(SystemError) {
        let path = newFolder.path(of: newName)
        let result = chandoff_rename_to_free(
            folder.descriptor, name.cString, newFolder.descriptor, newName.cString)
        if result == 0 { return }
        guard errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP else { throw SystemError(errno, path) }
        // One that has not even that is asked first, as well as can be.
        guard try newFolder.status(of: newName) == nil else { throw SystemError(EEXIST, path) }
        guard renameat(folder.descriptor, name.cString, newFolder.descriptor, newName.cString) == 0 else {
            throw SystemError(errno, path)
        }
    }

    func foldsCase(_ folder: borrowing OpenFile) -> Bool {
        if foldsAllCase || chandoff_folds_case(folder.descriptor) { return true }
        return FileSystemKind(of: folder)?.foldsCase ?? false
    }
}

extension OpenFile {
    fileprivate func takesNames(of count: Int) -> Bool {
        do throws(SystemError) { _ = try status(of: [UInt8](repeating: UInt8(ascii: "n"), count: count)) } catch {
            return error.code != ENAMETOOLONG
        }
        return true
    }
}
