// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// Called in a job.
struct ConflictCopies: Sendable {
    /// The device of the copied version.
    let deviceName: DisplayText
    let now: WallTime
    /// Seconds east of UTC.
    let zone: Int

    init(of deviceName: DisplayText, at now: WallTime, zone: Int) {
        self.deviceName = deviceName
        self.now = now
        self.zone = zone
    }

    /// Nil: a copy with that content exists.
    func name(beside place: DocumentLocation, in files: any DocumentFiles) throws(Failure) -> DocumentPath? {
        guard case .container(let folder, let path) = place else { return nil }
        let names = try files.names(beside: place)
        if case .found(let here) = try files.look(at: place, asPackage: true, hashing: .max), let hash = here.hash {
            for copy in DocumentName.conflictCopies(of: path, among: names) {
                guard let sibling = try? path.sibling(copy) else { continue }
                let sight = try? files.look(
                    at: .container(folder: folder, sibling), asPackage: true, hashing: .max)
                if case .found(let found)? = sight, found.hash == hash { return nil }
            }
        }
        return try free(beside: path, among: names, files.longestName(beside: place))
    }

    func place(beside place: DocumentLocation, in files: any DocumentFiles) throws(Failure) -> DocumentLocation {
        guard case .container(let folder, let path) = place else { return place }
        let (names, limit) = (try files.names(beside: place), try files.longestName(beside: place))
        return .container(folder: folder, try free(beside: path, among: names, limit))
    }

    private func free(
        beside path: DocumentPath, among names: [[UInt8]], _ limit: Int
    ) throws(Failure) -> DocumentPath {
        try DocumentName.conflictCopy(
            of: path, device: deviceName, at: now, offset: zone, among: names, limit: limit)
    }
}

extension DocumentHistory {
    init(container: ContainerID, path: DocumentPath, _ file: FileNumber, at now: WallTime) {
        self.init(
            container: container, path: path, device: file.device, inode: file.inode, hashes: [], looked: now)
    }
}

extension DocumentHistories {
    @discardableResult
    func note(
        _ hash: FileDigest?, of found: FoundDocument, at path: DocumentPath, in container: ContainerID, now: WallTime
    ) throws(Failure) -> DocumentHistory {
        var history =
            try history(of: container, at: path)
            ?? DocumentHistory(container: container, path: path, found.version.file, at: now)
        if let hash { try note(hash, of: found.version.file, in: &history, at: now) }
        return history
    }

    func note(
        _ hash: FileDigest, of file: FileNumber, in history: inout DocumentHistory, at now: WallTime
    ) throws(Failure) {
        let (hashes, before) = (history.hashes, history.file)
        history.note(hash, of: file, at: now)
        if history.hashes != hashes || before != file { try keep(history) }
    }
}
