// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// A file whose missing chunks are received.
@Suite struct ChunkArrivalTests {
    let fixture: DiskFixture
    let origin: DiskFixture
    private let old = noise(1_000_000, seed: 1)
    /// Changed in the middle, and longer at the beginning.
    private let new: [UInt8]

    init() throws {
        fixture = try DiskFixture()
        origin = try DiskFixture()
        var new = noise(100, seed: 2) + old
        new.replaceSubrange(500_000..<500_100, with: noise(100, seed: 3))
        self.new = new
        try fixture.write(old, to: "photo.raw")
        try origin.write(new, to: "photo.raw")
    }

    private func source() throws -> any DocumentSource {
        try origin.files.open(try origin.place("photo.raw"), asPackage: false)
    }

    private func begin(
        _ list: ChunkList, basis: [String] = ["photo.raw"], left: (any DocumentArrival)? = nil
    ) throws -> any DocumentArrival {
        try fixture.files.begin(
            .chunks(list), for: try fixture.place("photo.raw"), basis: try basis.map { try fixture.place($0) },
            left: left)
    }

    private func wished(_ source: any DocumentSource, _ arrival: any DocumentArrival) throws -> [UInt8] {
        try source.select(arrival.wish)
        return try DiskFixture.drain(source)
    }

    @Test(arguments: [1, 4999, 100_000, 10_000_000]) func onlyWhatIsNotHereComes(piece: Int) throws {
        let source = try source()
        let arrival = try begin(try source.chunks())
        let bytes = try wished(source, arrival)
        #expect(arrival.expected == UInt64(bytes.count))
        #expect(bytes.count < 200_000)
        for begin in stride(from: 0, to: bytes.count, by: piece) {
            try arrival.append(Array(bytes[begin..<min(begin + piece, bytes.count)]))
        }
        #expect(try arrival.hash() == FileDigest(of: new))
        try fixture.finish(arrival, as: "photo.raw")
        #expect(fixture.bytes("photo.raw") == new)
        #expect(fixture.names() == ["photo.raw"])
    }

    @Test func withoutABasisAllOfItComes() throws {
        let source = try source()
        let arrival = try begin(try source.chunks(), basis: ["missing.raw"])
        #expect(arrival.expected == UInt64(new.count))
        try arrival.append(try wished(source, arrival))
        #expect(try arrival.hash() == FileDigest(of: new))
    }

    @Test func identicalFileTransfersNoBytes() throws {
        try origin.write(old, to: "photo.raw")
        let arrival = try begin(try source().chunks())
        #expect(arrival.expected == 0)
        #expect(try arrival.hash() == FileDigest(of: old))
        #expect(failure { try arrival.append([1]) }?.code == .malformed)
    }

    @Test func severalFilesCanBeABasis() throws {
        try fixture.write(Array(new[..<600_000]), to: "one.raw")
        try fixture.write(Array(new[400_000...]), to: "other.raw")
        let arrival = try begin(try source().chunks(), basis: ["one.raw", "other.raw"])
        #expect(arrival.expected == 0)
        #expect(try arrival.hash() == FileDigest(of: new))
    }

    @Test func theSameContentComesOnce() throws {
        let tile = noise(200_000, seed: 5)
        try origin.write(tile + tile + tile, to: "photo.raw")
        let source = try source()
        let arrival = try begin(try source.chunks(), basis: [])
        #expect(arrival.expected < 450_000)
        try arrival.append(try wished(source, arrival))
        #expect(try arrival.hash() == FileDigest(of: tile + tile + tile))
        let zeros = [UInt8](repeating: 0, count: 1_000_000)
        try origin.write(zeros, to: "photo.raw")
        let other = try begin(try self.source().chunks(), basis: [])
        #expect(other.expected < 140_000)
    }

    // MARK: Lies

    @Test func aPartThatIsNotWhatTheListSaysIsRefused() throws {
        let source = try source()
        let arrival = try begin(try source.chunks())
        var bytes = try wished(source, arrival)
        bytes[bytes.count / 2] ^= 1
        let failure = failure { try arrival.append(bytes) }
        #expect(failure?.code == .malformed)
        #expect(failure?.reason == "a chunk of a document does not match the chunk list")
        #expect(fixture.bytes("photo.raw") == old)
    }

    @Test func moreDataThanRequestedIsRefused() throws {
        let source = try source()
        let arrival = try begin(try source.chunks())
        try arrival.append(try wished(source, arrival))
        #expect(failure { try arrival.append([1]) }?.code == .malformed)
    }

    @Test func lessDataThanRequestedIsRefused() throws {
        let source = try source()
        let arrival = try begin(try source.chunks())
        try arrival.append(Array(try wished(source, arrival).dropLast()))
        #expect(failure { _ = try arrival.hash() }?.code == .malformed)
    }

    @Test func aListOfMoreThanAFileMayHaveIsRefused() throws {
        let chunk = ChunkList.Chunk(length: .max, hash: FileDigest(of: []))
        let failure = failure { _ = try begin(ChunkList([ChunkList.Chunk](repeating: chunk, count: 5))) }
        #expect(failure?.code == .limitReached)
    }

