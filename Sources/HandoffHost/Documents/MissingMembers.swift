// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

struct MissingMembers: ArrivalContent, ~Copyable {
    private let missing: DocumentWish
    let expected: UInt64
    private let cache: HashCache
    private(set) var build: PackageBuild
    private var current = 0
    private var file: OpenFile?
    private var count: UInt64 = 0
    private var hasher = FileHasher()

    init(_ build: consuming PackageBuild, cache: HashCache) {
        missing = build.wish
        expected = build.missingBytes
        self.cache = cache
        self.build = build
    }

    var wish: DocumentWish? { missing }

    mutating func append(_ bytes: UnsafeRawBufferPointer, to item: borrowing OpenFile) throws(Failure) -> Int {
        let members = build.manifest.members
        while current < members.count, !missing[current] { current += 1 }
        guard current < members.count, case .file(let size, let hash, _) = members[current].content else {
            throw Failure(.malformed, "more data of a package arrived than was requested")
        }
        let part = UnsafeRawBufferPointer(rebasing: bytes[..<Int(min(UInt64(bytes.count), size - count))])
        try placing { () throws(SystemError) in
            if file == nil { file = try build.makeFile(current) }
            try file?.write(part, at: count)
        }
        hasher.update(part)
        count += UInt64(part.count)
        guard count == size else { return part.count }
        guard hasher.finish() == hash else {
            throw Failure(.malformed, "\(members[current].path) of a package does not match the package's list")
        }
        build.came(current)
        file = nil
        count = 0
        current += 1
        return part.count
    }

    mutating func hash(of item: borrowing OpenFile) throws(Failure) -> FileDigest {
        try build.complete()
        return try build.manifest.hash()
    }

    mutating func sync(_ unplaced: inout UnplacedDocument, modified: FileTime, mode: SentMode) throws(Failure) {
        try placing { () throws(SystemError) in try build.setTimes(modified) }
        try unplaced.sync(modified: modified, mode: mode)
        unplaced.originals = build.originals
        if let tree = try? PackageTree(of: unplaced.item) { cacheHashes(tree) }
    }

    /// No other program writes to hidden files, so their hashes are known without reading.
    private func cacheHashes(_ tree: PackageTree) {
        guard FileClock.waits(past: tree.version.changed) else { return }
        for (member, known) in zip(build.manifest.members, tree.members) where member.path == known.path {
            if case .file(let size, let hash, _) = member.content, size == known.version.size {
                cache.add(hash, for: known.version)
            }
        }
    }

    mutating func keepReceived(in item: borrowing OpenFile) throws(Failure) {
        try removePart()
        try placing { () throws(SystemError) in try build.keepWhatCame() }
    }

    /// An incomplete member is received again from its beginning.
    mutating func removePart() throws(Failure) {
        guard file != nil else { return }
        file = nil
        count = 0
        hasher = FileHasher()
        try placing { () throws(SystemError) in try build.removePart(current) }
    }
}

extension Arrival where Content == MissingMembers {
    convenience init(
        _ manifest: PackageManifest, for location: DocumentLocation, basis: [DocumentLocation],
        left: (any DocumentArrival)?, on disk: DocumentDisk
    ) throws(Failure) {
        let folder = try disk.folder(for: try disk.writable(location))
        let unplaced: UnplacedDocument
        var build: PackageBuild
        let taken = try (left as? Self)?.takeOver { (content) throws(Failure) in
            guard content.build.manifest == manifest else { return false }
            try content.removePart()
            return true
        }
        if let taken {
            unplaced = taken.unplaced
            build = taken.content.build
        } else {
            unplaced = try UnplacedDocument.package(in: folder, staging: disk.staging)
            build = try PackageBuild.begin(manifest, in: unplaced.item)
        }
        try unplaced.makeRoom(for: build.unwrittenBytes)
        try (left as? Self)?.read { (folder, _) throws(Failure) in
            let package = try HashedPackage(of: folder, cache: disk.cache, limits: disk.limits)
            try build.fill(from: package, in: folder, wasSent: true)
        }
        for location in basis {
            guard case .document(let found)? = try? disk.open(location, asPackage: true), found.kind == .package,
                let package = try? HashedPackage(of: found.item, cache: disk.cache, limits: disk.limits)
            else { continue }
            try build.fill(from: package, in: found.item)
        }
        left?.discard()
        self.init(Received(unplaced, MissingMembers(build, cache: disk.cache)), on: disk)
    }
}
