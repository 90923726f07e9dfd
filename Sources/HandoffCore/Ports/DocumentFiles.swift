// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Documents on this device's disk. In-memory implementation: `MemoryDocumentFiles` in `HandoffTesting`.
///
/// Every call may block on a disk or a hung network, so calls are made in jobs of `Work`, never on the loop. Two calls
/// may run concurrently. `DocumentDecision` and `DocumentReceptionStateMachine` decide how to handle a document.
///
/// Errors:
///
/// - `.documentGone`: the document is missing or unreadable.
/// - `.documentNotPlaced`: there is no space, or the place is not writable.
/// - `.notAllowed`: the path leads out of its folder, or the file is a socket, a device or a FIFO.
/// - `.limitReached`: a limit of `DocumentLimits` is exceeded.
///
/// Each reason names the file and the cause.
package protocol DocumentFiles: AnyObject, Sendable {
    /// The document there now, with the hash of its content, which is cached by the file's version. A file of more than
    /// `hashing` bytes has no hash. Names are compared as `DocumentName` defines; the returned path is the one on disk.
    /// `asPackage`: a folder there is a document.
    func look(at place: DocumentLocation, asPackage: Bool, hashing: UInt64) throws(Failure) -> DocumentSnapshot

    /// Why the document there may not be replaced. Nil if nothing prevents it, or nothing is there. Examines other
    /// processes, so it is not part of `look`.
    func hold(at place: DocumentLocation, asPackage: Bool) -> DocumentHold?

    /// The present path of that file in a container, found by its inode, else by size and hash. Nil if it is not among
    /// the first `DocumentLimits.searchedEntries`, or not found within `DocumentLimits.search`.
    func find(_ file: FileNumber, size: UInt64, hash: FileDigest?, in folder: AbsolutePath) throws(Failure)
        -> DocumentPath?

    /// Opens a document to send it. If the file changes afterwards, `DocumentSource.isUnchanged` is false.
    func open(_ place: DocumentLocation, asPackage: Bool) throws(Failure) -> any DocumentSource

    /// Prepares for a list of chunks of a file of that size, by computing the data of `basis` that `begin` will need.
    func prepare(_ basis: [DocumentLocation], for size: UInt64)

    /// Reserves space for a document for `place`. `basis`: local files whose parts can be reused. `left`: the partial
    /// arrival of an interrupted transfer; it is consumed if this returns, and unchanged if this throws. No file is
    /// visible under any name before `place`.
    ///
    /// The space covers everything that will be written, regardless of how much is sent. Throws if there is not enough.
    func begin(
        _ content: ArrivingContent, for place: DocumentLocation, basis: [DocumentLocation],
        left: (any DocumentArrival)?
    ) throws(Failure) -> any DocumentArrival

    /// The names in the folder of that place, as on the disk: the first `DocumentLimits.searchedEntries`, or none if
    /// the folder does not exist.
    func names(beside place: DocumentLocation) throws(Failure) -> [[UInt8]]

    func longestName(beside place: DocumentLocation) throws(Failure) -> Int

    /// The kind of storage that a folder is on, according to the system. Creates the folder if it is missing.
    func storage(of folder: AbsolutePath) throws(Failure) -> DocumentStorage

    func facts(of folder: AbsolutePath) -> FolderFacts

    // MARK: Kept versions

    /// Newest first.
    func versions() throws(Failure) -> [KeptVersion]
    /// Restores a version to its place. The present file is kept as a version, which is returned; nil if there was
    /// none.
    func restore(_ version: VersionID, at now: WallTime) throws(Failure) -> KeptVersion?
    /// Removes versions older than `DocumentLimits.keepVersions`, the oldest ones beyond `DocumentLimits.versionBytes`,
    /// and copies in `received` older than `DocumentLimits.keepReceived`. A failure does not affect the rest. Returns
    /// the failures.
    func removeExpired(at now: WallTime) -> [Failure]
}

