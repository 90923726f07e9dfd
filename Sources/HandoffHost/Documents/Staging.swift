// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// Hidden names are in the daemon's own folder if it is on the same file system, so that no other program sees them;
/// otherwise next to the final name.
final class Staging: Sendable {
    /// Another program of Handoff may use an unknown hidden name this long.
    static let leftAlone: Duration = .seconds(60)

    let disk: DiskAbilities
    private let path: String
    private let given: GivenNames
    private let versions: VersionStore
    private let now: @Sendable () -> WallTime
    private let inUse = Lock<Set<HiddenName>>([])

    /// `path` is created when needed. `given`: for names beside documents.
    init(
        path: String, given: GivenNames, versions: VersionStore, disk: DiskAbilities,
        now: @escaping @Sendable () -> WallTime
    ) {
        self.path = path
        self.given = given
        self.versions = versions
        self.disk = disk
        self.now = now
    }

    func stage(for target: borrowing OpenFile) throws(Failure) -> Stage {
        try placing { () throws(SystemError) in
            if let own = try? openOwn(), reaches(target, from: own) { return Stage(own, isOwn: true) }
            return try Stage.beside(target)
        }
    }

    func giveName(to file: borrowing OpenFile, for target: borrowing OpenFile) throws(Failure) -> StagedItem {
        try placing { () throws(SystemError) in
            if let own = try? openOwn(), let item = try? giveName(to: file, on: Stage(own, isOwn: true)) { return item }
            return try giveName(to: file, on: try Stage.beside(target))
        }
    }

    private func giveName(to file: borrowing OpenFile, on stage: Stage) throws(SystemError) -> StagedItem {
        let item = try makeItem(on: stage)
        do throws(SystemError) {
            try disk.giveName(item.bytes, in: stage.folder, to: file)
        } catch {
            item.letGo()
            throw error
        }
        return item
    }

    func makeItem(on stage: Stage) throws(SystemError) -> StagedItem {
        var randomness = SystemRandomNumberGenerator()
        let name = HiddenName(.random(using: &randomness))
        try hold(name, on: stage)
        return StagedItem(name, on: stage, staging: self)
    }

    /// Does not rename the item. Call `letGoAside` later.
    func makeAside(_ version: VersionID, in folder: borrowing OpenFile) throws(Failure) -> [UInt8] {
        let name = HiddenName(version, isAside: true)
        try placing { () throws(SystemError) in try hold(name, on: try Stage.beside(folder)) }
        return name.bytes
    }

    /// Call if the item has its name again, was removed, or now belongs to the user.
    func letGoAside(_ version: VersionID) { forget(HiddenName(version, isAside: true)) }
    /// Call if the item could not be removed now.
    func leaveAside(_ version: VersionID) { release(HiddenName(version, isAside: true)) }

    private func hold(_ name: HiddenName, on stage: Stage) throws(SystemError) {
        inUse.withLock { _ = $0.insert(name) }
        guard !stage.isOwn else { return }
        do throws(SystemError) { try given.add(name, in: stage.folder) } catch {
            forget(name)
            throw error
        }
    }

    fileprivate func forget(_ name: HiddenName) {
        given.remove(name)
        inUse.withLock { _ = $0.remove(name) }
    }

    private func openOwn() throws(SystemError) -> OpenFile {
        _ = try PrivateFolder.make(path)
        return try OpenFile.open(path, O_RDONLY | O_DIRECTORY)
    }

    /// Moving names is uncertain even on one file system.
    private func reaches(_ target: borrowing OpenFile, from own: borrowing OpenFile) -> Bool {
        guard let file = try? disk.openUnnamed(in: target, mode: 0o600) else { return false }
        guard let stage = try? Stage.beside(own, isOwn: true), let item = try? giveName(to: file, on: stage) else {
            return false
        }
        item.remove()
        return true
    }

    // MARK: Leftovers of a crash

    func removeLeftovers(in folder: borrowing OpenFile) {
        removeOwnLeftovers()
        for name in given.all() { removeLeftover(name, in: folder) }
    }

