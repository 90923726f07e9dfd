// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

@Suite struct DocumentRecordTests {
    private static let history = DocumentHistory(
        container: SampleFrames.container, path: SampleFrames.letterPath, device: .max, inode: 42,
        hashes: [SampleFrames.digest, SampleFrames.otherDigest], looked: SampleFrames.noon)

    @Test func historyRoundTrips() throws {
        #expect(try DocumentHistory(encoded: Self.history.encoded()) == Self.history)
        var young = Self.history
        young.hashes = []
        #expect(try DocumentHistory(encoded: young.encoded()) == young)
    }

    @Test func historyHasNoMoreHashesThanAReference() throws {
        var history = Self.history
        history.hashes = Array(repeating: SampleFrames.digest, count: Limits.knownHashes)
        #expect(try DocumentHistory(encoded: history.encoded()) == history)
        history.hashes.append(SampleFrames.digest)
        #expect(throws: WireError(.limitReached, "")) { try DocumentHistory(encoded: history.encoded()) }
    }

    @Test func damagedHistoryIsRefusedOrRead() throws {
        let bytes = try Self.history.encoded()
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x55
            if let read = try? DocumentHistory(encoded: damaged) { _ = try read.encoded() }
            _ = try? DocumentHistory(encoded: bytes[..<index])
        }
        #expect(throws: WireError(.badIdentifier, "")) { try DocumentHistory(encoded: [UInt8]()) }
    }

    @Test func containersRoundTrip() throws {
        let entries = [
            ContainerEntry(container: SampleFrames.container, team: SampleFrames.team),
            ContainerEntry(
                container: try ContainerID("letters"), team: .personal(SampleFrames.account),
                mapped: try AbsolutePath(bytes: [0x2F, 0xFF, 0x2F, 0x61])),
        ]
        #expect(try [ContainerEntry](encoded: entries.encoded()) == entries)
        #expect(try [ContainerEntry](encoded: [UInt8]()).isEmpty)
    }

    @Test func containerWithoutATeamOrInNoFolderIsRefused() throws {
        let name = Array(SampleFrames.container.name.utf8)
        #expect(throws: WireError.self) {
            try [ContainerEntry](encoded: RawMessage().field(1, RawMessage().field(1, name)).bytes)
        }
        let team = RawMessage().field(1, SampleFrames.account.bytes)
        let relative = RawMessage().field(1, name).field(2, team).field(3, [0x61])
        #expect(throws: WireError(.badIdentifier, "")) {
            try [ContainerEntry](encoded: RawMessage().field(1, relative).bytes)
        }
    }
}