    /// The bytes written are those that were hashed, so a basis may change.
    @Test func aBasisThatChangesUnderneathSpoilsNothing() throws {
        let path = fixture.path("photo.raw")
        let isDone = Lock(false)
        let ended = DispatchSemaphore(value: 0)
        DetachedThread.start {
            let descriptor = open(path, O_WRONLY)
            var randomness = SystemRandomNumberGenerator()
            while !isDone.withLock({ $0 }) {
                var byte = UInt8.random(in: 0...255, using: &randomness)
                pwrite(descriptor, &byte, 1, off_t.random(in: 0..<1_000_000, using: &randomness))
            }
            close(descriptor)
            ended.signal()
        }
        let source = try source()
        let list = try source.chunks()
        for _ in 0..<10 {
            let arrival = try begin(list)
            try arrival.append(try wished(source, arrival))
            #expect(try arrival.hash() == FileDigest(of: new))
        }
        isDone.withLock { $0 = true }
        #expect(ended.wait(timeout: .now() + 60) == .success)
    }

    // MARK: Prepared chunks

    /// In their original order, in another order, and twice.
    @Test(arguments: 0..<3) func preparedChunksAreReused(change: Int) throws {
        let contents = [new, Array(old[500_000...] + old[..<500_000]), old + old]
        try origin.write(contents[change], to: "photo.raw")
        let source = try source()
        let list = try source.chunks()
        let expected = try begin(list).expected
        fixture.files.prepare([try fixture.place("photo.raw")], for: UInt64(contents[change].count))
        let arrival = try begin(list)
        #expect(arrival.expected == expected && expected < 300_000)
        try arrival.append(try wished(source, arrival))
        #expect(try arrival.hash() == FileDigest(of: contents[change]))
        try fixture.finish(arrival, as: "photo.raw")
        #expect(fixture.bytes("photo.raw") == contents[change])
    }

    @Test func fileChangedAfterPreparationIsReadAgain() throws {
        fixture.files.prepare([try fixture.place("photo.raw")], for: UInt64(new.count))
        try fixture.write(noise(1_000_000, seed: 9), to: "photo.raw")
        let source = try source()
        let arrival = try begin(try source.chunks())
        #expect(arrival.expected == UInt64(new.count))
        try arrival.append(try wished(source, arrival))
        #expect(try arrival.hash() == FileDigest(of: new))
    }

    @Test func onlyRegularFilesArePrepared() throws {
        try fixture.home.folder("Documents/folder")
        mkfifo(fixture.path("pipe"), 0o600)
        for name in ["missing", "folder", "pipe"] { fixture.files.prepare([try fixture.place(name)], for: 1_000_000) }
        let source = try source()
        #expect(try begin(try source.chunks()).expected < 200_000)
    }

    // MARK: A later attempt

    @Test func bytesReceivedBeforeACutAreNotSentAgain() throws {
        let source = try source()
        let list = try source.chunks()
        let first = try begin(list, basis: [])
        try first.append(Array(new[..<500_000]))
        let second = try begin(list, basis: [], left: first)
        #expect(second.expected < UInt64(new.count) - 430_000)
        #expect(failure { try first.append([1]) } != nil)
        try second.append(try wished(source, second))
        #expect(try second.hash() == FileDigest(of: new))
        first.discard()
        try fixture.finish(second, as: "photo.raw")
        #expect(fixture.bytes("photo.raw") == new)
    }

    @Test func partOfAWholeFileServesAsBasis() throws {
        let first = try fixture.files.begin(
            .whole(size: UInt64(new.count)), for: try fixture.place("photo.raw"), basis: [], left: nil)
        try first.append(Array(new[..<500_000]))
        let source = try source()
        let second = try begin(try source.chunks(), basis: [], left: first)
        #expect(second.expected < UInt64(new.count) - 430_000)
        first.discard()
        try second.append(try wished(source, second))
        #expect(try second.hash() == FileDigest(of: new))
    }

    /// The origin has changed it in the meantime.
    @Test func partOfAnotherVersionServesAsBasis() throws {
        let first = try begin(try source().chunks(), basis: [])
        try first.append(Array(new[..<500_000]))
        let newer = new + noise(1000, seed: 9)
        try origin.write(newer, to: "photo.raw")
        let source = try source()
        let second = try begin(try source.chunks(), basis: [], left: first)
        #expect(second.expected < UInt64(newer.count) - 430_000)
        first.discard()
        try second.append(try wished(source, second))
        #expect(try second.hash() == FileDigest(of: newer))
    }

    @Test func discardedArrivalDoesNotServeAsBasis() throws {
        let source = try source()
        let list = try source.chunks()
        let first = try begin(list, basis: [])
        first.discard()
        let second = try begin(list, basis: [], left: first)
        #expect(second.expected == UInt64(new.count))
        try second.append(try wished(source, second))
        #expect(try second.hash() == FileDigest(of: new))
    }
}
