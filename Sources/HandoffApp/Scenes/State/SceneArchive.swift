// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Glibc
internal import Handoff
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

/// A folder per app with a key and a file per scene, written in the background in the order of the calls.
///
/// An unreadable file stays until the app deletes all saved activities, and its name is not reused: a newer app or the
/// restored key may read it.
final class SceneArchive: Sendable {
    static let maximumScenes = 64
    static let maximumBytes = 256 * 1024
    private static let keyName = "key"
    private static let suffix = ".scene"

    private let directory: String
    private let owner: String
    private let log: @Sendable (String) -> Void
    private let queue = DispatchQueue(label: "handoff.scenes")
    /// Pending writes, by identifier; nil removes the file.
    private let due = Lock<[String: SceneRecord?]>([:])

    init(_ locations: Locations, owner: String, log: @escaping @Sendable (String) -> Void) {
        directory = locations.scenes + "/" + owner
        self.owner = owner
        self.log = log
    }

    convenience init(_ environment: ActivityCenter.Environment) {
        self.init(
            environment.locations, owner: environment.bundle?.name ?? Self.folderName(environment.name),
            log: environment.log)
    }

    /// For a program outside a bundle. No bundle's name begins with "@".
    private static func folderName(_ program: String) -> String {
        "@"
            + String(
                program.unicodeScalars.map {
                    $0.properties.isAlphabetic || $0.properties.numericType != nil ? Character($0) : "-"
                })
    }

    // MARK: Reading

    /// The most recently used last.
    func load() -> [SceneRecord] {
        queue.sync {
            do throws(SceneStateError) {
                return try read().sorted { $0.lastUsed < $1.lastUsed }
            } catch {
                log("the state of the windows cannot be restored: \(error)")
                return []
            }
        }
    }

    private func read() throws(SceneStateError) -> [SceneRecord] {
        guard let folder = try existingFolder() else { return [] }
        let names = try onDisk { () throws(SystemError) in try folder.names() }.filter { $0.hasSuffix(Self.suffix) }
        guard !names.isEmpty else { return [] }
        guard let key = try key(in: folder) else {
            throw SceneStateError(kind: .key("its key is missing: \(directory)/\(Self.keyName)"))
        }
        let seal = SceneSeal(key: key, owner: owner)
        if names.count > Self.maximumScenes {
            log("only \(Self.maximumScenes) of \(names.count) windows are restored: \(directory)")
        }
        var records: [SceneRecord] = []
        for name in names.prefix(Self.maximumScenes) {
            do throws(SceneStateError) {
                records.append(try read(name, in: folder, with: seal))
            } catch {
                log("the state of a window cannot be restored: \(directory)/\(name): \(error); the file is kept")
            }
        }
        return records
    }

    private func read(
        _ name: String, in folder: borrowing PrivateFolder, with seal: SceneSeal
    ) throws(SceneStateError) -> SceneRecord {
        let file = try onDisk { () throws(SystemError) in try folder.read(name, limit: Self.maximumBytes) ?? [] }
        return try seal.open(file, of: Self.identifier(of: name))
    }

    private static func identifier(of name: String) -> String { String(name.dropLast(suffix.count)) }

    private func key(in folder: borrowing PrivateFolder) throws(SceneStateError) -> [UInt8]? {
        let kept = try onDisk { () throws(SystemError) in try folder.read(Self.keyName, limit: SceneSeal.keyBytes) }
        guard let key = kept else { return nil }
        guard key.count == SceneSeal.keyBytes else {
            throw SceneStateError(
                kind: .key(
                    "the key \(directory)/\(Self.keyName) is damaged; the state that was encrypted with it is lost"))
        }
        return key
    }

    private func existingFolder() throws(SceneStateError) -> PrivateFolder? {
        do throws(SystemError) {
            return try PrivateFolder.open(directory)
        } catch let error where error.code == ENOENT {
            return nil
        } catch {
            throw SceneStateError(kind: .disk("\(error)"))
        }
    }

    private func onDisk<Result: ~Copyable>(
        _ body: () throws(SystemError) -> Result
    ) throws(SceneStateError) -> Result {
        do throws(SystemError) { return try body() } catch { throw SceneStateError(kind: .disk("\(error)")) }
    }

