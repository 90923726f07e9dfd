// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

@Suite struct ArrivingDocumentTests {
    private func begin(_ fixture: DiskFixture, _ size: UInt64, as path: String = "ann.txt") throws
        -> any DocumentArrival
    {
        try fixture.files.begin(.whole(size: size), for: try fixture.place(path), basis: [], left: nil)
    }

    @Test func aFileComesWithItsTimeAndItsMode() throws {
        let fixture = try DiskFixture()
        let outcome = try fixture.receive(Array("Dear Ann".utf8), as: "letters/2026/ann.txt")
        #expect(fixture.text("letters/2026/ann.txt") == "Dear Ann")
        let found = try #require(try fixture.found("letters/2026/ann.txt"))
        #expect(outcome == .placed(try AbsolutePath(fixture.path("letters/2026/ann.txt")), found))
        #expect(found.version.modified == FileTime(seconds: 1_700_000_000, nanoseconds: 123_456_789))
        #expect(found.version.mode == 0o640)
        #expect(fixture.leftovers() == [])
        #expect(try fixture.files.versions() == [])
    }

    @Test func arrivingDocumentIsInvisibleUntilPlaced() throws {
        let fixture = try DiskFixture()
        let arrival = try begin(fixture, 8, as: "letters/ann.txt")
        #expect(arrival.wish == nil)
        #expect(arrival.expected == 8)
        try arrival.append(Array("Dear Ann".utf8))
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        #expect(fixture.names() == [])
        _ = try arrival.place(try fixture.order("letters/ann.txt"))
        #expect(fixture.names() == ["letters/", "letters/ann.txt"])
    }

