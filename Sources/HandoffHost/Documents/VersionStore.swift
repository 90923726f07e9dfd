// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffSystem
package import HandoffWire

/// Each version is a folder with a record of the document's place and, in another folder, the document. The record is
/// written last and removed first, so a version with a record is complete.
final class VersionStore: Sendable {
    private static let record = "record"
    private static let document = "document"
    private static let recordBytes = 64 * 1024

    let path: String
    private let disk: DiskAbilities
    private let limits: DocumentLimits
    /// Versions that are being kept, restored or removed, each by one job.
    private let inUse = Lock<Set<VersionID>>([])
    /// Bytes; nil: unknown.
    private let total = Lock<UInt64?>(nil)

    /// `path` is created when needed.
    init(path: String, disk: DiskAbilities, limits: DocumentLimits) {
        self.path = path
        self.disk = disk
        self.limits = limits
    }

    /// Keeps hard links if `sharing` and the file system allow, else copies; synced. First removes the oldest versions
    /// beyond the limit. Returns the original's version afterwards, see `Duplicate`.
    func keep(
        _ id: VersionID, _ name: [UInt8], in folder: borrowing OpenFile, sharing: Bool, as document: KeptDocument
    ) throws(Failure) -> FileVersion {
        let record: [UInt8]
        do throws(WireError) { record = try document.encoded() } catch { throw Failure(.limitReached, error.reason) }
        try use(id)
        defer { letGo(id) }
        makeRoom(for: document.size, at: document.kept)
        let store = try placing { () throws(SystemError) in try PrivateFolder.make(path) }
        let home = try placing { () throws(SystemError) in try PrivateFolder.make("\(path)/\(id.hex)") }
        let inner = try placing { () throws(SystemError) in
            try PrivateFolder.make("\(home.path)/\(Self.document)")
        }
        let version = try Duplicate(disk: disk, sharesFiles: sharing).make(
            disk.fitting(Array(document.path.name), in: inner.folder), in: inner.folder, of: name, in: folder)
        try placing { () throws(SystemError) in
            try store.folder.sync()
            try home.write(record, to: Self.record)
        }
        return version
    }

    /// Throws `.malformed` if it is damaged.
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

    func open(_ id: VersionID) throws(Failure) -> OpenFile {
        try reading { () throws(SystemError) in
            try OpenFile.open("\(path)/\(id.hex)/\(Self.document)", O_RDONLY | O_DIRECTORY)
        }
    }

    func links(to file: stat) -> UInt64 {
        guard let ids = try? ids() else { return 0 }
        return ids.reduce(0) { count, id in
            guard let folder = try? open(id), let name = (try? folder.names(atMost: 1))?.first,
                let status = try? folder.status(of: name)
            else { return count }
            return FileNumber(status) == FileNumber(file) ? count + 1 : count
        }
    }

    /// Unsorted. Throws a record's damage only if no version is readable.
    func all() throws(Failure) -> [KeptVersion] {
        var versions: [KeptVersion] = []
        var damage: Failure?
        for id in try ids() {
            do throws(Failure) {
                if let document = try record(of: id) { versions.append(try version(id, document)) }
            } catch {
                damage = error
            }
        }
        if versions.isEmpty, let damage { throw damage }
        return versions
    }

    func version(_ id: VersionID, _ document: KeptDocument) throws(Failure) -> KeptVersion {
        var name = Array(document.path.name)
        if !DiskAbilities.fitsAnywhere(name) { name = try disk.fitting(name, in: open(id)) }
        do throws(WireError) {
            let folder = try AbsolutePath("\(path)/\(id.hex)/\(Self.document)")
            return KeptVersion(
                id: id, path: try document.folder.appending(document.path),
                file: try folder.appending(DocumentPath(bytes: name)), size: document.size,
                modified: document.modified, kept: document.kept, deviceName: document.deviceName,
                isPackage: document.isPackage)
        } catch {
            throw Failure(.limitReached, error.reason)
        }
    }