package enum DocumentLocation: Hashable, Sendable {
    /// Relative to the folder, and never outside it, neither by `..` nor by a link.
    case container(folder: AbsolutePath, DocumentPath)
    /// A copy of a document outside all containers, in a separate folder for each continuation.
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

/// A file's attributes at one moment; equal values mean that the file was not written.
package struct FileVersion: Hashable, Sendable {
    package var file: FileNumber
    /// In bytes.
    package var size: UInt64
    package var modified: FileTime
    /// The time of the last change of any kind, which no program can set.
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
    /// Several names match, none exactly.
    case ambiguous
}

package struct FoundDocument: Hashable, Sendable {
    /// As on disk; nil for a file that an app has open.
    package var path: DocumentPath?
    package var kind: DocumentKind
    /// For a package: of its folder, with the total size of its members.
    package var version: FileVersion
    /// Nil: the file is too large to be hashed.
    package var hash: FileDigest?
    /// Why it may not be replaced; nil if nothing prevents it.
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
    /// Other machines can write to it: NFS, SMB, sshfs, 9p.
    package var isShared: Bool
    /// If it is not writable, the reason.
    package var readOnly: String?

    package init(name: String, isShared: Bool = false, readOnly: String? = nil) {
        self.name = name
        self.isShared = isShared
        self.readOnly = readOnly
    }
}

/// A document that is being sent. Used by one job at a time.
package protocol DocumentSource: AnyObject, Sendable {
    var head: DocumentHead { get }
    /// For a file. Reads the whole file once.
    func chunks() throws(Failure) -> ChunkList
    /// For a package. Hashes the members that are not cached.
    func manifest() throws(Failure) -> PackageManifest
    /// Selects the items of the last list that `next` returns; nil: the whole file.
    func select(_ wish: DocumentWish?) throws(Failure)
    /// The next bytes, at most `limit`; empty at the end.
    func next(_ limit: Int) throws(Failure) -> [UInt8]
    /// SHA-256 of the whole document, once `next` has ended; for a package, of its manifest.
    func hash() throws(Failure) -> FileDigest
    /// The document has not been written since it was opened.
    func isUnchanged() -> Bool
}

package enum ArrivingContent: Hashable, Sendable {
    case whole(size: UInt64)
    case chunks(ChunkList)
    case members(PackageManifest)
}

/// An arriving document without a name. Used by one job at a time. A job that places, discards or reuses it ends it. If
/// the last reference is released before that, the adapter removes it on its own thread.
package protocol DocumentArrival: AnyObject, Sendable {
    /// The items of the list that are missing here; nil if the whole file is sent.
    var wish: DocumentWish? { get }
    var expected: UInt64 { get }
    /// Appends bytes of the requested items, in the order of the list. Throws `.malformed` if a chunk or a member
    /// differs from the list, or if too many bytes arrive.
    func append(_ bytes: [UInt8]) throws(Failure)
    /// The hash of the complete document, computed from the bytes here. Throws `.malformed` if bytes are missing.
    func hash() throws(Failure) -> FileDigest
    /// Writes the document to the disk with that time, still unnamed. `place` sets the permission bits that `mode`
    /// grants.
    func sync(modified: FileTime, mode: SentMode) throws(Failure)
    /// Places the document, once. Afterwards, or after a failure, no other name of it remains.
    func place(_ order: PlacingOrder) throws(Failure) -> PlacingOutcome
    /// The connection was cut: keeps the received bytes for a later try, and releases other space.
    func suspend() throws(Failure)
    func discard()
}

package struct PlacingOrder: Hashable, Sendable {
    package var place: DocumentLocation
    /// The file that must be there right before; nil if the name must be free.
    package var replaces: FileVersion?
    /// The previous file is also kept next to the new one, under this name.
    package var conflictCopy: DocumentPath?
    /// A file whose name has another Unicode form is a different document.
    package var isExact = false
    /// The document that keeps its name, in the same folder. A document placed next to it is listed among its versions.
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

package enum PlacingOutcome: Hashable, Sendable {
    case placed(AbsolutePath, FoundDocument)
    /// The file there is not the one to replace, or the name of the conflict copy is taken, so the decision must be
    /// repeated. The arrival is still available.
    case changedMeanwhile
}
