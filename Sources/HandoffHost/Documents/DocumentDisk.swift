// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// What everything that touches documents on the disk has in common. Used from several threads.
final class DocumentDisk: Sendable {
    let limits: DocumentLimits
    let abilities: DiskAbilities
    let cache = HashCache()
    let prepared = PreparedBasis()
    let staging: Staging
    let versions: VersionStore
    /// In which copies of what lay in no container lie, each in a folder named after its continuation.
    let received: AbsolutePath
    let openFile: @Sendable (FileToken) throws(Failure) -> OpenFile
    let now: @Sendable () -> WallTime
    /// Runs a closure, however long it takes, and does not wait for it.
    let aside: @Sendable (@escaping @Sendable () -> Void) -> Void

    init(
        state: String, received: AbsolutePath, limits: DocumentLimits, abilities: DiskAbilities,
        now: @escaping @Sendable () -> WallTime,
        openFile: @escaping @Sendable (FileToken) throws(Failure) -> OpenFile,
        aside: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.limits = limits
        self.abilities = abilities
        self.received = received
        self.openFile = openFile
        self.now = now
        self.aside = aside
        versions = VersionStore(path: state + "/versions", disk: abilities, limits: limits)
        staging = Staging(
            path: state + "/arriving", given: GivenNames(path: state + "/hidden"), versions: versions, disk: abilities,
            now: now)
    }

    /// To hash a smaller one again takes less time than to wait for a tick of `FileClock`, bytes.
    private static let worthWaiting: UInt64 = 4 << 20

    func root(_ path: AbsolutePath) throws(Failure) -> DocumentRoot {
        try DocumentRoot(path, disk: abilities, limits: limits)
    }

    // MARK: Places

    /// Where a document lies or will, but for one that an app has open.
    struct Place {
        let folder: AbsolutePath
        let path: DocumentPath
        let isReceived: Bool

        /// In the location that it was made of.
        func local(_ path: DocumentPath) -> DocumentPath {
            guard isReceived, let slash = path.bytes.firstIndex(of: UInt8(ascii: "/")),
                let name = try? DocumentPath(bytes: path.bytes[(slash + 1)...])
            else { return path }
            return name
        }
    }

    /// Nil for one that an app has open.
    func place(_ location: DocumentLocation) throws(Failure) -> Place? {
        switch location {
        case .container(let folder, let path): return Place(folder: folder, path: path, isReceived: false)
        case .received(let continuation, let name):
            do throws(WireError) {
                let path = try DocumentPath(continuation.hex).appending(name)
                return Place(folder: received, path: path, isReceived: true)
            } catch {
                throw Failure(.notAllowed, error.reason)
            }
        case .open: return nil
        }
    }

    /// None where there is no such folder.
    func names(beside location: DocumentLocation) throws(Failure) -> [[UInt8]] {
        guard let place = try place(location) else { return [] }
        do throws(Failure) {
            let root = try root(place.folder)
            guard let reached = try root.reach(place.path), reached.missing < 2 else { return [] }
            let folder = try root.openParent(of: reached)
            let names = try reading { () throws(SystemError) in try folder.names(atMost: limits.searchedEntries) }
            return names.filter { !$0.starts(with: DocumentPath.reservedPrefix) }
        } catch let failure where failure.code == .documentGone {
            return []
        }
    }

    /// As many as usual if there is no such folder.
    func longestName(beside location: DocumentLocation) throws(Failure) -> Int {
        guard let place = try place(location) else { return Limits.pathPartBytes }
        do throws(Failure) {
            let root = try root(place.folder)
            guard let reached = try root.reach(place.path) else { return Limits.pathPartBytes }
            return abilities.longestName(in: try root.openParent(of: reached))
        } catch let failure where failure.code == .documentGone {
            return Limits.pathPartBytes
        }
    }

    /// Of what is to be written.
    func writable(_ location: DocumentLocation) throws(Failure) -> Place {
        guard let place = try place(location) else {
            throw Failure(.notAllowed, "a file that an app has open is not written to")
        }
        if place.isReceived { _ = try placing { () throws(SystemError) in try PrivateFolder.make(place.folder.text) } }
        return place
    }

    /// The folder for something on its way there: its own, or the one furthest down that is there.
    func folder(for place: Place) throws(Failure) -> OpenFile {
        let folder = try self.writing { () throws(Failure) in
            let root = try root(place.folder)
            guard let reached = try root.reach(place.path) else { throw Self.ambiguous(place) }
            return try root.openParent(of: reached)
        }
        staging.removeLeftovers(in: folder)
        return folder
    }

