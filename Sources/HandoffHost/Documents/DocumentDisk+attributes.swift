// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

// Mode, group, access control list and extended attributes.
extension DocumentDisk {
    /// Called just before the document is placed; until then only its owner has access.
    func setAttributes(
        of unplaced: borrowing UnplacedDocument, replacing name: [UInt8]?, in folder: borrowing OpenFile
    ) throws(Failure) {
        guard let sent = unplaced.sentMode else { return }
        try placing { () throws(SystemError) in
            guard let name, let there = try folder.status(of: name) else {
                let replaced = SentMode.Replaced.nothing(umask: UInt16(FileCreationMask.current & 0o777))
                return try unplaced.setMode(unplaced.mode(sent, replacing: replaced))
            }
            if there.kind == S_IFDIR {
                try setAttributes(of: unplaced, sent, replacing: try folder.open(name, O_RDONLY | O_DIRECTORY))
            } else if unplaced.isFolder {
                try unplaced.setMode(sent.folderMode(replacing: .file(UInt16(there.permissions & 0o777))))
            } else {
                try setAttributes(of: unplaced, sent, replacing: there, called: name, in: folder)
            }
        }
    }

    private func setAttributes(
        of unplaced: borrowing UnplacedDocument, _ sent: SentMode, replacing there: stat, called name: [UInt8],
        in folder: borrowing OpenFile
    ) throws(SystemError) {
        let mode = sent.fileMode(replacing: .file(UInt16(there.permissions & 0o777)))
        do throws(SystemError) {
            let file = try folder.open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
            try unplaced.item.keepAttributes(of: file, mode: mode_t(mode))
        } catch let error where error.code == EACCES {
            // Its access control list cannot be read, so other users get no access.
            try unplaced.setMode(mode & 0o700)
        }
    }

    private func setAttributes(
        of unplaced: borrowing UnplacedDocument, _ sent: SentMode, replacing package: consuming OpenFile
    ) throws(SystemError) {
        // If the old package is unreadable, only its owner may enter the new one.
        let tree = try? PackageTree(of: package)
        let mode = unplaced.mode(sent, replacing: .folder(tree?.closestMode ?? 0o700))
        guard unplaced.isFolder else { return try unplaced.setMode(mode) }
        if let tree { try keepAttributes(of: tree, in: package, on: unplaced) }
        try unplaced.item.keepAttributes(of: package, mode: mode_t(mode))
    }

    /// Members get the attributes of the replaced members with the same path. A member that already has them is not
    /// touched, so its hash stays known.
    private func keepAttributes(
        of tree: PackageTree, in package: borrowing OpenFile, on unplaced: borrowing UnplacedDocument
    ) throws(SystemError) {
        var from = try FolderCursor(package)
        var to = try FolderCursor(unplaced.item)
        for member in tree.members {
            guard member.kind == .file || member.kind == .folder, unplaced.originals[member.path] != member.version
            else { continue }
            let name = Array(member.path.name)
            let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | (member.kind == .folder ? O_DIRECTORY : 0)
            do throws(SystemError) {
                try from.go(toParentOf: member.path)
                try to.go(toParentOf: member.path)
                let new = try to.folder.open(name, flags)
                let status = try new.status()
                guard status.kind == (member.kind == .folder ? S_IFDIR : S_IFREG) else { continue }
                let old = try from.folder.open(name, flags)
                try new.keepAttributes(of: old, mode: member.mode(ofNew: status))
            } catch {
                switch error.code {
                // Missing in the new package, of another kind, or inaccessible.
                case ENOENT, ENOTDIR, ELOOP, ENXIO, EACCES: continue
                default: throw error
                }
            }
        }
    }
}

extension PackageTree.Member {
    /// The mode of the replacing member. A folder under construction keeps its owner's rights.
    fileprivate func mode(ofNew status: stat) -> mode_t {
        let mode = mode_t(version.mode)
        if kind == .folder { return mode | S_IRWXU }
        switch (status.permissions & 0o111 != 0, isExecutable) {
        case (true, false): return mode | (mode & 0o444) >> 2
        case (false, true): return mode & 0o666
        default: return mode
        }
    }
}

extension UnplacedDocument {
    fileprivate func mode(_ sent: SentMode, replacing replaced: SentMode.Replaced) -> UInt16 {
        isFolder ? sent.folderMode(replacing: replaced) : sent.fileMode(replacing: replaced)
    }

    fileprivate func setMode(_ mode: UInt16) throws(SystemError) {
        guard fchmod(item.descriptor, mode_t(mode)) == 0 else { throw SystemError(errno, item.path) }
    }
}
