// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// A package whose missing members are received.
final class PackageArrival: DocumentArrival {
    let wish: DocumentWish?
    let expected: UInt64
    private let disk: DocumentDisk
    private let state: Lock<State>

    private struct State: ~Copyable {
        var arrived: Arrived
        var build: PackageBuild?
        /// Index of the member that is received now or next.
        var current = 0
        var file: OpenFile?
        /// Bytes received of the current member.
        var count: UInt64 = 0
        var hasher = FileHasher()

        mutating func removePart() throws(Failure) {
            guard file != nil else { return }
            file = nil
            count = 0
            hasher = FileHasher()
            let index = current
            try placing { () throws(SystemError) in try build?.removePart(index) }
        }
    }

    /// `left`: the part of the document received earlier.
    init(
        _ manifest: PackageManifest, for location: DocumentLocation, basis: [DocumentLocation],
        left: (any DocumentArrival)?, on disk: DocumentDisk
    ) throws(Failure) {
        let folder = try disk.folder(for: try disk.writable(location))
        self.disk = disk
        var work: Taken
        if let taken = try (left as? PackageArrival)?.takeOver(manifest) {
            work = taken
        } else {
            let coming = try Coming.package(in: folder, staging: disk.staging)
            let build = try PackageBuild.begin(manifest, in: coming.item)
            work = Taken(coming: coming, build: build)
        }
        try work.coming.makeRoom(for: work.build.unwrittenBytes)
        try (left as? PackageArrival)?.fill(&work.build)
        for location in basis {
            guard case .document(let found)? = try? disk.open(location, asPackage: true), found.kind == .package,
                let package = try? HashedPackage(of: found.item, cache: disk.cache, limits: disk.limits)
            else { continue }
            try work.build.fill(from: package, in: found.item)
        }
        left?.discard()
        wish = work.build.wish
        expected = work.build.missingBytes
        state = Lock(work.state())
    }

    func append(_ bytes: [UInt8]) throws(Failure) {
        try state.withLock { (state) throws(Failure) in
            try bytes.span.withUnsafeBytes { (raw) throws(Failure) in
                var rest = raw
                while !rest.isEmpty {
                    let count = try append(rest, &state)
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                }
            }
        }
    }

    /// Consumes the bytes of the current member, and returns their number.
    private func append(_ bytes: UnsafeRawBufferPointer, _ state: inout State) throws(Failure) -> Int {
        guard let wish, let members = state.build?.manifest.members else { throw Self.isOver }
        while state.current < members.count, !wish[state.current] { state.current += 1 }
        guard state.current < members.count, case .file(let size, let hash, _) = members[state.current].content else {
            throw Failure(.malformed, "more data of a package arrived than was requested")
        }
        let index = state.current
        if state.file == nil {
            state.file = try placing { () throws(SystemError) in try state.build?.makeFile(index) }
        }
        let part = UnsafeRawBufferPointer(rebasing: bytes[..<Int(min(UInt64(bytes.count), size - state.count))])
        try placing { () throws(SystemError) in try state.file?.write(part, at: state.count) }
        state.hasher.update(part)
        state.count += UInt64(part.count)
        guard state.count == size else { return part.count }
        guard state.hasher.finish() == hash else {
            throw Failure(.malformed, "\(members[index].path) of a package does not match the package's list")
        }
        state.build?.came(index)
        state.file = nil
        state.count = 0
        state.current += 1
        return part.count
    }

    func hash() throws(Failure) -> FileDigest {
        try state.withLock { (state) throws(Failure) in
            if let hash = state.arrived.hash { return hash }
            guard let manifest = state.build?.manifest else { throw Self.isOver }
            try state.build?.complete()
            let hash = try manifest.hash()
            state.arrived.hash = hash
            return hash
        }
    }

    func sync(modified: FileTime, mode: SentMode) throws(Failure) {
        try state.withLock { (state) throws(Failure) in
            try placing { () throws(SystemError) in try state.build?.setTimes(modified) }
            try state.arrived.sync(modified: modified, mode: mode)
            guard let manifest = state.build?.manifest else { throw Self.isOver }
            var tree: PackageTree?
            try state.arrived.withItem { tree = try? PackageTree(of: $0) }
            if let tree { know(manifest, as: tree) }
        }
    }

    /// No other program writes to files under a hidden name, so their hashes are known without reading them.
    private func know(_ manifest: PackageManifest, as tree: PackageTree) {
        guard FileClock.waits(past: tree.version.changed) else { return }
        for (member, known) in zip(manifest.members, tree.members) where member.path == known.path {
            if case .file(let size, let hash, _) = member.content, size == known.version.size {
                disk.cache.add(hash, for: known.version)
            }
        }
    }

    func place(_ order: PlacingOrder) throws(Failure) -> PlacingOutcome {
        try state.withLock { (state) throws(Failure) in try state.arrived.place(order, on: disk) }
    }

    func suspend() throws(Failure) {
        try state.withLock { (state) throws(Failure) in
            guard state.arrived.isThere, state.arrived.hash == nil else { return }
            try state.removePart()
            try placing { () throws(SystemError) in try state.build?.keepWhatCame() }
        }
    }

    func discard() { state.withLock { $0.arrived.discard() } }

    deinit { state.withLock { $0.arrived.giveUp(on: disk) } }

    private static var isOver: Failure { Failure(.internal, "a package that is no longer being transferred") }

    // MARK: A later attempt

    private struct Taken: ~Copyable {
        var coming: Coming
        var build: PackageBuild

        consuming func state() -> State {
            State(arrived: Arrived(coming), build: build)
        }
    }

    /// The folder with all received members, if the manifest is the same. Nil otherwise, or if the folder is gone.
    private func takeOver(_ manifest: PackageManifest) throws(Failure) -> Taken? {
        try state.withLock { (state) throws(Failure) in
            guard state.build?.manifest == manifest else { return nil }
            try state.removePart()
            guard let coming = state.arrived.takeOver(), let build = state.build.take() else { return nil }
            return Taken(coming: coming, build: build)
        }
    }

    /// Copies the members of this different manifest into `build`.
    private func fill(_ build: inout PackageBuild) throws(Failure) {
        try state.withLock { (state) throws(Failure) in
            guard state.arrived.isThere else { return }
            var failure: Failure?
            try state.arrived.withItem { folder in
                do throws(Failure) {
                    let package = try HashedPackage(of: folder, cache: disk.cache, limits: disk.limits)
                    try build.fill(from: package, in: folder, wasSent: true)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
    }
}
