// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// What was replaced: for each a folder with a folder for it, under the name that it had, and a record of where it lay. The
/// record is written last and removed first, so that it is there where all of it is.
final class VersionStore: Sendable {
    private static let record = "record"
    private static let document = "document"
    /// Of a record, bytes.
    private static let recordBytes = 64 * 1024

    let path: String
    private let disk: DiskAbilities
    /// Being kept: without a record yet.
    private let coming = Lock<Set<VersionID>>([])

    /// Made when it is needed.
    init(path: String, disk: DiskAbilities) {
        self.path = path
        self.disk = disk
    }

    /// What has that name in the folder, as that version: on the disk when this returns. The same files where the file system
    /// can, and `sharing`; else copies. Returns the original as it is then, see `Duplicate`.
    func keep(
        _ id: VersionID, _ name: [UInt8], in folder: borrowing OpenFile, sharing: Bool, as document: KeptDocument
    ) throws(Failure) -> FileVersion {
        let record: [UInt8]
        do throws(WireError) { record = try document.encoded() } catch { throw Failure(.limitReached, error.reason) }
        coming.withLock { _ = $0.insert(id) }
        defer { coming.withLock { _ = $0.remove(id) } }
        let store = try placing { () throws(SystemError) in try PrivateFolder.make(path) }
        let home = try placing { () throws(SystemError) in try PrivateFolder.make("\(path)/\(id.hex)") }
        let inner = try placing { () throws(SystemError) in
            try PrivateFolder.make("\(home.path)/\(Self.document)")
        }
        let version = try Duplicate(disk: disk, sharesFiles: sharing).make(
            Array(document.path.name), in: inner.folder, of: name, in: folder)
        try placing { () throws(SystemError) in
            try store.folder.sync()
            try home.write(record, to: Self.record)
        }
        return version
    }

    /// Nil where there is none. Throws where it is damaged.
    func record(of id: VersionID) throws(Failure) -> KeptDocument? {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try PrivateFolder.open("\(path)/\(id.hex)").read(Self.record, limit: Self.recordBytes)
        } catch let error where error.code == ENOENT {
            return nil
        } catch {
            throw Failure(reading: error)
        }
        guard let bytes else { return nil }
        do throws(WireError) { return try KeptDocument(encoded: bytes) } catch {
            throw Failure(.malformed, "\(path)/\(id.hex)/\(Self.record) is damaged: \(error.reason)")
        }
    }

    /// The folder in which it has the name that it had.
    func open(_ id: VersionID) throws(Failure) -> OpenFile {
        try reading { () throws(SystemError) in
            try OpenFile.open("\(path)/\(id.hex)/\(Self.document)", O_RDONLY | O_DIRECTORY)
        }
    }

    /// In no order.
    func all() throws(Failure) -> [KeptVersion] {
        var versions: [KeptVersion] = []
        for id in try ids() {
            if let document = try record(of: id) { versions.append(try version(id, document)) }
        }
        return versions
    }

    func version(_ id: VersionID, _ document: KeptDocument) throws(Failure) -> KeptVersion {
        do throws(WireError) {
            let folder = try AbsolutePath("\(path)/\(id.hex)/\(Self.document)")
            return KeptVersion(
                id: id, path: try document.folder.appending(document.path),
                file: try folder.appending(DocumentPath(bytes: document.path.name)), size: document.size,
                modified: document.modified, kept: document.kept, deviceName: document.deviceName,
                isPackage: document.isPackage)
        } catch {
            throw Failure(.limitReached, error.reason)
        }
    }

    /// One that is not there is removed already.
    func remove(_ id: VersionID) throws(Failure) {
        do throws(SystemError) {
            try PrivateFolder.open("\(path)/\(id.hex)").remove(Self.record)
            try OpenFile.open(path, O_RDONLY | O_DIRECTORY).removeTree(id.hex)
        } catch let error where error.code == ENOENT {
            return
        } catch {
            throw Failure(placing: error)
        }
    }

    /// What a crash left without a record.
    func removeLeftovers() throws(Failure) {
        for id in try ids() where !coming.withLock({ $0.contains(id) }) {
            // In this order: one that is coming has its record before it is not coming any more.
            guard access("\(path)/\(id.hex)/\(Self.record)", F_OK) != 0, errno == ENOENT else { continue }
            try remove(id)
        }
    }

    private func ids() throws(Failure) -> [VersionID] {
        do throws(SystemError) {
            return try PrivateFolder.open(path).folder.entries(atMost: .max).compactMap { try? VersionID(hex: $0) }
        } catch let error where error.code == ENOENT {
            return []
        } catch {
            throw Failure(reading: error)
        }
    }
}
