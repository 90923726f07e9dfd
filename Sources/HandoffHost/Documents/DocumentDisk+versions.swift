// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffSystem
import HandoffWire

extension DocumentDisk {
    func restore(_ id: VersionID, at now: WallTime) throws(Failure) -> KeptVersion? {
        guard let document = try versions.record(of: id) else {
            throw Failure(.documentGone, "the version \(id.short) no longer exists")
        }
        try versions.use(id)
        defer { versions.letGo(id) }
        for _ in 0..<limits.tries {
            if let hold = hold(
                at: .container(folder: document.folder, document.path), asPackage: document.isPackage)
            {
                throw Failure(.documentNotPlaced, hold.reasonNotToRestore("\(document.folder)/\(document.path)"))
            }
            var randomness = SystemRandomNumberGenerator()
            let order = PlacementOrder(
                place: .container(folder: document.folder, document.path),
                replaces: try version(of: document), version: .random(using: &randomness), now: now,
                deviceName: DisplayText(cleaning: "an earlier version"))
            guard try restore(id, document, by: order) else { continue }
            try versions.remove(id)
            guard order.replaces != nil, let kept = try versions.record(of: order.version) else { return nil }
            return try versions.version(order.version, kept)
        }
        throw Failure(.documentChanged, "\(document.folder)/\(document.path) is being written to")
    }

    private func version(of document: KeptDocument) throws(Failure) -> FileVersion? {
        let root = try root(document.folder)
        guard let reached = try root.reach(document.path), reached.missing == 0 else { return nil }
        let parent = try root.openParent(of: reached)
        return try Placement.version(of: Array(reached.path.name), in: parent)
    }

    /// False if the document to replace has changed.
    private func restore(_ id: VersionID, _ document: KeptDocument, by order: PlacementOrder) throws(Failure) -> Bool {
        let home = try versions.open(id)
        let target = try folder(for: try writable(order.place))
        var unplaced = try UnplacedDocument.duplicate(
            of: abilities.fitting(Array(document.path.name), in: home), in: home, for: target,
            isFolder: document.isPackage,
            mode: document.mode, staging: staging)
        let outcome = try put(&unplaced, hash(of: unplaced), by: order)
        return outcome != .changedMeanwhile
    }

    private func hash(of unplaced: borrowing UnplacedDocument) throws(Failure) -> FileDigest {
        guard unplaced.isFolder else { return try HashedFile(unplaced.item, cache: cache, limits: limits).hash }
        return try HashedPackage(of: unplaced.item, cache: cache, limits: limits).manifest.hash()
    }

    // MARK: Expiry

    func removeExpired(at now: WallTime) -> [Failure] {
        staging.removeLeftovers()
        return versions.removeLeftovers() + versions.removeExpired(at: now) + removeExpiredCopies(at: now)
    }

    /// By the latest change inside, so that a copy in use stays.
    private func removeExpiredCopies(at now: WallTime) -> [Failure] {
        guard let folder = try? OpenFile.open(received.text, O_RDONLY | O_DIRECTORY),
            let names = try? folder.names(atMost: .max)
        else { return [] }
        var left: [Failure] = []
        for name in names where (try? ContinuationID(hex: String(decoding: name, as: UTF8.self))) != nil {
            do throws(Failure) {
                let changed = try reading { () throws(SystemError) in try folder.lastChange(of: name) }
                guard let changed else { continue }
                let time = WallTime(milliseconds: changed.nanoseconds / 1_000_000)
                guard time.duration(to: now) > limits.keepReceived else { continue }
                try placing { () throws(SystemError) in try folder.removeTree(name) }
            } catch {
                left.append(error)
            }
        }
        return left
    }
}

extension OpenFile {
    /// Nil if it is not a folder. Unlike `PackageTree`, accepts any number and kind of items. Follows no links. A
    /// folder that cannot be entered has its own time.
    fileprivate func lastChange(of name: [UInt8]) throws(SystemError) -> FileTime? {
        guard let top = try status(of: name), top.kind == S_IFDIR else { return nil }
        var last = FileTime(top.st_ctim)
        var folders = [name]
        while let path = folders.popLast() {
            do throws(SystemError) {
                let folder = try openBeneath(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, followingLinks: false)
                for name in try folder.names(atMost: .max) {
                    guard let status = try folder.status(of: name) else { continue }
                    last = max(last, FileTime(status.st_ctim))
                    if status.kind == S_IFDIR { folders.append(path + [UInt8(ascii: "/")] + name) }
                }
            } catch {
                guard error.code == EACCES || error.code == ENAMETOOLONG else { throw error }
            }
        }
        return last
    }
}

extension DocumentDisk {
    func storage(of path: AbsolutePath, creating: Bool) throws(Failure) -> DocumentStorage {
        if creating { try placing { () throws(SystemError) in try makeFolders(path) } }
        let folder: OpenFile
        do throws(SystemError) {
            folder = try OpenFile.openFolder(path)
        } catch {
            guard error.code == ENOENT else { throw Failure(placing: error) }
            throw .missingFolder(path)
        }
        guard let kind = FileSystemKind(of: folder) else {
            throw Failure(.documentGone, "the system does not report which file system \(path) is on")
        }
        var readOnly: String?
        if kind.isReadOnly {
            readOnly = "\(path) is on a read-only file system"
        } else if faccessat(folder.descriptor, ".", W_OK | X_OK, 0) != 0 {
            readOnly = "\(path) cannot be written to: \(SystemError(errno, path.text).reason)"
        }
        return DocumentStorage(name: kind.name, isShared: kind.isShared, readOnly: readOnly)
    }

    private func makeFolders(_ path: AbsolutePath) throws(SystemError) {
        guard access(path.bytes.cString, F_OK) != 0, errno == ENOENT else { return }
        var bytes: [UInt8] = []
        for part in path.bytes.split(separator: UInt8(ascii: "/")) {
            bytes += [UInt8(ascii: "/")] + part
            guard mkdir(bytes.cString, 0o700) == 0 || errno == EEXIST else {
                // For an existing folder in a read-only parent, mkdir may report another error.
                if access(bytes.cString, F_OK) == 0 { continue }
                throw SystemError(errno, String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}
