// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

// What was replaced.
extension DocumentDisk {
    func restore(_ id: VersionID, at now: WallTime) throws(Failure) -> KeptVersion? {
        guard let document = try versions.record(of: id) else {
            throw Failure(.documentGone, "there is no version \(id.short) any more")
        }
        for _ in 0..<limits.tries {
            var randomness = SystemRandomNumberGenerator()
            let order = PlacingOrder(
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

    /// What lies there now.
    private func version(of document: KeptDocument) throws(Failure) -> FileVersion? {
        let root = try root(document.folder)
        guard let reached = try root.reach(document.path), reached.missing == 0 else { return nil }
        let parent = try root.openParent(of: reached)
        return try Placement.version(of: Array(reached.path.name), in: parent)
    }

    /// False: what lies there is another one by now.
    private func restore(_ id: VersionID, _ document: KeptDocument, by order: PlacingOrder) throws(Failure) -> Bool {
        let home = try versions.open(id)
        let target = try folder(for: try writable(order.place))
        var coming = try Coming.duplicate(
            of: Array(document.path.name), in: home, for: target, isFolder: document.isPackage, staging: staging)
        let outcome = try put(&coming, hash(of: coming), by: order)
        return outcome != .changedMeanwhile
    }

    private func hash(of coming: borrowing Coming) throws(Failure) -> FileDigest {
        guard coming.isFolder else { return try HashedFile(coming.item, cache: cache, limits: limits).hash }
        return try HashedPackage(of: coming.item, cache: cache, limits: limits).manifest.hash()
    }

    // MARK: What goes

    func removeExpired(at now: WallTime) throws(Failure) {
        try versions.removeLeftovers()
        for version in try versions.all().expired(at: now, limits: limits) { try versions.remove(version.id) }
        try removeExpiredCopies(at: now)
    }

    /// By what changed in them last: one that somebody goes on with stays.
    private func removeExpiredCopies(at now: WallTime) throws(Failure) {
        guard let folder = try? OpenFile.open(received.text, O_RDONLY | O_DIRECTORY) else { return }
        let names = try reading { () throws(SystemError) in try folder.names(atMost: .max) }
        for name in names where (try? ContinuationID(hex: String(decoding: name, as: UTF8.self))) != nil {
            guard let copies = try? folder.open(name, O_RDONLY | O_DIRECTORY),
                let changed = try? PackageTree(of: copies).version.changed
            else { continue }
            let time = WallTime(milliseconds: changed.nanoseconds / 1_000_000)
            guard time.duration(to: now) > limits.keepReceived else { continue }
            try placing { () throws(SystemError) in try folder.removeTree(name) }
        }
    }
}
