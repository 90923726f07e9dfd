// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// A container, and the daemon's own folders of this device.
final class DiskFixture {
    let home: TemporaryDirectory
    /// The container's "Documents" folder.
    let folder: AbsolutePath
    let state: String
    let received: String
    let files: DirectoryDocumentFiles
    /// The adapter's wall clock; files have the system's times.
    let clock: TestClock

    static let noon = WallTime(milliseconds: 1_800_000_000_000)

    /// `folder`: nil: within `home`. `apart`: the daemon's own folders are on another file system. `state`: nil: there.
    init(
        folder: String? = nil, apart: Bool = false, state: String? = nil, limits: DocumentLimits = DocumentLimits(),
        abilities: DiskAbilities = DiskAbilities(),
        openFile: @escaping @Sendable (FileToken) throws(Failure) -> OpenFile = { _ throws(Failure) in
            throw Failure(.documentGone, "no app has that open")
        }
    ) throws {
        let home = TemporaryDirectory()
        let other = apart ? TemporaryDirectory(in: "/dev/shm") : home
        let clock = TestClock()
        self.home = home
        self.other = other
        self.clock = clock
        self.folder = try AbsolutePath(try folder ?? home.folder("Documents"))
        self.state = state ?? other.path("state")
        received = other.path("received")
        files = try DirectoryDocumentFiles(
            state: self.state, received: received, limits: limits, abilities: abilities, now: { clock.now },
            openFile: openFile)
    }

    private let other: TemporaryDirectory

    // MARK: Places

    func place(_ path: String) throws -> DocumentLocation { .container(folder: folder, try DocumentPath(path)) }

    func path(_ path: String) -> String { folder.text + "/" + path }

    func bytes(_ path: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(fileURLWithPath: self.path(path)))).map(Array.init)
    }

    func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

    @discardableResult
    func write(_ text: String, to path: String) throws -> String { try write(Array(text.utf8), to: path) }

    @discardableResult
    func write(_ bytes: [UInt8], to path: String) throws -> String {
        let path = self.path(path)
        try FileManager.default.createDirectory(
            atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), withIntermediateDirectories: true)
        // A program that another test starts now must not inherit the descriptor.
        try OpenFile.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644).write(bytes)
        return path
    }

    /// The container's content by path, including hidden items; folders end with a slash.
    func names() -> [String] { Self.tree(folder.text) }

    /// Hidden names in the container and in the daemon's own folder.
    func leftovers() -> [String] {
        names().filter { $0.contains(".handoff-") } + Self.tree(state + "/arriving")
    }

    static func tree(_ path: String) -> [String] {
        let found = FileManager.default.subpaths(atPath: path) ?? []
        return found.map { name in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
            return exists && isFolder.boolValue ? name + "/" : name
        }.sorted()
    }

    // MARK: Reading and receiving

    func look(_ path: String, asPackage: Bool = false) throws -> DocumentSnapshot {
        try files.look(at: try place(path), asPackage: asPackage, hashing: .max)
    }

    func found(_ path: String, asPackage: Bool = false) throws -> FoundDocument? {
        guard case .found(let document) = try look(path, asPackage: asPackage) else { return nil }
        return document
    }

    func order(
        _ path: String, replaces: FileVersion? = nil, conflictCopy: String? = nil, at now: WallTime = noon
    ) throws -> PlacementOrder {
        var randomness = SystemRandomNumberGenerator()
        return PlacementOrder(
            place: try place(path), replaces: replaces, conflictCopy: try conflictCopy.map { try DocumentPath($0) },
            version: .random(using: &randomness), now: now, deviceName: DisplayText(cleaning: "laptop"))
    }

    /// Receives a whole file that replaces the existing one.
    @discardableResult
    func receive(
        _ bytes: [UInt8], as path: String, conflictCopy: String? = nil, at now: WallTime = noon
    ) throws -> PlacementOutcome {
        let arrival = try files.begin(
            .whole(size: UInt64(bytes.count)), for: try place(path), basis: [], left: nil)
        try arrival.append(bytes)
        let outcome = try finish(arrival, as: path, conflictCopy: conflictCopy, at: now)
        if outcome == .changedMeanwhile { arrival.discard() }
        return outcome
    }

    @discardableResult
    func finish(
        _ arrival: any DocumentArrival, as path: String, conflictCopy: String? = nil, at now: WallTime = noon,
        asPackage: Bool = false
    ) throws -> PlacementOutcome {
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(seconds: 1_700_000_000, nanoseconds: 123_456_789), mode: 0o640)
        let replaces = try found(path, asPackage: asPackage)?.version
        return try arrival.place(
            try order(path, replaces: replaces, conflictCopy: conflictCopy, at: now))
    }

    /// The remaining content of a source, in pieces whose length is not aligned with anything.
    static func drain(_ source: any DocumentSource, piece: Int = 10_007) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let next = try source.next(piece)
            if next.isEmpty { return bytes }
            bytes += next
        }
    }
}

final class TestClock: Sendable {
    private let time = Lock<WallTime?>(nil)

    /// Nil: the system's.
    var now: WallTime {
        time.withLock { $0 } ?? WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    func advance(_ duration: Duration) {
        let next = now.advanced(by: duration)
        time.withLock { $0 = next }
    }
}

/// Bytes without a pattern.
func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var randomness = Randomness.seeded(seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { withUnsafeBytes(of: randomness.next()) { bytes += $0 } }
    return Array(bytes[..<count])
}

/// The failure that `body` throws; nil if none.
func failure(_ body: () throws -> Void) -> Failure? {
    do { try body() } catch { return error as? Failure ?? Failure(.internal, "not a failure of ours: \(error)") }
    return nil
}
