// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// A document that has no name, or a hidden one: gone when this is, unless it took its place.
struct Coming: ~Copyable {
    /// The file, or the package's folder.
    let item: OpenFile
    let isFolder: Bool
    /// Every folder has one, and a file where there is none without.
    var hidden: HiddenName?
    /// It is on the disk as it will be.
    var isSynced = false

    /// A file for that folder, to be written and read.
    static func file(in folder: borrowing OpenFile, staging: Staging) throws(Failure) -> Coming {
        if let file = try placing({ () throws(SystemError) in
            try staging.disk.openUnnamed(in: folder, mode: 0o600)
        }) {
            return Coming(item: file, isFolder: false, hidden: nil)
        }
        let stage = try staging.stage(for: folder)
        let name = staging.makeName(on: stage)
        let file = try placing { () throws(SystemError) in
            try stage.folder.open(name.bytes, O_RDWR | O_CREAT | O_EXCL)
        }
        return Coming(item: file, isFolder: false, hidden: name)
    }

    /// A package for that folder, empty.
    static func package(in folder: borrowing OpenFile, staging: Staging) throws(Failure) -> Coming {
        let stage = try staging.stage(for: folder)
        let name = staging.makeName(on: stage)
        let package = try placing { () throws(SystemError) in
            guard mkdirat(stage.folder.descriptor, name.bytes.cString, 0o700) == 0 else {
                throw SystemError(errno, stage.folder.path(of: name.bytes))
            }
            return try stage.folder.open(name.bytes, O_RDONLY | O_DIRECTORY)
        }
        return Coming(item: package, isFolder: true, hidden: name)
    }

    /// The same as what has a name already, or a copy of it.
    static func duplicate(
        of name: [UInt8], in folder: borrowing OpenFile, for target: borrowing OpenFile, isFolder: Bool,
        staging: Staging
    ) throws(Failure) -> Coming {
        let stage = try staging.stage(for: target)
        let hidden = staging.makeName(on: stage)
        _ = try Duplicate(disk: staging.disk, sharesFiles: true).make(
            hidden.bytes, in: stage.folder, of: name, in: folder)
        let item = try placing { () throws(SystemError) in
            try stage.folder.open(hidden.bytes, isFolder ? O_RDONLY | O_DIRECTORY : O_RDONLY)
        }
        return Coming(item: item, isFolder: isFolder, hidden: hidden, isSynced: true)
    }

    /// On the disk, with that time and those permission bits; of a package all that is in it, too.
    mutating func sync(modified: FileTime, mode: UInt16) throws(Failure) {
        try placing { () throws(SystemError) in
            guard fchmod(item.descriptor, mode_t(mode & 0o777)) == 0 else { throw SystemError(errno, item.path) }
            try item.setTime(modified)
            guard isFolder else { return try item.sync() }
            // At one go: a thousand files one by one take a thousand times as long.
            guard chandoff_sync_file_system(item.descriptor) == 0 else { throw SystemError(errno, item.path) }
        }
        isSynced = true
    }

    /// Its room is free at once, also while somebody keeps it open.
    func discard() {
        hidden?.remove()
        if !isFolder { ftruncate(item.descriptor, 0) }
    }
}
