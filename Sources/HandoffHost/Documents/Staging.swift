// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// Hidden names for what has to have one before it takes its place: in a folder of the daemon's own where that is on the same
/// file system, so that nobody else sees them; else beside the name that it will have.
final class Staging: Sendable {
    /// A hidden name that nobody here knows is another program's of ours, which may be at work, or what a crash left.
    static let leftAlone: Duration = .seconds(60)
    /// Ends the name under which a package lies where two names cannot be swapped, for the moment in which its own is free.
    private static let aside = Array("-aside".utf8)

    let disk: DiskAbilities
    private let path: String
    private let versions: VersionStore
    private let limits: DocumentLimits
    private let now: @Sendable () -> WallTime
    private let inUse = Lock<Set<[UInt8]>>([])

    /// `path`: the folder of the daemon's own, made when it is needed.
    init(
        path: String, versions: VersionStore, disk: DiskAbilities, limits: DocumentLimits,
        now: @escaping @Sendable () -> WallTime
    ) {
        self.path = path
        self.versions = versions
        self.disk = disk
        self.limits = limits
        self.now = now
    }

    /// A folder for hidden names of what will lie in `target`.
    func stage(for target: borrowing OpenFile) throws(Failure) -> Stage {
        try placing { () throws(SystemError) in
            if let own = try? openOwn(), reaches(target, from: own) { return Stage(own) }
            return Stage(try target.openBeneath(Array(".".utf8), O_RDONLY | O_DIRECTORY))
        }
    }

    /// A hidden name for a file that has none, which will lie in `target`.
    func giveName(to file: borrowing OpenFile, for target: borrowing OpenFile) throws(Failure) -> HiddenName {
        try placing { () throws(SystemError) in
            if let own = try? openOwn(), let name = try? giveName(to: file, on: Stage(own)) { return name }
            return try giveName(to: file, on: Stage(try target.openBeneath(Array(".".utf8), O_RDONLY | O_DIRECTORY)))
        }
    }

    private func giveName(to file: borrowing OpenFile, on stage: Stage) throws(SystemError) -> HiddenName {
        let name = makeName(on: stage)
        do throws(SystemError) {
            try disk.giveName(name.bytes, in: stage.folder, to: file)
        } catch {
            name.letGo()
            throw error
        }
        return name
    }

    /// Not on the disk yet.
    func makeName(on stage: Stage) -> HiddenName {
        var randomness = SystemRandomNumberGenerator()
        let name = DocumentPath.reservedPrefix + VersionID.random(using: &randomness).hex.utf8
        inUse.withLock { _ = $0.insert(name) }
        return HiddenName(name, on: stage, staging: self)
    }

    func nameForAside(_ version: VersionID) -> [UInt8] {
        DocumentPath.reservedPrefix + Array(version.hex.utf8) + Self.aside
    }

    fileprivate func forget(_ name: [UInt8]) { inUse.withLock { _ = $0.remove(name) } }

    private func openOwn() throws(SystemError) -> OpenFile {
        _ = try PrivateFolder.make(path)
        return try OpenFile.open(path, O_RDONLY | O_DIRECTORY)
    }

    /// Whether a name can go from the one to the other: they may be one file system's, and still not be.
    private func reaches(_ target: borrowing OpenFile, from own: borrowing OpenFile) -> Bool {
        guard let file = try? disk.openUnnamed(in: target, mode: 0o600) else { return false }
        guard
            let name = try? giveName(to: file, on: Stage(try own.openBeneath(Array(".".utf8), O_RDONLY | O_DIRECTORY)))
        else { return false }
        name.remove()
        return true
    }

    // MARK: What a crash left

    /// In a folder that is used now, and in our own: hidden names that nobody uses go.
    func removeLeftovers(in folder: borrowing OpenFile) {
        if let own = try? openOwn() { removeLeftovers(of: own) }
        removeLeftovers(of: folder)
    }

    private func removeLeftovers(of folder: borrowing OpenFile) {
        guard let names = try? folder.names(atMost: limits.searchedEntries) else { return }
        for name in names where name.starts(with: DocumentPath.reservedPrefix) {
            guard !inUse.withLock({ $0.contains(name) }), isOld(name, in: folder) else { continue }
            if name.hasSuffix(Self.aside), putsBack(name, in: folder) { continue }
            try? folder.removeTree(name)
        }
    }

    private func isOld(_ name: [UInt8], in folder: borrowing OpenFile) -> Bool {
        guard let status = try? folder.status(of: name) else { return false }
        var changed = FileTime(status.st_ctim)
        if status.kind == S_IFDIR, let inner = try? folder.open(name, O_RDONLY | O_DIRECTORY),
            let tree = try? PackageTree(of: inner)
        {
            changed = tree.version.changed
        }
        let time = WallTime(milliseconds: changed.nanoseconds / 1_000_000)
        return time.duration(to: now()) > Self.leftAlone
    }

    /// A package whose name was free when the power went gets it again. False where something has it.
    private func putsBack(_ name: [UInt8], in folder: borrowing OpenFile) -> Bool {
        let id = name.dropFirst(DocumentPath.reservedPrefix.count).dropLast(Self.aside.count)
        guard let version = try? VersionID(hex: String(decoding: id, as: UTF8.self)),
            let record = try? versions.record(of: version)
        else { return false }
        return (try? disk.rename(name, in: folder, toFree: Array(record.path.name), in: folder)) != nil
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ ending: [UInt8]) -> Bool { suffix(ending.count).elementsEqual(ending) }
}

/// A folder with hidden names in it.
final class Stage: Sendable {
    let folder: OpenFile

    init(_ folder: consuming OpenFile) { self.folder = folder }
}

/// A name that nobody looks for; what it stands for goes with it.
final class HiddenName: Sendable {
    let bytes: [UInt8]
    let stage: Stage
    private let staging: Staging
    private let isOurs = Lock(true)

    fileprivate init(_ bytes: [UInt8], on stage: Stage, staging: Staging) {
        self.bytes = bytes
        self.stage = stage
        self.staging = staging
    }

    deinit { remove() }

    /// It is not ours any more: what it stood for has another name, or is to stay.
    func letGo() {
        isOurs.withLock { $0 = false }
        staging.forget(bytes)
    }

    func remove() {
        guard isOurs.withLock({ $0 }) else { return }
        // What cannot be removed now goes when the folder is used next.
        try? stage.folder.removeTree(bytes)
        letGo()
    }
}
