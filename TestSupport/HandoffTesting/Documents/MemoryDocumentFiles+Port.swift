// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffTrust
package import HandoffWire

extension MemoryDocumentFiles {
    package func look(at place: DocumentLocation, asPackage: Bool, hashing: UInt64) throws(Failure) -> DocumentSnapshot
    {
        try count(.look)
        return try change { state throws(Failure) in
            try state.look(at: place, asPackage: asPackage, hashing: min(hashing, state.mostHashed))
        }
    }

    package func hold(at place: DocumentLocation, asPackage: Bool) -> DocumentHold? {
        try? change { state throws(Failure) -> DocumentHold? in
            guard case .found(let path)? = try state.lookUp(place) else { return nil }
            return state.holds[path]
        }
    }

    package func find(
        _ file: FileNumber, size: UInt64, hash: FileDigest?, in folder: AbsolutePath
    ) throws(Failure) -> DocumentPath? {
        try count(.find)
        return try change { [limits] state throws(Failure) in
            let disk = state.disk
            let paths = disk.nodes.keys.compactMap { $0.path(in: folder) }
                .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.prefix(limits.searchedEntries)
            if file.device == MemoryDisk.device {
                for path in paths where disk[try folder.appendingInMemory(path)]?.inode == file.inode { return path }
            }
            for path in paths where hash != nil {
                let place = try folder.appendingInMemory(path)
                guard case .file(let bytes)? = disk[place]?.content, bytes.count == size else { continue }
                if FileDigest(of: bytes) == hash { return path }
            }
            return nil
        }
    }

    package func names(beside place: DocumentLocation) throws(Failure) -> [[UInt8]] {
        try count(.names)
        return try change { [limits] state throws(Failure) in
            guard let place = try state.place(of: place), let parent = place.parentInMemory else { return [] }
            return Array(state.disk.names(in: parent).prefix(limits.searchedEntries))
        }
    }

    package func longestName(beside place: DocumentLocation) -> Int { Limits.pathPartBytes }

    package func storage(of folder: AbsolutePath, creating: Bool) throws(Failure) -> DocumentStorage {
        try count(.storage)
        return try change { state throws(Failure) in
            guard creating || state.disk[folder] != nil else { throw .missingFolder(folder) }
            if state.disk[folder] == nil { state.disk.put(.folder, at: folder, mode: 0o755) }
            return state.storages[folder] ?? DocumentStorage(name: "memory")
        }
    }

    package func facts(of folder: AbsolutePath) -> FolderFacts {
        let content = try? change { state throws(Failure) in state.disk[folder]?.content }
        return FolderFacts(
            isFolder: content == .folder, isOwn: true, realPath: content.map { _ in folder },
            home: try? AbsolutePath("/home/user"))
    }

    package func open(_ place: DocumentLocation, asPackage: Bool) throws(Failure) -> any DocumentSource {
        try count(.open)
        return try change { [limits] state throws(Failure) in
            guard case .found(let path)? = try state.lookUp(place),
                let (kind, version) = try state.disk.document(at: path, asPackage: asPackage), kind != .folder
            else { throw Failure(.documentGone, "the document no longer exists") }
            let isHashed = version.size <= min(limits.hashedBefore, state.mostHashed)
            let hash = isHashed ? try state.disk.hash(of: path, as: kind) : nil
            let head = DocumentHead(
                size: version.size, modified: version.modified, mode: SentMode(version.mode), hash: hash)
            return MemoryDocumentSource(
                head: head, at: path, kind: kind, version: version, tree: state.disk.tree(at: path),
                members: kind == .package ? try state.disk.manifest(of: path) : nil, files: self)
        }
    }

    package func prepare(_ basis: [DocumentLocation], for size: UInt64) {}