    // MARK: Writing

    func write(_ record: SceneRecord) { set(record, of: record.identifier) }

    func remove(_ identifier: String) { set(nil, of: identifier) }

    /// Returns once earlier writes are on disk.
    func flush() { queue.sync {} }

    /// Calls `done` in the background, once earlier writes are on disk.
    func whenWritten(_ done: @escaping @Sendable () -> Void) { queue.async { done() } }

    private func set(_ record: SceneRecord?, of identifier: String) {
        let isFirst = due.withLock { due in
            due.updateValue(record, forKey: identifier)
            return due.count == 1
        }
        // Combines changes before the write.
        if isFirst { queue.async { self.writeDue() } }
    }

    private func writeDue() {
        let changes = due.withLock { due in
            defer { due = [:] }
            return due
        }
        for (identifier, record) in changes.sorted(by: { $0.key < $1.key }) {
            do throws(SceneStateError) {
                if let record { try writeNow(record) } else { try removeNow(identifier) }
            } catch {
                log("the state of a window cannot be saved: \(error)")
            }
        }
    }

    private func writeNow(_ record: SceneRecord) throws(SceneStateError) {
        let folder = try onDisk { () throws(SystemError) in try PrivateFolder.make(directory) }
        let file = try SceneSeal(key: try keyForWriting(in: folder), owner: owner).seal(record)
        try onDisk { () throws(SystemError) in try folder.write(file, to: record.identifier + Self.suffix) }
    }

    private func keyForWriting(in folder: borrowing PrivateFolder) throws(SceneStateError) -> [UInt8] {
        if let key = try key(in: folder) { return key }
        let fresh = SceneSeal.newKey()
        // Another process of this app may have written the key first.
        let isFirst = try onDisk { () throws(SystemError) in try folder.writeFirst(fresh, to: Self.keyName) }
        if isFirst { return fresh }
        guard let key = try key(in: folder) else {
            throw SceneStateError(kind: .key("its key is gone: \(directory)/\(Self.keyName)"))
        }
        return key
    }

    private func removeNow(_ identifier: String) throws(SceneStateError) {
        guard let folder = try existingFolder() else { return }
        try onDisk { () throws(SystemError) in try folder.remove(identifier + Self.suffix) }
    }
}

// MARK: - Deleting activities

extension SceneArchive {
    /// Also from scenes that were not restored. Their other data stays.
    func deleteActivities(_ saved: SavedActivities) {
        queue.async {
            do throws(SceneStateError) {
                try self.deleteNow(saved)
            } catch {
                self.log("saved activities in \(self.directory) could not be deleted: \(error)")
            }
        }
    }

    private func deleteNow(_ saved: SavedActivities) throws(SceneStateError) {
        guard let folder = try existingFolder() else { return }
        let names = try onDisk { () throws(SystemError) in try folder.names() }.filter { $0.hasSuffix(Self.suffix) }
        guard !names.isEmpty else { return }
        let seal: SceneSeal?
        do throws(SceneStateError) {
            seal = try key(in: folder).map { SceneSeal(key: $0, owner: owner) }
        } catch {
            guard saved == .all else { throw error }
            seal = nil
        }
        for name in names {
            do throws(SceneStateError) {
                try deleteActivity(saved, from: name, in: folder, with: seal)
            } catch {
                log("a saved activity could not be deleted: \(directory)/\(name): \(error)")
            }
        }
    }

    private func deleteActivity(
        _ saved: SavedActivities, from name: String, in folder: borrowing PrivateFolder, with seal: SceneSeal?
    ) throws(SceneStateError) {
        var record: SceneRecord
        do throws(SceneStateError) {
            guard let seal else { throw SceneStateError(kind: .key("its key is missing")) }
            record = try read(name, in: folder, with: seal)
        } catch {
            guard saved == .all else { throw error }
            // All activities are meant: remove the unreadable file too.
            return try removeNow(Self.identifier(of: name))
        }
        guard let activity = record.activity, saved.contains(activity.persistentIdentifier) else { return }
        record.activity = nil
        if record.isWorthKeeping { try writeNow(record) } else { try removeNow(record.identifier) }
    }
}
