// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// The space that a document in transfer takes, and for how long.
@Suite struct RoomTests {
    private static let mebibyte: UInt64 = 1 << 20

    /// Free space of the file system for its user, bytes.
    private func free(_ path: String) -> UInt64 {
        var facts = statvfs()
        return statvfs(path, &facts) == 0 ? UInt64(facts.f_bavail) * UInt64(facts.f_frsize) : 0
    }

    /// Whether less than this is in use since `before`. A process that another test starts holds a removed file until it
    /// runs its program, and nothing reports that moment.
    private func takes(lessThan bytes: UInt64, of path: String, since before: UInt64) -> Bool {
        let end = ContinuousClock.now + .seconds(10)
        while before >= free(path) + bytes {
            guard ContinuousClock.now < end else { return false }
            sched_yield()
        }
        return true
    }

    private func begin(
        _ content: ArrivingContent, in fixture: DiskFixture, as path: String, basis: [DocumentLocation] = [],
        left: (any DocumentArrival)? = nil
    ) throws -> any DocumentArrival {
        try fixture.files.begin(content, for: try fixture.place(path), basis: basis, left: left)
    }

    private func manifest(_ size: UInt64, _ hash: FileDigest, times: Int) throws -> PackageManifest {
        try PackageManifest(
            try (0..<times).map {
                .init(try DocumentPath("\($0)"), .file(size: size, hash: hash, isExecutable: false))
            })
    }

    @Test(.needs(.tmpfs)) func aFileThatWasCutTakesTheRoomOfWhatCame() throws {
        let disk = try #require(SmallDisk(.tmpfs, megabytes: 64))
        let fixture = try DiskFixture(folder: disk.path)
        let before = free(disk.path)
        let arrival = try begin(.whole(size: 40 * Self.mebibyte), in: fixture, as: "ann.txt")
        try arrival.append([7])
        #expect(before - free(disk.path) >= 40 * Self.mebibyte)
        try arrival.suspend()
        #expect(takes(lessThan: Self.mebibyte, of: disk.path, since: before))
        arrival.discard()
    }

    /// Including chunks that were copied from this device, and equal chunks that were received once.
    @Test(.needs(.tmpfs)) func aListThatWasCutTakesTheRoomOfWhatCame() throws {
        let disk = try #require(SmallDisk(.tmpfs, megabytes: 64))
        let fixture = try DiskFixture(folder: disk.path)
        let here = noise(8 << 20, seed: 1)
        try fixture.write(here, to: "ann.txt")
        let source = try fixture.files.open(try fixture.place("ann.txt"), asPackage: false)
        let new = noise(1 << 20, seed: 2)
        let last = noise(1 << 10, seed: 3)
        let repeated = ChunkList.Chunk(length: UInt32(new.count), hash: FileDigest(of: new))
        let list = ChunkList(
            try source.chunks().chunks + [ChunkList.Chunk](repeating: repeated, count: 8)
                + [ChunkList.Chunk(length: UInt32(last.count), hash: FileDigest(of: last))])
        let before = free(disk.path)
        let place = [try fixture.place("ann.txt")]
        let cut = try begin(.chunks(list), in: fixture, as: "ann.txt", basis: place)
        try cut.append(new + last[..<100])
        #expect(before - free(disk.path) > 15 * Self.mebibyte)
        try cut.suspend()
        #expect(takes(lessThan: 2 * Self.mebibyte, of: disk.path, since: before))
        // The next attempt has all of it again.
        let next = try begin(.chunks(list), in: fixture, as: "ann.txt", basis: place, left: cut)
        #expect(next.expected == UInt64(last.count))
        try next.append(last)
        let whole = here + (0..<8).flatMap { _ in new } + last
        #expect(try next.hash() == FileDigest(of: whole))
        next.discard()
        #expect(takes(lessThan: Self.mebibyte, of: disk.path, since: before))
    }

