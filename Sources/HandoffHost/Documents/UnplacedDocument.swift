// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// Removed with this value unless it was placed.
struct UnplacedDocument: ~Copyable {
    let item: OpenFile
    let isFolder: Bool
    var hidden: StagedItem?
    var isSynced = false
    /// Nil for a kept version, which has its own attributes.
    private(set) var sentMode: SentMode?
    /// As of `PackageBuild`.
    var originals: [DocumentPath: FileVersion] = [:]
    /// The mode of a kept package's folder, set again after placement.
    private var keptMode: UInt16?

    init(item: consuming OpenFile, isFolder: Bool, hidden: StagedItem?) {
        self.item = item
        self.isFolder = isFolder
        self.hidden = hidden
    }

    static func file(in folder: borrowing OpenFile, staging: Staging) throws(Failure) -> UnplacedDocument {
        if let file = try placing({ () throws(SystemError) in
            try staging.disk.openUnnamed(in: folder, mode: 0o600)
        }) {
            return UnplacedDocument(item: file, isFolder: false, hidden: nil)
        }
        let stage = try staging.stage(for: folder)
        return try placing { () throws(SystemError) in
            let hidden = try staging.makeItem(on: stage)
            let file = try stage.folder.open(hidden.bytes, O_RDWR | O_CREAT | O_EXCL)
            return UnplacedDocument(item: file, isFolder: false, hidden: hidden)
        }
    }

    static func package(in folder: borrowing OpenFile, staging: Staging) throws(Failure) -> UnplacedDocument {
        let stage = try staging.stage(for: folder)
        return try placing { () throws(SystemError) in
            let hidden = try staging.makeItem(on: stage)
            guard mkdirat(stage.folder.descriptor, hidden.bytes.cString, 0o700) == 0 else {
                throw SystemError(errno, stage.folder.path(of: hidden.bytes))
            }
            let package = try stage.folder.open(hidden.bytes, O_RDONLY | O_DIRECTORY)
            return UnplacedDocument(item: package, isFolder: true, hidden: hidden)
        }
    }

    static func duplicate(
        of name: [UInt8], in folder: borrowing OpenFile, for target: borrowing OpenFile, isFolder: Bool,
        mode: UInt16, staging: Staging
    ) throws(Failure) -> UnplacedDocument {
        let stage = try staging.stage(for: target)
        let hidden = try placing { () throws(SystemError) in try staging.makeItem(on: stage) }
        _ = try Duplicate(disk: staging.disk, sharesFiles: true).make(
            hidden.bytes, in: stage.folder, of: name, in: folder)
        let item = try placing { () throws(SystemError) in
            try stage.folder.open(hidden.bytes, isFolder ? O_RDONLY | O_DIRECTORY : O_RDONLY)
        }
        var unplaced = UnplacedDocument(item: item, isFolder: isFolder, hidden: hidden)
        unplaced.isSynced = true
        if isFolder { unplaced.keptMode = mode }
        return unplaced
    }

    /// Reserves space for all bytes to write. Members of a package reserve their own.
    func makeRoom(for bytes: UInt64) throws(Failure) {
        try placing { () throws(SystemError) in
            if isFolder { try item.checkFree(bytes) } else { try item.reserve(bytes) }
        }
    }

    mutating func sync(modified: FileTime, mode: SentMode) throws(Failure) {
        sentMode = mode
        try placing { () throws(SystemError) in
            try item.setTime(modified)
            guard isFolder else { return try item.sync() }
            // One call: syncing a thousand files separately takes a thousand times as long.
            guard chandoff_sync_file_system(item.descriptor) == 0 else { throw SystemError(errno, item.path) }
        }
        isSynced = true
    }

    /// Call once placed, because it may make the folder read-only.
    func setKeptMode() { if let keptMode { fchmod(item.descriptor, mode_t(keptMode)) } }

    /// Frees the space at once, even if another program has the file open.
    func discard() {
        hidden?.remove()
        if !isFolder { ftruncate(item.descriptor, 0) }
    }
}
