// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

@Suite struct ArrivingDocumentTests {
    private func begin(_ desk: DocumentDesk, _ size: UInt64, as path: String = "ann.txt") throws -> any DocumentArrival
    {
        try desk.files.begin(.whole(size: size), for: try desk.place(path), basis: [], left: nil)
    }

    @Test func aFileComesWithItsTimeAndItsMode() throws {
        let desk = try DocumentDesk()
        let outcome = try desk.receive(Array("Dear Ann".utf8), as: "letters/2026/ann.txt")
        #expect(desk.text("letters/2026/ann.txt") == "Dear Ann")
        let found = try #require(try desk.found("letters/2026/ann.txt"))
        #expect(outcome == .placed(try AbsolutePath(desk.path("letters/2026/ann.txt")), found))
        #expect(found.version.modified == FileTime(seconds: 1_700_000_000, nanoseconds: 123_456_789))
        #expect(found.version.mode == 0o640)
        #expect(desk.leftovers() == [])
        #expect(try desk.files.versions() == [])
    }

    @Test func arrivingDocumentIsInvisibleUntilPlaced() throws {
        let desk = try DocumentDesk()
        let arrival = try begin(desk, 8, as: "letters/ann.txt")
        #expect(arrival.wish == nil)
        #expect(arrival.expected == 8)
        try arrival.append(Array("Dear Ann".utf8))
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        #expect(desk.names() == [])
        _ = try arrival.place(try desk.order("letters/ann.txt"))
        #expect(desk.names() == ["letters/", "letters/ann.txt"])
    }