    @Test func setUserIDBitsAreNotTakenOver() throws {
        let fixture = try DiskFixture()
        let arrival = try begin(fixture, 0)
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: -1), mode: 0o6755)
        _ = try arrival.place(try fixture.order("ann.txt"))
        #expect(fixture.home.mode("Documents/ann.txt") == 0o644)
        #expect(try fixture.found("ann.txt")?.version.modified == FileTime(nanoseconds: -1))
    }

    @Test(arguments: [true, false]) func abandonedArrivalLeavesNoFiles(isSaid: Bool) throws {
        let fixture = try DiskFixture()
        do {
            let arrival = try begin(fixture, 8, as: "letters/ann.txt")
            try arrival.append(Array("Dear".utf8))
            if isSaid { arrival.discard() }
            if isSaid { #expect(failure { try arrival.append([1]) } != nil) }
        }
        #expect(fixture.names() == [])
        #expect(fixture.leftovers() == [])
    }

    @Test func moreThanWasSaidIsRefused() throws {
        let fixture = try DiskFixture()
        let arrival = try begin(fixture, 8)
        try arrival.append(Array("Dear".utf8))
        #expect(failure { try arrival.append(Array(" Anne".utf8)) }?.code == .malformed)
    }

    @Test func lessThanWasSaidIsRefused() throws {
        let fixture = try DiskFixture()
        let arrival = try begin(fixture, 8)
        try arrival.append(Array("Dear".utf8))
        let failure = failure { _ = try arrival.hash() }
        #expect(failure?.code == .malformed)
        #expect(failure?.reason == "4 bytes of a document are missing")
    }

    /// The adapter hashes the received bytes; its caller compares the hash with the announced one.
    @Test func theHashIsOfWhatCame() throws {
        let fixture = try DiskFixture()
        let bytes = noise(70_000, seed: 2)
        let arrival = try begin(fixture, 70_000)
        for begin in stride(from: 0, to: bytes.count, by: 999) {
            try arrival.append(Array(bytes[begin..<min(begin + 999, bytes.count)]))
        }
        #expect(try arrival.hash() == FileDigest(of: bytes))
        #expect(try arrival.hash() == FileDigest(of: bytes))
    }

    @Test func placingRequiresHashAndSync() throws {
        let fixture = try DiskFixture()
        let arrival = try begin(fixture, 0)
        #expect(failure { _ = try arrival.place(try fixture.order("ann.txt")) }?.code == .internal)
        _ = try arrival.hash()
        #expect(failure { _ = try arrival.place(try fixture.order("ann.txt")) }?.code == .internal)
        #expect(fixture.names() == [])
    }

    // MARK: No room

    @Test func aSizeThatNoFileHasIsRefused() throws {
        let fixture = try DiskFixture()
        for size in [UInt64.max, UInt64(Int64.max), 1 << 60] {
            let failure = failure { _ = try begin(fixture, size) }
            #expect(failure?.code == .documentNotPlaced)
            #expect(failure?.reason.contains(fixture.folder.text) == true)
        }
        #expect(fixture.names() == [])
    }

    @Test(.needs(.tmpfs), .needs(.ext4), arguments: [SmallDisk.Kind.tmpfs, .ext4])
    func aFullDiskIsKnownBeforeAByteComes(kind: SmallDisk.Kind) throws {
        let disk = try #require(SmallDisk(kind, megabytes: 8))
        let fixture = try DiskFixture(folder: disk.path)
        try fixture.write("old", to: "ann.txt")
        let failure = failure { _ = try begin(fixture, 20 << 20) }
        #expect(failure?.code == .documentNotPlaced)
        #expect(failure?.reason.contains("the disk has no room for \(disk.path)") == true)
        let list = ChunkList([ChunkList.Chunk(length: 20 << 20, hash: FileDigest(of: []))])
        #expect(
            HandoffHostTests.failure {
                _ = try fixture.files.begin(.chunks(list), for: try fixture.place("ann.txt"), basis: [], left: nil)
            }?.code == .documentNotPlaced)
        #expect(fixture.text("ann.txt") == "old")
        // A document that fits is accepted.
        try fixture.receive(noise(1 << 20, seed: 1), as: "ann.txt")
        #expect(fixture.bytes("ann.txt")?.count == 1 << 20)
        #expect(fixture.names().filter { $0 != "lost+found/" } == ["ann.txt"])
    }

    /// The existing document could not be kept as a version, so it stays.
    @Test(.needs(.tmpfs))
    func documentIsNotReplacedIfItCannotBeKept() throws {
        let disk = try #require(SmallDisk(.tmpfs, megabytes: 1))
        let fixture = try DiskFixture()
        let files = try DirectoryDocumentFiles(state: disk.path, received: fixture.received) { _ throws(Failure) in
            throw Failure(.documentGone, "")
        }
        try fixture.write(noise(3 << 20, seed: 1), to: "ann.txt")
        for copy in [nil, "ann (laptop).txt"] {
            let arrival = try files.begin(.whole(size: 0), for: try fixture.place("ann.txt"), basis: [], left: nil)
            _ = try arrival.hash()
            try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
            let order = try fixture.order(
                "ann.txt", replaces: try fixture.found("ann.txt")?.version, conflictCopy: copy)
            let failure = failure { _ = try arrival.place(order) }
            #expect(failure?.code == .documentNotPlaced)
            #expect(failure?.reason.contains("\(disk.path)/versions") == true)
        }
        #expect(fixture.bytes("ann.txt") == noise(3 << 20, seed: 1))
        #expect(fixture.names() == ["ann.txt"])
        #expect(DiskFixture.tree(disk.path).allSatisfy { $0 == "versions/" || $0 == "arriving/" })
    }

    @Test(.needs(.readOnly))
    func aReadOnlyFileSystemIsReported() throws {
        let disk = try #require(SmallDisk(.readOnly))
        let fixture = try DiskFixture(folder: disk.path)
        let failure = failure { _ = try begin(fixture, 1) }
        #expect(failure?.code == .documentNotPlaced)
        #expect(failure?.reason.contains(disk.path) == true)
        #expect(try fixture.files.storage(of: fixture.folder, creating: true).readOnly?.contains("read-only") == true)
    }

    // MARK: Copies of documents outside containers

    @Test func aCopyIsStoredInAFolderOfItsContinuation() throws {
        let fixture = try DiskFixture()
        let continuation = ContinuationID(uncheckedBytes: [UInt8](repeating: 0xAB, count: 16))
        let place = DocumentLocation.received(continuation, name: try DocumentPath("ann.txt"))
        let arrival = try fixture.files.begin(.whole(size: 1), for: place, basis: [], left: nil)
        try arrival.append([7])
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        var order = try fixture.order("ann.txt")
        order.place = place
        let path = try AbsolutePath(fixture.received + "/" + continuation.hex + "/ann.txt")
        guard case .placed(path, let found) = try arrival.place(order) else {
            return #expect(Bool(false), "it is not there")
        }
        #expect(found.path == (try DocumentPath("ann.txt")))
        #expect(fixture.home.mode("received") == 0o700)
        #expect(fixture.home.mode("received/" + continuation.hex) == 0o700)
        guard case .found(let looked) = try fixture.files.look(at: place, asPackage: false, hashing: .max) else {
            return #expect(Bool(false), "it is not there")
        }
        #expect(looked == found)
    }
}