    /// A folder that is gone means here that nothing can be written.
    private func writing<Result: ~Copyable>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        do throws(Failure) { return try body() } catch let failure where failure.code == .documentGone {
            throw Failure(.documentNotPlaced, failure.reason)
        }
    }

    private static func ambiguous(_ place: Place) -> Failure {
        Failure(.documentNotPlaced, "\(place.path) in \(place.folder) matches several files")
    }

    // MARK: Taking a place

    /// `unplaced` is on the disk; once it is placed, all of it is there.
    func put(_ unplaced: inout UnplacedDocument, _ hash: FileDigest, by order: PlacementOrder) throws(Failure)
        -> PlacementOutcome
    {
        guard unplaced.isSynced else { throw Failure(.internal, "a document is synced before it is placed") }
        let place = try writable(order.place)
        let root = try writing { () throws(Failure) in try self.root(place.folder) }
        guard let reached = try writing({ () throws(Failure) in try root.reach(place.path, exactly: order.isExact) })
        else { throw Self.ambiguous(place) }
        guard order.replaces != nil || reached.missing > 0 else { return .changedMeanwhile }
        var folders = NewFolders(mode: place.isReceived ? 0o700 : 0o755)
        let folder = try folders.make(for: reached, in: root)
        // It may have been opened while the document was on its way. Decided again, it is placed beside.
        if order.replaces != nil, hold(on: Array(reached.path.name), in: folder) != nil { return .changedMeanwhile }
        try setAttributes(of: unplaced, replacing: order.replaces == nil ? nil : Array(reached.path.name), in: folder)
        let before = unplaced.isFolder ? nil : try? unplaced.item.version()
        var placement = Placement(
            of: order, in: folder, of: place.folder, at: reached.path, staging: staging, versions: versions)
        switch try placement.run(&unplaced) {
        case .placed:
            folders.stay()
            unplaced.setKeptMode()
            keepAsVersion(reached.path, in: placement.folder, of: place.folder, by: order)
        case .changedMeanwhile:
            folders.remove(in: root)
            return .changedMeanwhile
        case .failed(let failure):
            folders.remove(in: root)
            throw failure
        }
        if let before { know(hash, of: unplaced.item, as: before) }
        return try outcome(placement, unplaced, hash, at: reached.path, of: place)
    }

    /// The program that has the document open may write over any file that it finds, so this is a copy. The file
    /// itself is in its place, with or without it.
    private func keepAsVersion(
        _ path: DocumentPath, in folder: borrowing OpenFile, of root: AbsolutePath, by order: PlacementOrder
    ) {
        guard let original = order.versionOf, let there = try? Placement.version(of: Array(path.name), in: folder),
            let status = try? folder.status(of: Array(path.name))
        else { return }
        let document = KeptDocument(
            folder: root, path: original, size: there.size, modified: there.modified, kept: order.now,
            deviceName: order.deviceName, isPackage: status.kind == S_IFDIR, mode: there.mode)
        _ = try? versions.keep(order.version, Array(path.name), in: folder, sharing: false, as: document)
    }

    /// What was just placed is looked at again soon. `before`: as it was when nobody else could write to it.
    private func know(_ hash: FileDigest, of file: borrowing OpenFile, as before: FileVersion) {
        guard before.size >= Self.worthWaiting, let version = try? file.version(),
            version.isSame(butForItsChange: before), FileClock.waits(past: version.changed),
            (try? file.version()) == version
        else { return }
        cache.add(hash, for: version)
    }

    private func outcome(
        _ placement: borrowing Placement, _ unplaced: borrowing UnplacedDocument, _ hash: FileDigest,
        at path: DocumentPath,
        of place: Place
    ) throws(Failure) -> PlacementOutcome {
        let version = try placing { () throws(SystemError) in try unplaced.item.version() }
        let found = FoundDocument(
            path: place.local(path), kind: unplaced.isFolder ? .package : .file,
            // Of a package, as far as nobody is at work in it already.
            version: unplaced.isFolder ? (try? PackageTree(of: unplaced.item).version) ?? version : version, hash: hash)
        do throws(WireError) { return .placed(try place.folder.appending(path), found) } catch {
            throw Failure(.limitReached, error.reason)
        }
    }
}

/// Folders that a document needs and that were not there.
private struct NewFolders {
    let mode: mode_t
    /// The first made first.
    private var made: [DocumentPath] = []

    init(mode: mode_t) { self.mode = mode }

    /// The one that the document will lie in.
    mutating func make(
        for reached: DocumentRoot.Reached, in root: borrowing DocumentRoot
    ) throws(Failure) -> OpenFile {
        var missing: [DocumentPath] = []
        var path = reached.path.parent
        for _ in 0..<max(reached.missing - 1, 0) {
            guard let folder = path else { break }
            missing.insert(folder, at: 0)
            path = folder.parent
        }
        do throws(Failure) {
            for path in missing {
                let parent = try root.openFolder(path.parent)
                try placing { () throws(SystemError) in
                    let name = Array(path.name)
                    guard mkdirat(parent.descriptor, name.cString, mode) == 0 else {
                        if errno == EEXIST { return }
                        throw SystemError(errno, parent.path(of: name))
                    }
                    try parent.sync()
                }
                made.append(path)
            }
            return try root.openFolder(reached.path.parent)
        } catch {
            remove(in: root)
            throw error
        }
    }

    mutating func stay() { made = [] }

    /// Those that nobody uses by now.
    mutating func remove(in root: borrowing DocumentRoot) {
        for path in made.reversed() {
            guard let parent = try? root.openFolder(path.parent) else { continue }
            unlinkat(parent.descriptor, Array(path.name).cString, AT_REMOVEDIR)
        }
        made = []
    }
}