    @Test(.needs(.tmpfs)) func aPackageThatWasCutTakesTheRoomOfWhatCame() throws {
        let disk = try #require(SmallDisk(.tmpfs, megabytes: 64))
        let fixture = try DiskFixture(folder: disk.path)
        try fixture.write(noise(8 << 20, seed: 1), to: "Book/large")
        let (small, rest) = (noise(1 << 20, seed: 2), noise(1 << 20, seed: 3))
        let manifest = try PackageManifest([
            .init(DocumentPath("a"), .file(size: 1 << 20, hash: FileDigest(of: small), isExecutable: false)),
            .init(DocumentPath("b"), .file(size: 1 << 20, hash: FileDigest(of: rest), isExecutable: false)),
            .init(
                DocumentPath("large"),
                .file(size: 8 << 20, hash: FileDigest(of: noise(8 << 20, seed: 1)), isExecutable: false)),
        ])
        let before = free(disk.path)
        let place = [try fixture.place("Book")]
        let cut = try begin(.members(manifest), in: fixture, as: "Book", basis: place)
        try cut.append(small + rest[..<1000])
        #expect(before - free(disk.path) > 9 * Self.mebibyte)
        try cut.suspend()
        #expect(takes(lessThan: 2 * Self.mebibyte, of: disk.path, since: before))
        let next = try begin(.members(manifest), in: fixture, as: "Book", basis: place, left: cut)
        #expect(next.expected == 1 << 20)
        try next.append(rest)
        guard case .placed = try fixture.finish(next, as: "Book", asPackage: true) else {
            return #expect(Bool(false), "it is not there")
        }
        #expect(fixture.bytes("Book/a") == small)
    }

    /// 4 MiB are sent, or none, and 400 are written.
    @Test(.needs(.tmpfs), arguments: [true, false]) func membersWithOneContentAskForTheRoomOfEach(isHere: Bool) throws {
        let disk = try #require(SmallDisk(.tmpfs, megabytes: 64))
        let fixture = try DiskFixture(folder: disk.path)
        let bytes = noise(4 << 20, seed: 1)
        if isHere { try fixture.write(bytes, to: "Book/0") }
        let before = free(disk.path)
        let manifest = try manifest(4 << 20, FileDigest(of: bytes), times: 100)
        let failure = failure {
            _ = try begin(.members(manifest), in: fixture, as: "Book", basis: [try fixture.place("Book")])
        }
        #expect(failure?.code == .documentNotPlaced)
        #expect(failure?.reason.contains("no room") == true)
        #expect(takes(lessThan: Self.mebibyte, of: disk.path, since: before))
        // Content that fits is written as often as required.
        let fitting = try self.manifest(4 << 20, FileDigest(of: bytes), times: 5)
        let arrival = try begin(.members(fitting), in: fixture, as: "Other")
        try arrival.append(bytes)
        guard case .placed = try fixture.finish(arrival, as: "Other", asPackage: true) else {
            return #expect(Bool(false), "it is not there")
        }
        #expect(fixture.bytes("Other/4") == bytes)
    }

    /// The last owner may be the loop.
    @Test func anAbandonedArrivalIsRemovedBesideTheLoop() throws {
        let bodies = Lock<[@Sendable () -> Void]>([])
        let fixture = try DiskFixture()
        var abilities = DiskAbilities()
        abilities.hasUnnamedFiles = false
        let files = try DirectoryDocumentFiles(
            state: fixture.state, received: fixture.received, abilities: abilities,
            openFile: { _ throws(Failure) in throw Failure(.documentGone, "") },
            aside: { body in bodies.withLock { $0.append(body) } })
        let manifest = try PackageManifest([.init(DocumentPath("pages"), .folder)])
        do {
            let contents: [ArrivingContent] = [.whole(size: 1), .chunks(ChunkList([])), .members(manifest)]
            for content in contents {
                _ = try files.begin(content, for: try fixture.place("ann.txt"), basis: [], left: nil)
            }
        }
        #expect(fixture.leftovers().count == 4)
        let taken = bodies.withLock { $0 }
        #expect(taken.count == 3)
        for body in taken { body() }
        #expect(fixture.leftovers() == [])
    }
}
