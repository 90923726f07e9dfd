// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// The copy's folders are writable for their owner, even if the originals are read-only.
struct Duplicate {
    let disk: DiskAbilities
    let sharesFiles: Bool

    /// Syncs. Throws `EEXIST`. Returns the original's version afterwards, so that concurrent writes are detected.
    func make(
        _ newName: [UInt8], in newFolder: borrowing OpenFile, of name: [UInt8], in folder: borrowing OpenFile
    ) throws(Failure) -> FileVersion {
        guard let status = try placing({ () throws(SystemError) in try folder.status(of: name) }) else {
            throw Failure(placing: SystemError(ENOENT, folder.path(of: name)))
        }
        guard status.kind == S_IFDIR else {
            return try placing { () throws(SystemError) in
                let version = try makeFile(newName, in: newFolder, of: name, in: folder)
                try newFolder.sync()
                return version
            }
        }
        let package = try placing { () throws(SystemError) in try folder.open(name, O_RDONLY | O_DIRECTORY) }
        try makePackage(newName, in: newFolder, of: package)
        return try PackageTree(of: package).version
    }

    private func makeFile(
        _ newName: [UInt8], in newFolder: borrowing OpenFile, of name: [UInt8], in folder: borrowing OpenFile
    ) throws(SystemError) -> FileVersion {
        let file = try folder.open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        let status = try file.status()
        guard status.kind == S_IFREG else { throw SystemError(EINVAL, file.path, "\(file.path) is no longer a file") }
        if sharesFiles, try shares(file, as: newName, in: newFolder) { return try file.version() }
        let version = FileVersion(status)
        do throws(SystemError) {
            let copy = try newFolder.open(newName, O_WRONLY | O_CREAT | O_EXCL)
            try copy.reserve(version.size)
            _ = try copy.copy(version.size, of: file)
            try copy.finish(as: version, of: file, mode: mode_t(version.mode))
            try copy.sync()
        } catch {
            if error.code != EEXIST { unlinkat(newFolder.descriptor, newName.cString, 0) }
            throw error
        }
        return try file.version()
    }

    private func shares(
        _ file: borrowing OpenFile, as newName: [UInt8], in newFolder: borrowing OpenFile
    ) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try disk.link(file, to: newName, in: newFolder)
            return true
        } catch {
            switch error.code {
            // Another file system, one without links, another user's file, too many links.
            case EXDEV, EPERM, EOPNOTSUPP, EMLINK, EACCES, ENOENT: return false
            default: throw error
            }
        }
    }

    private func makePackage(
        _ newName: [UInt8], in newFolder: borrowing OpenFile, of package: borrowing OpenFile
    ) throws(Failure) {
        let tree = try PackageTree(of: package)
        try placing { () throws(SystemError) in
            guard mkdirat(newFolder.descriptor, newName.cString, 0o700) == 0 else {
                throw SystemError(errno, newFolder.path(of: newName))
            }
            do throws(SystemError) {
                let copy = try newFolder.open(newName, O_RDONLY | O_DIRECTORY)
                var from = try FolderCursor(package)
                var to = try FolderCursor(copy)
                for member in tree.members {
                    try from.go(toParentOf: member.path)
                    try to.go(toParentOf: member.path)
                    try make(member, in: to.folder, of: from.folder)
                }
                // Last, because adding names changes folders' times, and folders must stay writable until then.
                for member in tree.members where member.kind == .folder {
                    try from.go(toParentOf: member.path)
                    try to.go(toParentOf: member.path)
                    let original = try from.folder.open(Array(member.path.name), O_RDONLY | O_DIRECTORY)
                    let folder = try to.folder.open(Array(member.path.name), O_RDONLY | O_DIRECTORY)
                    try folder.finish(
                        as: member.version, of: original, mode: mode_t(member.version.mode) | S_IRWXU)
                }
                try copy.finish(as: tree.version, of: package, mode: mode_t(tree.version.mode) | S_IRWXU)
                guard chandoff_sync_file_system(copy.descriptor) == 0 else { throw SystemError(errno, copy.path) }
            } catch {
                try? newFolder.removeTree(newName)
                throw error
            }
        }
    }

    private func make(
        _ member: PackageTree.Member, in newFolder: borrowing OpenFile, of folder: borrowing OpenFile
    ) throws(SystemError) {
        let name = Array(member.path.name)
        switch member.kind {
        case .folder:
            guard mkdirat(newFolder.descriptor, name.cString, 0o700) == 0 else {
                throw SystemError(errno, newFolder.path(of: name))
            }
        case .link(let target):
            guard symlinkat(target.cString, newFolder.descriptor, name.cString) == 0 else {
                throw SystemError(errno, newFolder.path(of: name))
            }
        case .file: _ = try makeMember(name, in: newFolder, of: folder)
        }
    }

    private func makeMember(
        _ name: [UInt8], in newFolder: borrowing OpenFile, of folder: borrowing OpenFile
    ) throws(SystemError) {
        if sharesFiles, disk.hasLinks,
            linkat(folder.descriptor, name.cString, newFolder.descriptor, name.cString, 0) == 0
        {
            return
        }
        try newFolder.copyMember(name, of: folder, as: name)
    }
}

extension OpenFile {
    /// Drops attributes that this file system cannot hold, and then returns false.
    @discardableResult
    fileprivate func finish(
        as version: FileVersion, of original: borrowing OpenFile, mode: mode_t
    ) throws(SystemError) -> Bool {
        var hasAttributes = true
        do throws(SystemError) { try keepAttributes(of: original, mode: mode) } catch {
            hasAttributes = false
            guard fchmod(descriptor, mode & S_IRWXU) == 0 else { throw SystemError(errno, path) }
        }
        try setTime(version.modified)
        return hasAttributes
    }

    /// `isExecutable` nil: as in the original. Returns the original's version before and after.
    @discardableResult
    func copyMember(
        _ name: [UInt8], of folder: borrowing OpenFile, as newName: [UInt8], isExecutable: Bool? = nil
    ) throws(SystemError) -> (before: FileVersion, after: FileVersion, hasAttributes: Bool) {
        let file = try folder.open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        let status = try file.status()
        guard status.kind == S_IFREG else { throw SystemError(EINVAL, file.path, "\(file.path) is no longer a file") }
        let version = FileVersion(status)
        let copy = try open(newName, O_WRONLY | O_CREAT | O_EXCL)
        _ = try copy.copy(version.size, of: file)
        var mode = mode_t(version.mode)
        switch isExecutable {
        // All readers may execute it.
        case true?: mode |= (mode & 0o444) >> 2
        case false?: mode &= 0o666
        case nil: break
        }
        let hasAttributes = try copy.finish(as: version, of: file, mode: mode)
        return (version, try file.version(), hasAttributes)
    }
}
