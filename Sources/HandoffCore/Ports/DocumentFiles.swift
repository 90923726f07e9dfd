// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Documents on this device's disk. In-memory twin: `MemoryDocumentFiles` in `HandoffTesting`.
///
/// Everything here may take as long as a disk or a hung network takes, so it is called in jobs of `Work`, never on the
/// loop; two calls may run at the same time. What is done about a document is decided elsewhere: by `DocumentDecision`
/// and `DocumentReceptionStateMachine`.
///
/// Errors: `.documentGone` where what is asked for is not there or cannot be read; `.documentNotPlaced` where there is no
/// room, or nothing may be written; `.notAllowed` for a path that leads out of its folder, and for what is no document: a
/// socket, a device, a FIFO; `.limitReached` beyond `DocumentLimits`. Each reason names the file and the cause.
package protocol DocumentFiles: AnyObject, Sendable {
    /// What lies there now, with the hash of its content: cached by the file's version, and read where it is not. A file of
    /// more than `hashing` bytes has none. Names are compared as `DocumentName` says: the path that is found is the one on
    /// disk. `asPackage`: a folder there is a document.
    func look(at place: DocumentLocation, asPackage: Bool, hashing: UInt64) throws(Failure) -> DocumentSight

    /// Where that file is now, of a container: by its inode, else by size and hash. Nil where it is not among the first
    /// `DocumentLimits.searchedEntries`, or not found within `DocumentLimits.search`.
    func find(_ file: FileNumber, size: UInt64, hash: FileDigest?, in folder: AbsolutePath) throws(Failure)
        -> DocumentPath?

    /// To be sent. What `open` saw is what is read, or `DocumentSource.isUnchanged` is false.
    func open(_ place: DocumentLocation, asPackage: Bool) throws(Failure) -> any DocumentSource

    /// A list of chunks is to come for a file of that size, made of these: finds out what `begin` will need of them.
    func prepare(_ basis: [DocumentLocation], for size: UInt64)

    /// Room for a document that is on its way to `place`. `basis`: what is here already, of which parts may be used again;
    /// with `left`, also what came of it before the last try was cut: that is used up when this returns, and left as it is
    /// where this throws. Nothing is seen under any name before `place`.
    ///
    /// Room is asked for all that will be written, however much of it is sent: throws where there is not as much.
    func begin(
        _ content: ArrivingContent, for place: DocumentLocation, basis: [DocumentLocation],
        left: (any DocumentArrival)?
    ) throws(Failure) -> any DocumentArrival

    /// The names in the folder in which that lies, as they are on the disk: the first `DocumentLimits.searchedEntries`, none
    /// where there is no such folder.
    func names(beside place: DocumentLocation) throws(Failure) -> [[UInt8]]

    /// How many bytes a name in that folder may have.
    func longestName(beside place: DocumentLocation) throws(Failure) -> Int

    /// What kind of storage a folder is on, by the system's word; made first where it is missing.
    func storage(of folder: AbsolutePath) throws(Failure) -> DocumentStorage

    /// What a folder is, for whoever wants to use it.
    func facts(of folder: AbsolutePath) -> FolderFacts

    // MARK: What was replaced

    /// Newest first.
    func versions() throws(Failure) -> [KeptVersion]
    /// Puts it back where it lay; what is there now is kept in its place. Returns that one, nil where nothing was there.
    func restore(_ version: VersionID, at now: WallTime) throws(Failure) -> KeptVersion?
    /// Those that are older than `DocumentLimits.keepVersions`, the oldest beyond `DocumentLimits.versionBytes`, and copies
    /// in `received` that are older than `DocumentLimits.keepReceived`. One that cannot be removed does not keep the others.
    /// Returns why each of them is left.
    func removeExpired(at now: WallTime) -> [Failure]
}

/// Where a document lies.
package enum DocumentLocation: Hashable, Sendable {
    /// Reached from the folder and never out of it: not by `..`, nor by a link.
    case container(folder: AbsolutePath, DocumentPath)
    /// Among the copies of what lay in no container: a folder of its own for each continuation.
    case received(ContinuationID, name: DocumentPath)
    /// As an app of this device has it open.
    case open(FileToken)
}

/// A file on its file system.
package struct FileNumber: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

