// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// Tests switch off what other file systems lack.
package struct DiskAbilities: Hashable, Sendable {
    /// Unnamed files: not on vfat, nor on some network file systems.
    var hasUnnamedFiles = true
    /// Hard links: not on vfat and exFAT.
    var hasLinks = true
    /// Swapping two names in one step: not on exFAT, nor on NFS.
    var swapsNames = true
    var foldsAllCase = false
    /// Bytes; longer names are unsupported.
    var longestName = Limits.pathPartBytes

    // MARK: Names

    /// Bytes that every file system takes.
    private static let shortNames = 64

    static func fitsAnywhere(_ name: [UInt8]) -> Bool { name.count <= shortNames }

    /// In bytes. Some file systems report more than they take; eCryptfs, which encrypts names, takes 143.
    func longestName(in folder: borrowing OpenFile) -> Int {
        let reported = fpathconf(folder.descriptor, CInt(_PC_NAME_MAX))
        let limit = min(reported > 0 ? reported : Limits.pathPartBytes, longestName)
        for fewer in [limit, 143] where fewer <= limit && folder.takesNames(of: fewer) { return fewer }
        return min(limit, Self.shortNames)
    }

    func fitting(_ name: [UInt8], in folder: borrowing OpenFile) throws(Failure) -> [UInt8] {
        guard !Self.fitsAnywhere(name) else { return name }
        let limit = longestName(in: folder)
        guard let fitting = DocumentName.shortened(name, to: limit) else {
            let shown = String(decoding: name, as: UTF8.self)
            throw Failure(
                .documentNotPlaced,
                "the name \(shown) is too long for \(folder.path), which allows \(limit) bytes: rename it")
        }
        return fitting
    }

    // MARK: Files and folders

    /// Nil if the file system has no unnamed files.
    func openUnnamed(in folder: borrowing OpenFile, mode: mode_t) throws(SystemError) -> OpenFile? {
        guard hasUnnamedFiles else { return nil }
        let descriptor = retrying { chandoff_open_unnamed(folder.descriptor, mode) }
        if descriptor >= 0 { return OpenFile(descriptor: descriptor, path: folder.path) }
        switch errno {
        // Older kernels and file systems without support report different errors.
        case EOPNOTSUPP, EISDIR, EINVAL, ENOENT: return nil
        default: throw SystemError(errno, folder.path)
        }
    }

    /// Throws `EEXIST`. Also for unnamed files.
    func link(_ file: borrowing OpenFile, to name: [UInt8], in folder: borrowing OpenFile) throws(SystemError) {
        guard hasLinks else { throw SystemError(EPERM, folder.path(of: name)) }
        try giveName(name, in: folder, to: file)
    }

    /// Throws `EEXIST` if the name is taken.
    func giveName(_ name: [UInt8], in folder: borrowing OpenFile, to file: borrowing OpenFile) throws(SystemError) {
        guard chandoff_give_name(file.descriptor, folder.descriptor, name.cString) == 0 else {
            throw SystemError(errno, folder.path(of: name))
        }
    }

    /// False if unsupported.
    func swap(
        _ name: [UInt8], in folder: borrowing OpenFile, with other: [UInt8], in otherFolder: borrowing OpenFile
    ) throws(SystemError) -> Bool {
        guard swapsNames else { return false }
        return try folder.swap(name, with: other, in: otherFolder)
    }

    /// Throws `EEXIST` if the new name is taken.
    func rename(
        _ name: [UInt8], in folder: borrowing OpenFile, toFree newName: [UInt8], in newFolder: borrowing OpenFile
    ) throws(SystemError) {
        let path = newFolder.path(of: newName)
        let result = chandoff_rename_to_free(
            folder.descriptor, name.cString, newFolder.descriptor, newName.cString)
        if result == 0 { return }
        guard errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP else { throw SystemError(errno, path) }
        // Not atomic, but the best available.
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