    package func begin(
        _ content: ArrivingContent, for place: DocumentLocation, basis: [DocumentLocation],
        left: (any DocumentArrival)?
    ) throws(Failure) -> any DocumentArrival {
        try count(.begin)
        let pieces = try change { state throws(Failure) in
            try state.checkWritable(place)
            state.arrivals += 1
            var pieces = MemoryPieces()
            for place in basis {
                guard case .found(let path)? = try state.lookUp(place) else { continue }
                for case .file(let bytes) in state.disk.tree(at: path).map(\.node.content) { pieces.add(bytes) }
            }
            return pieces
        }
        let arrival = MemoryDocumentArrival(
            content, pieces: pieces.joined(with: (left as? MemoryDocumentArrival)?.pieces), files: self)
        left?.discard()
        return arrival
    }

    // MARK: Kept versions

    package func versions() throws(Failure) -> [KeptVersion] {
        try count(.versions)
        return try change { state throws(Failure) in state.versions.reversed() }
    }

    package func restore(_ version: VersionID, at now: WallTime) throws(Failure) -> KeptVersion? {
        try count(.restore)
        return try change { [limits] state throws(Failure) in
            guard let index = state.versions.firstIndex(where: { $0.id == version }) else {
                throw Failure(.documentGone, "that version no longer exists")
            }
            let kept = state.versions.remove(at: index)
            let tree = state.disk.tree(at: kept.file)
            state.disk.remove(kept.file)
            let id = VersionID(uncheckedBytes: version.bytes.dropLast() + [version.bytes[15] &+ 1])
            let replaced = try state.keep(kept.path, as: id, at: now, for: kept.deviceName, limits: limits)
            try state.disk.put(tree, at: kept.path)
            return replaced
        }
    }

    package func removeExpired(at now: WallTime) -> [Failure] {
        do throws(Failure) {
            try count(.removeExpired)
            try change { [limits] state throws(Failure) in
                state.remove(state.versions.expired(at: now, limits: limits))
                for (folder, since) in state.received where since.duration(to: now) > limits.keepReceived {
                    state.disk.remove(folder)
                    state.received[folder] = nil
                }
            }
            return []
        } catch {
            return [error]
        }
    }
}

extension MemoryDocumentFiles.State {
    mutating func look(
        at place: DocumentLocation, asPackage: Bool, hashing: UInt64
    ) throws(Failure) -> DocumentSnapshot {
        guard let lookup = try lookUp(place) else { throw Failure(.documentGone, "no app has that open") }
        switch lookup {
        case .nothing: return .nothing
        case .ambiguous: return .ambiguous
        case .found(let path):
            guard let (kind, version) = try disk.document(at: path, asPackage: asPackage) else { return .nothing }
            let hash = version.size <= hashing ? try disk.hash(of: path, as: kind) : nil
            return .found(
                FoundDocument(path: try place.path(of: path), kind: kind, version: version, hash: hash))
        }
    }

    /// Nil: no app has opened it.
    func lookUp(_ place: DocumentLocation) throws(Failure) -> MemoryDisk.Lookup? {
        switch place {
        case .container(let folder, let path): return try disk.lookUp(path, in: folder)
        case .received(let continuation, let name): return try disk.lookUp(name, in: continuation.folderInMemory())
        case .open(let token): return open[token].map { disk[$0] == nil ? .nothing($0) : .found($0) }
        }
    }

    func place(of order: PlacementOrder) throws(Failure) -> AbsolutePath? {
        guard case .container(let folder, let path) = order.place, order.isExact else {
            return try place(of: order.place)
        }
        guard case .nothing(let path) = try disk.lookUp(path, in: folder, exactly: true) else {
            return try place(of: order.place)
        }
        return path
    }

    func place(of place: DocumentLocation) throws(Failure) -> AbsolutePath? {
        switch try lookUp(place) {
        case .found(let path)?, .nothing(let path)?: path
        case .ambiguous?, nil: nil
        }
    }

    func checkWritable(_ place: DocumentLocation) throws(Failure) {
        switch place {
        case .container(let folder, _):
            guard let reason = storages[folder]?.readOnly else { return }
            throw Failure(.documentNotPlaced, "\(folder) is not writable: \(reason)")
        case .received: break
        case .open: throw Failure(.notAllowed, "a file that an app has open has no place")
        }
    }

