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
    var hidden: StagedItem?
    /// It is on the disk as it will be.
    var isSynced = false
    /// As its origin said; nil for a kept version, which has its own attributes.
    private(set) var sentMode: SentMode?
    /// The mode of a kept package's folder, which is set again when it is in its place.
    private var keptMode: UInt16?

    init(item: consuming OpenFile, isFolder: Bool, hidden: StagedItem?) {
        self.item = item
        self.isFolder = isFolder
        self.hidden = hidden
    }

    /// A file for that folder, to be written and read.
    static func file(in folder: borrowing OpenFile, staging: Staging) throws(Failure) -> Coming {
        if let file = try placing({ () throws(SystemError) in
            try staging.disk.openUnnamed(in: folder, mode: 0o600)
        }) {
            return Coming(item: file, isFolder: false, hidden: nil)
        }
        let stage = try staging.stage(for: folder)
        return try placing { () throws(SystemError) in
            let hidden = try staging.makeItem(on: stage)
            let file = try stage.folder.open(hidden.bytes, O_RDWR | O_CREAT | O_EXCL)
            return Coming(item: file, isFolder: false, hidden: hidden)
        }
    }

    /// A package for that folder, empty.
    static func package(in folder: borrowing OpenFile, staging: Staging) throws(Failure) -> Coming {
        let stage = try staging.stage(for: folder)
        return try placing { () throws(SystemError) in
            let hidden = try staging.makeItem(on: stage)
            guard mkdirat(stage.folder.descriptor, hidden.bytes.cString, 0o700) == 0 else {
                throw SystemError(errno, stage.folder.path(of: hidden.bytes))
            }
            let package = try stage.folder.open(hidden.bytes, O_RDONLY | O_DIRECTORY)
            return Coming(item: package, isFolder: true, hidden: hidden)
        }
    }

    /// The same as what was kept under that name, or a copy of it. `mode`: of a package's folder.
    static func duplicate(
        of name: [UInt8], in folder: borrowing OpenFile, for target: borrowing OpenFile, isFolder: Bool,
        mode: UInt16, staging: Staging
    ) throws(Failure) -> Coming {
        let stage = try staging.stage(for: target)
        let hidden = try placing { () throws(SystemError) in try staging.makeItem(on: stage) }
        _ = try Duplicate(disk: staging.disk, sharesFiles: true).make(
            hidden.bytes, in: stage.folder, of: name, in: folder)
        let item = try placing { () throws(SystemError) in
            try stage.folder.open(hidden.bytes, isFolder ? O_RDONLY | O_DIRECTORY : O_RDONLY)
        }
        var coming = Coming(item: item, isFolder: isFolder, hidden: hidden)
        coming.isSynced = true
        if isFolder { coming.keptMode = mode }
        return coming
    }

    /// Room for all that will be written to the disk, bytes: sent, copied or shared. Reserved for a file; of
    /// a package, whose members reserve theirs one by one, it has to be free.
    func makeRoom(for bytes: UInt64) throws(Failure) {
        try placing { () throws(SystemError) in
            if isFolder { try item.checkFree(bytes) } else { try item.reserve(bytes) }
        }
    }

    /// On the disk, with that time; of a package all that is in it, too.
    mutating func sync(modified: FileTime, mode: SentMode) throws(Failure) {
        sentMode = mode
        try placing { () throws(SystemError) in
            try item.setTime(modified)
            guard isFolder else { return try item.sync() }
            // At one go: a thousand files one by one take a thousand times as long.
            guard chandoff_sync_file_system(item.descriptor) == 0 else { throw SystemError(errno, item.path) }
        }
        isSynced = true
    }

    /// It is in its place: a folder that its owner cannot write to can be so from now on.
    func setKeptMode() { if let keptMode { fchmod(item.descriptor, mode_t(keptMode)) } }

    /// Its room is free at once, also while somebody keeps it open.
    func discard() {
        hidden?.remove()
        if !isFolder { ftruncate(item.descriptor, 0) }
    }
}