/// A file at one moment: while it is the same, nothing was written.
package struct FileVersion: Hashable, Sendable {
    package var file: FileNumber
    /// Bytes.
    package var size: UInt64
    package var modified: FileTime
    /// Of its last change of any kind, which nobody can set.
    package var changed: FileTime
    /// Permission bits.
    package var mode: UInt16

    package init(file: FileNumber, size: UInt64, modified: FileTime, changed: FileTime, mode: UInt16) {
        self.file = file
        self.size = size
        self.modified = modified
        self.changed = changed
        self.mode = mode
    }
}

package enum DocumentSight: Hashable, Sendable {
    case nothing
    case found(FoundDocument)
    /// Several names here could be meant, none of them exactly.
    case ambiguous
}

package struct FoundDocument: Hashable, Sendable {
    /// As it is on disk; nil for one that an app has open.
    package var path: DocumentPath?
    package var kind: DocumentKind
    /// Of a package: of its folder, with the size of all members.
    package var version: FileVersion
    /// Nil: too large to be hashed for a look.
    package var hash: FileDigest?
    /// A program that is not an app of ours and has it open, for people: "LibreOffice". It would write over a new version.
    package var editor: String?

    package init(
        path: DocumentPath?, kind: DocumentKind, version: FileVersion, hash: FileDigest?, editor: String? = nil
    ) {
        self.path = path
        self.kind = kind
        self.version = version
        self.hash = hash
        self.editor = editor
    }
}

/// What a folder is on.
package struct DocumentStorage: Hashable, Sendable {
    /// "ext4".
    package var name: String
    /// Other machines have it too: NFS, SMB, sshfs, 9p.
    package var isShared: Bool
    /// Nothing can be written there: why.
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
    /// Of a file. Reads all of it once.
    func chunks() throws(Failure) -> ChunkList
    /// Of a package. Hashes what is not cached.
    func manifest() throws(Failure) -> PackageManifest
    /// What `next` gives from now on; nil: all of a file. Items of the list that was made last.
    func select(_ wish: DocumentWish?) throws(Failure)
    /// The next bytes, at most so many; none at the end.
    func next(_ limit: Int) throws(Failure) -> [UInt8]
    /// SHA-256 of the whole document, once `next` has ended: of a package that of its manifest.
    func hash() throws(Failure) -> FileDigest
    /// Nothing was written to it since it was opened.
    func isUnchanged() -> Bool
}

/// What is to come.
package enum ArrivingContent: Hashable, Sendable {
    /// So many bytes of a file.
    case whole(size: UInt64)
    case chunks(ChunkList)
    case members(PackageManifest)
}

/// A document on its way here, without a name. Used by one job at a time. A job that places, discards or reuses it
/// ends it. If the last reference goes without that, the adapter removes it on a thread of its own.
package protocol DocumentArrival: AnyObject, Sendable {
    /// What of the list is not here; nil where all of a file is to come.
    var wish: DocumentWish? { get }
    /// Bytes that are to come.
    var expected: UInt64 { get }
    /// In the order of the list, of what was wished. Throws `.malformed` where a chunk or a member is not what the list
    /// says, or more comes than was wished.
    func append(_ bytes: [UInt8]) throws(Failure)
    /// All is there. Of the whole document, made from the bytes that are here. Throws `.malformed` where some are missing.
    func hash() throws(Failure) -> FileDigest
    /// On the disk, with that time; not yet under a name. `place` gives it the permission bits that `mode` grants.
    func sync(modified: FileTime, mode: SentMode) throws(Failure)
    /// Takes its place by `order`, once; after it or a failure nothing is left under any other name.
    func place(_ order: PlacingOrder) throws(Failure) -> PlacingOutcome
    /// The link was cut: keeps the bytes that were sent, for a later try, and no other room.
    func suspend() throws(Failure)
    func discard()
}

/// How a document takes its place.
package struct PlacingOrder: Hashable, Sendable {
    package var place: DocumentLocation
    /// What has to lie there right before; nil: nothing may.
    package var replaces: FileVersion?
    /// What lies there is kept beside it under this name, too.
    package var conflictCopy: DocumentPath?
    /// A file with another Unicode form of the name is a different document.
    package var isExact = false
    /// The document that keeps its name, in the same folder: what is placed beside it is listed among its versions.
    package var versionOf: DocumentPath?
    /// As what it is kept among the versions.
    package var version: VersionID
    package var now: WallTime
    /// For the list of versions.
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
    /// There it lies, as this.
    case placed(AbsolutePath, FoundDocument)
    /// What lies there is not what was to be replaced, or something has the name of the conflict copy: decide again. The
    /// document is still on its way.
    case changedMeanwhile
}
