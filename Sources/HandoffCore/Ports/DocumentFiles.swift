// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Every call may block on a disk or a hung network, so it is made in a job of `Work`, never on the loop. Two may run
/// concurrently.
///
/// Errors, with the file and the cause:
///
/// - `.documentGone`: missing or unreadable.
/// - `.documentNotPlaced`: no space, or not writable.
/// - `.notAllowed`: leads out of its folder, or to a socket, a device or a FIFO.
/// - `.limitReached`: exceeds `DocumentLimits`.
package protocol DocumentFiles: AnyObject, Sendable {
    /// No hash for more than `hashing` bytes; hashes are cached by the file's version. Matches names as `DocumentName`
    /// defines, and returns the path on disk. `asPackage`: a folder there is a document.
    func look(at place: DocumentLocation, asPackage: Bool, hashing: UInt64) throws(Failure) -> DocumentSnapshot

    /// Separate from `look`, because it examines other processes.
    func hold(at place: DocumentLocation, asPackage: Bool) -> DocumentHold?

    /// By inode, else by size and hash, among the first `DocumentLimits.searchedEntries` and within
    /// `DocumentLimits.search`.
    func find(_ file: FileNumber, size: UInt64, hash: FileDigest?, in folder: AbsolutePath) throws(Failure)
        -> DocumentPath?

    func open(_ place: DocumentLocation, asPackage: Bool) throws(Failure) -> any DocumentSource

    /// For a list of chunks; `begin` uses the result.
    func prepare(_ basis: [DocumentLocation], for size: UInt64)

    /// Reserves space for the whole content, regardless of how much is sent, or throws. `basis`: local files with
    /// reusable parts. `left`: of an interrupted transfer; consumed if this returns, unchanged if it throws. No name
    /// leads to the content before `place`.
    func begin(
        _ content: ArrivingContent, for place: DocumentLocation, basis: [DocumentLocation],
        left: (any DocumentArrival)?
    ) throws(Failure) -> any DocumentArrival

    /// As on disk: the first `DocumentLimits.searchedEntries`; none if the folder is missing.
    func names(beside place: DocumentLocation) throws(Failure) -> [[UInt8]]

    func longestName(beside place: DocumentLocation) throws(Failure) -> Int

    /// `creating`: creates a missing folder. Otherwise throws `.documentGone`: a mapped folder's disk may be missing,
    /// and its mount point must stay empty.
    func storage(of folder: AbsolutePath, creating: Bool) throws(Failure) -> DocumentStorage

    func facts(of folder: AbsolutePath) -> FolderFacts

    // MARK: Kept versions

    /// Newest first.
    func versions() throws(Failure) -> [KeptVersion]
    /// Keeps any present file as a version, and returns that.
    func restore(_ version: VersionID, at now: WallTime) throws(Failure) -> KeptVersion?
    /// Beyond `DocumentLimits.keepVersions`, `.versionBytes` or `.keepReceived`. Continues after a failure.
    func removeExpired(at now: WallTime) -> [Failure]
}

package enum DocumentLocation: Hashable, Sendable {
    /// Neither `..` nor a link leads outside the folder.
    case container(folder: AbsolutePath, DocumentPath)
    /// From outside all containers; each continuation has a folder.
    case received(ContinuationID, name: DocumentPath)
    case open(FileToken)
}

package struct FileNumber: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

/// Equal values mean that the file was not written.
package struct FileVersion: Hashable, Sendable {
    package var file: FileNumber
    /// In bytes.
    package var size: UInt64
    package var modified: FileTime
    /// Any change. No program can set it.
    package var changed: FileTime
    package var mode: UInt16

    package init(file: FileNumber, size: UInt64, modified: FileTime, changed: FileTime, mode: UInt16) {
        self.file = file
        self.size = size
        self.modified = modified
        self.changed = changed
        self.mode = mode
    }
}

package enum DocumentSnapshot: Hashable, Sendable {
    case nothing
    case found(FoundDocument)
    case ambiguous
}

package struct FoundDocument: Hashable, Sendable {
    /// Nil for a file that an app has open.
    package var path: DocumentPath?
    package var kind: DocumentKind
    /// For a package, of its folder, with its members' total size.
    package var version: FileVersion
    package var hash: FileDigest?
    package var hold: DocumentHold?

    package init(
        path: DocumentPath?, kind: DocumentKind, version: FileVersion, hash: FileDigest?, hold: DocumentHold? = nil
    ) {
        self.path = path
        self.kind = kind
        self.version = version
        self.hash = hash
        self.hold = hold
    }
}