    func removeLeftovers() {
        removeOwnLeftovers()
        for name in given.all() {
            // A file system that is not mounted now may be mounted later.
            guard let path = given.folder(of: name), let folder = try? OpenFile.openFolder(path) else { continue }
            removeLeftover(name, in: folder)
            if !isInUse(name), case .success(nil) = folder.lookFor(name) { given.remove(name) }
        }
    }

    private func removeOwnLeftovers() {
        guard let own = try? openOwn(), let names = try? own.names(atMost: .max) else { return }
        for name in names { if let name = HiddenName(name) { removeLeftover(name, in: own) } }
    }

    private func removeLeftover(_ name: HiddenName, in folder: borrowing OpenFile) {
        guard !isInUse(name), let status = try? folder.status(of: name.bytes), status.st_uid == geteuid(),
            isOld(name.bytes, status, in: folder)
        else { return }
        if name.isAside {
            // Without a version this may be the only copy of the document.
            guard let document = try? versions.record(of: name.id) else { return }
            let original = Array(document.path.name)
            // The crash happened while the original name was free.
            if (try? disk.rename(name.bytes, in: folder, toFree: original, in: folder)) != nil {
                return given.remove(name)
            }
        }
        if folder.removeWhatCanBe(name.bytes).isEmpty { given.remove(name) }
    }

    private func isInUse(_ name: HiddenName) -> Bool { inUse.withLock { $0.contains(name) } }

    private func isOld(_ name: [UInt8], _ status: stat, in folder: borrowing OpenFile) -> Bool {
        var changed = FileTime(status.st_ctim)
        if status.kind == S_IFDIR, let inner = try? folder.open(name, O_RDONLY | O_DIRECTORY),
            let tree = try? PackageTree(of: inner)
        {
            changed = tree.version.changed
        }
        let time = WallTime(milliseconds: changed.nanoseconds / 1_000_000)
        return time.duration(to: now()) > Self.leftAlone
    }
}

extension OpenFile {
    fileprivate func lookFor(_ name: HiddenName) -> Result<stat?, SystemError> {
        do throws(SystemError) { return .success(try status(of: name.bytes)) } catch { return .failure(error) }
    }
}

final class Stage: Sendable {
    let folder: OpenFile
    /// The daemon's own folder, where every file is the daemon's.
    let isOwn: Bool

    init(_ folder: consuming OpenFile, isOwn: Bool) {
        self.folder = folder
        self.isOwn = isOwn
    }

    static func beside(_ target: borrowing OpenFile, isOwn: Bool = false) throws(SystemError) -> Stage {
        Stage(try target.openBeneath(Array(".".utf8), O_RDONLY | O_DIRECTORY), isOwn: isOwn)
    }
}

/// An item with a hidden name, removed with this object unless let go.
final class StagedItem: Sendable {
    let name: HiddenName
    let stage: Stage
    private let staging: Staging
    private let isOurs = Lock(true)

    fileprivate init(_ name: HiddenName, on stage: Stage, staging: Staging) {
        self.name = name
        self.stage = stage
        self.staging = staging
    }

    deinit { remove() }

    var bytes: [UInt8] { name.bytes }

    /// Call once the item has another name.
    func letGo() {
        isOurs.withLock { $0 = false }
        staging.forget(name)
    }

    /// The item exists nowhere else.
    func leave() {
        if stage.isOwn {
            let newName = Array("kept-\(name.text)".utf8)
            renameat(stage.folder.descriptor, bytes.cString, stage.folder.descriptor, newName.cString)
        }
        letGo()
    }

    func remove() {
        guard isOurs.withLock({ $0 }) else { return }
        guard stage.folder.removeWhatCanBe(bytes).isEmpty else {
            // The next removal of leftovers tries again.
            isOurs.withLock { $0 = false }
            return staging.release(name)
        }
        letGo()
    }
}

extension Staging {
    fileprivate func release(_ name: HiddenName) { inUse.withLock { _ = $0.remove(name) } }
}
