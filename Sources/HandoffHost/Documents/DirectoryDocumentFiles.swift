// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffSystem
package import HandoffWire

/// Reaches documents only through descriptors of their folders. An arriving document has no name until it is placed.
package final class DirectoryDocumentFiles: DocumentFiles {
    private let disk: DocumentDisk
    private let home: AbsolutePath?

    /// `state`: for kept versions and arriving packages. `received`: for copies of documents outside containers. Both
    /// are created when needed. `aside` must not block.
    package init(
        state: String, received: String, limits: DocumentLimits = DocumentLimits(),
        abilities: DiskAbilities = DiskAbilities(), home: AbsolutePath? = nil,
        now: (@Sendable () -> WallTime)? = nil,
        openFile: @escaping @Sendable (FileToken) throws(Failure) -> OpenFile,
        aside: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { body in
            if !DetachedThread.begin(body) { body() }
        }
    ) throws(Failure) {
        self.home = home
        do throws(WireError) {
            disk = DocumentDisk(
                state: state, received: try AbsolutePath(received), limits: limits, abilities: abilities,
                now: now ?? { FileClock.now }, openFile: openFile, aside: aside)
        } catch {
            throw Failure(.internal, error.reason)
        }
    }

    package func look(
        at place: DocumentLocation, asPackage: Bool, hashing: UInt64
    ) throws(Failure) -> DocumentSnapshot {
        try disk.look(at: place, asPackage: asPackage, hashing: hashing)
    }

    package func hold(at place: DocumentLocation, asPackage: Bool) -> DocumentHold? {
        disk.hold(at: place, asPackage: asPackage)
    }

    package func find(
        _ file: FileNumber, size: UInt64, hash: FileDigest?, in folder: AbsolutePath
    ) throws(Failure) -> DocumentPath? {
        let root = try reading { () throws(SystemError) in try OpenFile.openFolder(folder) }
        var search = DocumentSearch(for: file, size: size, in: root, limits: disk.limits)
        return try search.run(hash: hash, cache: disk.cache)
    }

    package func open(_ place: DocumentLocation, asPackage: Bool) throws(Failure) -> any DocumentSource {
        try disk.source(place, asPackage: asPackage)
    }

    package func prepare(_ basis: [DocumentLocation], for size: UInt64) {
        guard size <= PreparedBasis.most, let first = basis.first,
            let source = try? disk.source(first, asPackage: false) as? FileSource,
            source.head.size <= PreparedBasis.most,
            let parts = try? source.parts(for: size)
        else { return }
        disk.prepared.keep(parts)
    }

    package func begin(
        _ content: ArrivingContent, for place: DocumentLocation, basis: [DocumentLocation],
        left: (any DocumentArrival)?
    ) throws(Failure) -> any DocumentArrival {
        switch content {
        case .whole(let size): try Arrival<WholeFile>(size: size, for: place, on: disk)
        case .chunks(let list):
            try Arrival<MissingChunks>(list, for: place, basis: basis, left: left, on: disk)
        case .members(let manifest):
            try Arrival<MissingMembers>(manifest, for: place, basis: basis, left: left, on: disk)
        }
    }

    package func longestName(beside place: DocumentLocation) throws(Failure) -> Int {
        try disk.longestName(beside: place)
    }

    package func names(beside place: DocumentLocation) throws(Failure) -> [[UInt8]] {
        try disk.names(beside: place)
    }

    package func facts(of folder: AbsolutePath) -> FolderFacts { FolderFacts.look(at: folder, home: home) }

    package func storage(of folder: AbsolutePath, creating: Bool) throws(Failure) -> DocumentStorage {
        try disk.storage(of: folder, creating: creating)
    }

    package func versions() throws(Failure) -> [KeptVersion] {
        try disk.versions.all().sorted { ($0.kept, $0.id) > ($1.kept, $1.id) }
    }

    package func restore(_ version: VersionID, at now: WallTime) throws(Failure) -> KeptVersion? {
        try disk.restore(version, at: now)
    }

    package func removeExpired(at now: WallTime) -> [Failure] { disk.removeExpired(at: now) }
}