package struct DocumentStorage: Hashable, Sendable {
    package var name: String
    /// NFS, SMB, sshfs, 9p.
    package var isShared: Bool
    /// The reason. Nil: writable.
    package var readOnly: String?

    package init(name: String, isShared: Bool = false, readOnly: String? = nil) {
        self.name = name
        self.isShared = isShared
        self.readOnly = readOnly
    }
}

/// Used by one job at a time.
package protocol DocumentSource: AnyObject, Sendable {
    var head: DocumentHead { get }
    /// For a file; reads it once.
    func chunks() throws(Failure) -> ChunkList
    /// For a package; hashes members that are not cached.
    func manifest() throws(Failure) -> PackageManifest
    /// `next` returns these items of the last list; nil: the whole file.
    func select(_ wish: DocumentWish?) throws(Failure)
    /// At most `limit` bytes; empty at the end.
    func next(_ limit: Int) throws(Failure) -> [UInt8]
    /// SHA-256 of the document, or of a package's manifest. Call after `next` has ended.
    func hash() throws(Failure) -> FileDigest
    /// Since it was opened.
    func isUnchanged() -> Bool
}

package enum ArrivingContent: Hashable, Sendable {
    case whole(size: UInt64)
    case chunks(ChunkList)
    case members(PackageManifest)
}

/// Used by one job at a time. Ends when placed, discarded or reused; if released before, the adapter removes it on its
/// own thread.
package protocol DocumentArrival: AnyObject, Sendable {
    /// Missing items of the list; nil: the whole file is sent.
    var wish: DocumentWish? { get }
    var expected: UInt64 { get }
    /// Throws `.malformed` if a chunk or a member differs from the list, or for too many bytes.
    func append(_ bytes: [UInt8]) throws(Failure)
    /// From the bytes here. Throws `.malformed` if bytes are missing.
    func hash() throws(Failure) -> FileDigest
    /// To the disk, still unnamed. `place` sets the permission bits that `mode` grants.
    func sync(modified: FileTime, mode: SentMode) throws(Failure)
    /// Once. No other name remains, even after a failure.
    func place(_ order: PlacementOrder) throws(Failure) -> PlacementOutcome
    /// Keeps the received bytes for a later try.
    func suspend() throws(Failure)
    func discard()
}

package struct PlacementOrder: Hashable, Sendable {
    package var place: DocumentLocation
    /// Must be there; nil: the name must be free.
    package var replaces: FileVersion?
    /// Also keeps the previous file next to it, under this name.
    package var conflictCopy: DocumentPath?
    /// The other Unicode form of the name is a different document.
    package var isExact = false
    /// In the same folder; this document becomes a version of it.
    package var versionOf: DocumentPath?
    package var version: VersionID
    package var now: WallTime
    package var deviceName: DisplayText

    package init(
        place: DocumentLocation, replaces: FileVersion? = nil, conflictCopy: DocumentPath? = nil, version: VersionID,
        now: WallTime, deviceName: DisplayText
    ) {
        self.place = place
        self.replaces = replaces
        self.conflictCopy = conflictCopy
        self.version = version
        self.now = now
        self.deviceName = deviceName
    }
}

package enum PlacementOutcome: Hashable, Sendable {
    case placed(AbsolutePath, FoundDocument)
    /// Or the conflict copy's name is taken. Decide again; the arrival remains.
    case changedMeanwhile
}

extension Failure {
    package static func missingFolder(_ path: AbsolutePath) -> Failure {
        Failure(.documentGone, "the folder \(path) does not exist: is its disk mounted?")
    }
}

package struct FolderFacts: Hashable, Sendable {
    package var isFolder: Bool
    package var isOwn: Bool
    /// Links resolved; nil if it does not exist.
    package var realPath: AbsolutePath?
    package var home: AbsolutePath?

    package init(isFolder: Bool, isOwn: Bool, realPath: AbsolutePath?, home: AbsolutePath?) {
        self.isFolder = isFolder
        self.isOwn = isOwn
        self.realPath = realPath
        self.home = home
    }
}