    @Test func setUserIDBitsAreNotTakenOver() throws {
        let desk = try DocumentDesk()
        let arrival = try begin(desk, 0)
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: -1), mode: 0o6755)
        _ = try arrival.place(try desk.order("ann.txt"))
        #expect(desk.home.mode("Documents/ann.txt") == 0o644)
        #expect(try desk.found("ann.txt")?.version.modified == FileTime(nanoseconds: -1))
    }

    @Test(arguments: [true, false]) func abandonedArrivalLeavesNoFiles(isSaid: Bool) throws {
        let desk = try DocumentDesk()
        do {
            let arrival = try begin(desk, 8, as: "letters/ann.txt")
            try arrival.append(Array("Dear".utf8))
            if isSaid { arrival.discard() }
            if isSaid { #expect(failure { try arrival.append([1]) } != nil) }
        }
        #expect(desk.names() == [])
        #expect(desk.leftovers() == [])
    }

    @Test func moreThanWasSaidIsRefused() throws {
        let desk = try DocumentDesk()
        let arrival = try begin(desk, 8)
        try arrival.append(Array("Dear".utf8))
        #expect(failure { try arrival.append(Array(" Anne".utf8)) }?.code == .malformed)
    }

    @Test func lessThanWasSaidIsRefused() throws {
        let desk = try DocumentDesk()
        let arrival = try begin(desk, 8)
        try arrival.append(Array("Dear".utf8))
        let failure = failure { _ = try arrival.hash() }
        #expect(failure?.code == .malformed)
        #expect(failure?.reason == "4 bytes of a document are missing")
    }

    /// The adapter hashes the received bytes; its caller compares the hash with the announced one.
    @Test func theHashIsOfWhatCame() throws {
        let desk = try DocumentDesk()
        let bytes = noise(70_000, seed: 2)
        let arrival = try begin(desk, 70_000)
        for begin in stride(from: 0, to: bytes.count, by: 999) {
            try arrival.append(Array(bytes[begin..<min(begin + 999, bytes.count)]))
        }
        #expect(try arrival.hash() == FileDigest(of: bytes))
        #expect(try arrival.hash() == FileDigest(of: bytes))
    }

    @Test func placingRequiresHashAndSync() throws {
        let desk = try DocumentDesk()
        let arrival = try begin(desk, 0)
        #expect(failure { _ = try arrival.place(try desk.order("ann.txt")) }?.code == .internal)
        _ = try arrival.hash()
        #expect(failure { _ = try arrival.place(try desk.order("ann.txt")) }?.code == .internal)
        #expect(desk.names() == [])
    }

    // MARK: No room

    @Test func aSizeThatNoFileHasIsRefused() throws {
        let desk = try DocumentDesk()
        for size in [UInt64.max, UInt64(Int64.max), 1 << 60] {
            let failure = failure { _ = try begin(desk, size) }
            #expect(failure?.code == .documentNotPlaced)
            #expect(failure?.reason.contains(desk.folder.text) == true)
        }
        #expect(desk.names() == [])
    }

    @Test(.needs(.tmpfs), .needs(.ext4), arguments: [SmallDisk.Kind.tmpfs, .ext4])
    func aFullDiskIsKnownBeforeAByteComes(kind: SmallDisk.Kind) throws {
        let disk = try #require(SmallDisk(kind, megabytes: 8))
        let desk = try DocumentDesk(folder: disk.path)
        try desk.write("old", to: "ann.txt")
        let failure = failure { _ = try begin(desk, 20 << 20) }
        #expect(failure?.code == .documentNotPlaced)
        #expect(failure?.reason.contains("the disk has no room for \(disk.path)") == true)
        let list = ChunkList([ChunkList.Chunk(length: 20 << 20, hash: FileDigest(of: []))])
        #expect(
            HandoffHostTests.failure {
                _ = try desk.files.begin(.chunks(list), for: try desk.place("ann.txt"), basis: [], left: nil)
            }?.code == .documentNotPlaced)
        #expect(desk.text("ann.txt") == "old")
        // A document that fits is accepted.
        try desk.receive(noise(1 << 20, seed: 1), as: "ann.txt")
        #expect(desk.bytes("ann.txt")?.count == 1 << 20)
        #expect(desk.names().filter { $0 != "lost+found/" } == ["ann.txt"])
    }

    /// The existing document could not be kept as a version, so it stays.
    @Test(.needs(.tmpfs))
    func documentIsNotReplacedIfItCannotBeKept() throws {
        let disk = try #require(SmallDisk(.tmpfs, megabytes: 1))
        let desk = try DocumentDesk()
        let files = try DirectoryDocumentFiles(state: disk.path, received: desk.received) { _ throws(Failure) in
            throw Failure(.documentGone, "")
        }
        try desk.write(noise(3 << 20, seed: 1), to: "ann.txt")
        for copy in [nil, "ann (laptop).txt"] {
            let arrival = try files.begin(.whole(size: 0), for: try desk.place("ann.txt"), basis: [], left: nil)
            _ = try arrival.hash()
            try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
            let order = try desk.order("ann.txt", replaces: try desk.found("ann.txt")?.version, conflictCopy: copy)
            let failure = failure { _ = try arrival.place(order) }
            #expect(failure?.code == .documentNotPlaced)
            #expect(failure?.reason.contains("\(disk.path)/versions") == true)
        }
        #expect(desk.bytes("ann.txt") == noise(3 << 20, seed: 1))
        #expect(desk.names() == ["ann.txt"])
        #expect(DocumentDesk.tree(disk.path).allSatisfy { $0 == "versions/" || $0 == "arriving/" })
    }

    @Test(.needs(.readOnly))
    func aReadOnlyFileSystemIsSaid() throws {
        let disk = try #require(SmallDisk(.readOnly))
        let desk = try DocumentDesk(folder: disk.path)
        let failure = failure { _ = try begin(desk, 1) }
        #expect(failure?.code == .documentNotPlaced)
        #expect(failure?.reason.contains(disk.path) == true)
        #expect(try desk.files.storage(of: desk.folder).readOnly?.contains("read-only") == true)
    }

    // MARK: Copies of documents outside containers

    @Test func aCopyLiesInAFolderOfItsContinuation() throws {
        let desk = try DocumentDesk()
        let continuation = ContinuationID(uncheckedBytes: [UInt8](repeating: 0xAB, count: 16))
        let place = DocumentLocation.received(continuation, name: try DocumentPath("ann.txt"))
        let arrival = try desk.files.begin(.whole(size: 1), for: place, basis: [], left: nil)
        try arrival.append([7])
        _ = try arrival.hash()
        try arrival.sync(modified: FileTime(nanoseconds: 0), mode: 0o644)
        var order = try desk.order("ann.txt")
        order.place = place
        let path = try AbsolutePath(desk.received + "/" + continuation.hex + "/ann.txt")
        guard case .placed(path, let found) = try arrival.place(order) else {
            return #expect(Bool(false), "it is not there")
        }
        #expect(found.path == (try DocumentPath("ann.txt")))
        #expect(desk.home.mode("received") == 0o700)
        #expect(desk.home.mode("received/" + continuation.hex) == 0o700)
        guard case .found(let looked) = try desk.files.look(at: place, asPackage: false, hashing: .max) else {
            return #expect(Bool(false), "it is not there")
        }
        #expect(looked == found)
    }
}
