// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// Used from several threads.
final class DocumentDisk: Sendable {
    let limits: DocumentLimits
    let abilities: DiskAbilities
    let cache = HashCache()
    let prepared = PreparedBasis()
    let staging: Staging
    let versions: VersionStore
    /// Each copy is in a folder named after its continuation.
    let received: AbsolutePath
    let openFile: @Sendable (FileToken) throws(Failure) -> OpenFile
    let now: @Sendable () -> WallTime
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

    /// Bytes. Hashing a smaller file again is faster than waiting for a tick of `FileClock`.
    private static let worthWaiting: UInt64 = 4 << 20

    func root(_ path: AbsolutePath) throws(Failure) -> DocumentRoot {
        try DocumentRoot(path, disk: abilities, limits: limits)
    }

    // MARK: Places

    struct Place {
        let folder: AbsolutePath
        let path: DocumentPath
        let isReceived: Bool

        func local(_ path: DocumentPath) -> DocumentPath {
            guard isReceived, let slash = path.bytes.firstIndex(of: UInt8(ascii: "/")),
                let name = try? DocumentPath(bytes: path.bytes[(slash + 1)...])
            else { return path }
            return name
        }
    }

    /// Nil for an app's open file.
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

    /// Throws `.notAllowed` for an app's open file.
    func writable(_ location: DocumentLocation) throws(Failure) -> Place {
        guard let place = try place(location) else {
            throw Failure(.notAllowed, "a file that an app has open is not written to")
        }
        if place.isReceived { _ = try placing { () throws(SystemError) in try PrivateFolder.make(place.folder.text) } }
        return place
    }

    /// The document's folder, or the deepest existing one above it.
    func folder(for place: Place) throws(Failure) -> OpenFile {
        let folder = try self.writing { () throws(Failure) in
            let root = try root(place.folder)
            guard let reached = try root.reach(place.path) else { throw Self.ambiguous(place) }
            return try root.openParent(of: reached)
        }
        staging.removeLeftovers(in: folder)
        return folder
    }

    /// Here, a missing folder means that nothing can be written.
    private func writing<Result: ~Copyable>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        do throws(Failure) { return try body() } catch let failure where failure.code == .documentGone {
            throw Failure(.documentNotPlaced, failure.reason)
        }
    }

    private static func ambiguous(_ place: Place) -> Failure {
        Failure(.documentNotPlaced, "\(place.path) in \(place.folder) matches several files")
    }

    // MARK: Taking a place

    /// `unplaced` is synced; when this returns, its new name is too.
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
        // It may have been opened in the meantime. The next decision places the document beside it.
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

    /// Copies, because a program that has the document open may overwrite files it finds. Failures are ignored.
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

    /// `before`: the version while no other program could write to it.
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
            // The folder's version, if another program is already changing the package.
            version: unplaced.isFolder ? (try? PackageTree(of: unplaced.item).version) ?? version : version, hash: hash)
        do throws(WireError) { return .placed(try place.folder.appending(path), found) } catch {
            throw Failure(.limitReached, error.reason)
        }
    }
}

private struct NewFolders {
    let mode: mode_t
    /// Outermost first.
    private var made: [DocumentPath] = []

    init(mode: mode_t) { self.mode = mode }

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

    /// Leaves folders that are in use by now.
    mutating func remove(in root: borrowing DocumentRoot) {
        for path in made.reversed() {
            guard let parent = try? root.openFolder(path.parent) else { continue }
            unlinkat(parent.descriptor, Array(path.name).cString, AT_REMOVEDIR)
        }
        made = []
    }
}