    /// No other job removes it until `letGo`. Throws if it is in use.
    func use(_ id: VersionID) throws(Failure) {
        guard inUse.withLock({ $0.insert(id).inserted }) else {
            throw Failure(.documentChanged, "the version \(id.short) is being restored or removed")
        }
    }

    func letGo(_ id: VersionID) { inUse.withLock { _ = $0.remove(id) } }

    /// A missing version is not an error.
    func remove(_ id: VersionID) throws(Failure) {
        total.withLock { $0 = nil }
        try removeFiles(of: id)
    }

    private func removeFiles(of id: VersionID) throws(Failure) {
        do throws(SystemError) {
            let store = try PrivateFolder.open(path)
            // If this fails, `removeTree` makes the folder writable.
            if let home = try? store.folder.open(id.hex, O_RDONLY | O_DIRECTORY) {
                unlinkat(home.descriptor, Self.record, 0)
                try? home.sync()
            }
            try store.folder.removeTree(id.hex)
        } catch let error where error.code == ENOENT {
            return
        } catch {
            throw Failure(placing: error)
        }
    }

    // MARK: Removal

    private func makeRoom(for size: UInt64, at now: WallTime) {
        total.withLock { total in
            if let known = total, case (let sum, false) = known.addingReportingOverflow(size),
                sum <= limits.versionBytes
            {
                total = sum
                return
            }
            let versions = readable().versions
            let expired = versions.expired(at: now, adding: size, limits: limits)
            // `removeExpired` retries, and reports failures.
            _ = removeUnused(expired.map(\.id))
            let gone = Set(expired.map(\.id))
            total = versions.reduce(size) { sum, version in
                let (next, overflow) = sum.addingReportingOverflow(gone.contains(version.id) ? 0 : version.size)
                return overflow ? .max : next
            }
        }
    }

    /// Returns why expired versions remain.
    func removeExpired(at now: WallTime) -> [Failure] {
        let (versions, damaged, failures) = readable()
        let expired = versions.expired(at: now, limits: limits).map(\.id)
        return failures + removeUnused(expired + damaged.filter { isExpired($0, at: now) })
    }

    /// A crash leaves versions without a record.
    func removeLeftovers() -> [Failure] {
        guard let ids = try? ids() else { return [] }
        return removeUnused(ids) { id in
            access("\(path)/\(id.hex)/\(Self.record)", F_OK) != 0 && errno == ENOENT
        }
    }

    private func removeUnused(_ ids: [VersionID], where isToGo: (VersionID) -> Bool = { _ in true }) -> [Failure] {
        var left: [Failure] = []
        for id in ids {
            guard (try? use(id)) != nil else { continue }
            defer { letGo(id) }
            // No job is keeping it now; a job that did has written its record.
            guard isToGo(id) else { continue }
            do throws(Failure) { try removeFiles(of: id) } catch { left.append(error) }
        }
        return left
    }

    /// By the folder's time, because the record cannot be read.
    private func isExpired(_ id: VersionID, at now: WallTime) -> Bool {
        guard let store = try? PrivateFolder.open(path),
            let status = try? store.folder.status(of: Array(id.hex.utf8))
        else { return false }
        let kept = WallTime(milliseconds: FileTime(status.st_ctim).nanoseconds / 1_000_000)
        return kept.duration(to: now) > limits.keepVersions
    }

    private func readable() -> (versions: [KeptVersion], damaged: [VersionID], failures: [Failure]) {
        var (versions, damaged, failures): ([KeptVersion], [VersionID], [Failure]) = ([], [], [])
        do throws(Failure) {
            for id in try ids() {
                do throws(Failure) {
                    if let document = try record(of: id) { versions.append(try version(id, document)) }
                } catch {
                    damaged.append(id)
                    failures.append(error)
                }
            }
        } catch {
            failures.append(error)
        }
        return (versions, damaged, failures)
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

package enum LocalClock {
    /// Positive east of Greenwich.
    package static func secondsFromUTC(at time: WallTime) -> Int {
        var seconds = time_t(time.milliseconds / 1000)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return 0 }
        return local.tm_gmtoff
    }
}