    mutating func remove(_ expired: [KeptVersion]) {
        for version in expired {
            disk.remove(version.file)
            versions.removeAll { $0.id == version.id }
        }
    }

    mutating func place(
        _ tree: MemoryDisk.Tree, _ mode: SentMode, by order: PlacementOrder, limits: DocumentLimits
    ) throws(Failure) -> PlacementOutcome {
        try checkWritable(order.place)
        guard let path = try place(of: order) else { return .changedMeanwhile }
        let current = try disk.document(at: path, asPackage: true)
        guard current?.version == order.replaces, current == nil || holds[path] == nil else {
            return .changedMeanwhile
        }
        if case .container(let folder, _) = order.place, let name = order.conflictCopy {
            guard case .nothing(let copy) = try disk.lookUp(name, in: folder) else { return .changedMeanwhile }
            try disk.put(disk.tree(at: path), at: copy)
        }
        let replaced = disk[path].map { node in
            node.content == .folder ? SentMode.Replaced.folder(node.mode) : .file(node.mode)
        }
        _ = try keep(path, as: order.version, at: order.now, for: order.deviceName, limits: limits)
        var tree = tree
        let isFolder = tree[0].node.content == .folder
        let new = SentMode.Replaced.nothing(umask: 0o022)
        tree[0].node.mode =
            isFolder ? mode.folderMode(replacing: replaced ?? new) : mode.fileMode(replacing: replaced ?? new)
        try disk.put(tree, at: path, isNew: true)
        if case .container(let folder, _) = order.place, let original = order.versionOf {
            let original = try folder.appendingInMemory(original)
            _ = try keep(path, of: original, as: order.version, at: order.now, for: order.deviceName, limits: limits)
        }
        if case .received(let continuation, _) = order.place {
            received[try continuation.folderInMemory()] = order.now
        }
        guard case .found(let found) = try look(at: order.place, asPackage: true, hashing: .max) else {
            throw Failure(.internal, "the placed document does not exist")
        }
        return .placed(path, found)
    }

    /// Drops the oldest versions if necessary. Nil: there was no document.
    mutating func keep(
        _ path: AbsolutePath, of original: AbsolutePath? = nil, as id: VersionID, at now: WallTime,
        for deviceName: DisplayText, limits: DocumentLimits
    ) throws(Failure) -> KeptVersion? {
        guard let (kind, version) = try disk.document(at: path, asPackage: true) else { return nil }
        remove(versions.expired(at: now, adding: version.size, limits: limits))
        let folder = try AbsolutePath.inMemory(MemoryDocumentFiles.versionsFolder)
        let kept = KeptVersion(
            id: id, path: original ?? path, file: try folder.appendingInMemory(Array(id.hex.utf8)[...]),
            size: version.size,
            modified: version.modified, kept: now, deviceName: deviceName, isPackage: kind == .package)
        try disk.put(disk.tree(at: path), at: kept.file)
        versions.append(kept)
        return kept
    }
}

extension DocumentLocation {
    /// The document's path relative to its container or folder.
    func path(of path: AbsolutePath) throws(Failure) -> DocumentPath? {
        switch self {
        case .container(let folder, _): path.path(in: folder)
        case .received(let continuation, _): path.path(in: try continuation.folderInMemory())
        case .open: nil
        }
    }
}

extension ContinuationID {
    func folderInMemory() throws(Failure) -> AbsolutePath {
        try AbsolutePath.inMemory(MemoryDocumentFiles.receivedFolder).appendingInMemory(Array(hex.utf8)[...])
    }
}

extension AbsolutePath {
    static func inMemory(_ text: String) throws(Failure) -> AbsolutePath {
        do throws(WireError) { return try AbsolutePath(text) } catch { throw Failure(.internal, error.reason) }
    }

    var parentInMemory: AbsolutePath? {
        bytes.lastIndex(of: UInt8(ascii: "/")).flatMap { try? AbsolutePath(bytes: bytes[..<$0]) }
    }
}
