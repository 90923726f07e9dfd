// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

/// Shows W04: the files of sends, and the rules for what may be sent.
@Suite struct StoredSendTests {
    private static let all: [StoredSend.Content] = [
        .activity(SampleFrames.sent), .refused(SampleFrames.sent.offer, SampleFrames.failure),
        .ended(SampleFrames.activity),
    ]

    @Test(arguments: all) func everyStoredSendRoundTrips(content: StoredSend.Content) throws {
        let stored = StoredSend(device: SampleFrames.device, time: SampleFrames.noon, content: content)
        #expect(try StoredSend(encoded: stored.encoded()) == stored)
        #expect(stored.activity == SampleFrames.activity)
    }

    @Test func endedSendKeepsOnlyItsID() throws {
        let stored = StoredSend(
            device: SampleFrames.device, time: SampleFrames.noon, content: .ended(SampleFrames.activity))
        #expect(try stored.encoded().count < 80)
    }

    @Test func anotherVersionIsRefused() throws {
        var bytes = try StoredSend(
            device: SampleFrames.device, time: SampleFrames.noon, content: .ended(SampleFrames.activity)
        ).encoded()
        #expect(bytes.prefix(2) == [8, 1])
        bytes[1] = 2
        #expect(throws: WireError.self) { try StoredSend(encoded: bytes) }
        #expect(throws: WireError.self) { try StoredSend(encoded: [UInt8]()) }
    }

    @Test func soManyBytesAreSent() throws {
        #expect(Limits.sentActivityBytes == 256 * 1024)
        var (sent, state) = (SampleFrames.sent, SampleFrames.state)
        (state.supportsStreams, state.keywords) = (false, [])
        sent.state = try CarriedState(state)
        let room = Limits.sentActivityBytes - (try sent.byteCount())
        // The number and length of each field take bytes too.
        state.keywords = [String(repeating: "a", count: room - 16)]
        sent.state = try CarriedState(state)
        try sent.check()
        state.keywords = [String(repeating: "a", count: room + 1)]
        sent.state = try CarriedState(state)
        #expect(throws: WireError.self) { try sent.check() }
        let frame = PeerFrame(.sending(.sent(sent)), request: 1)
        #expect(throws: WireError.self) { try PeerFrame(encoded: frame.encoded()) }
    }

    @Test func aStateOfAnotherTypeOrWithStreamsIsNotSent() throws {
        var sent = SampleFrames.sent
        sent.state = try CarriedState(ActivityState(type: try ActivityType("com.example.other")))
        #expect(throws: WireError.self) { try sent.check() }
        sent = SampleFrames.sent
        sent.state = SampleFrames.carried
        try #require(sent.state.supportsStreams)
        #expect(throws: WireError.self) { try sent.check() }
        sent = SampleFrames.sent
        sent.offer.supportsStreams = true
        #expect(throws: WireError.self) { try sent.check() }
    }
}
