// SPDX-License-Identifier: Apache-2.0

import HandoffDesktop
import HandoffWire
import Testing

// Shows L05.
@Suite struct ParticipantStreamsTests {
    private func stream(_ number: Int) -> StreamID {
        StreamID(uncheckedBytes: [UInt8](repeating: UInt8(number), count: StreamID.byteCount))
    }

    @Test func asManyAreSetUpAtATimeAsTheLimitSays() {
        var streams = ParticipantStreams()
        for number in 0..<InterfaceLimits.openingStreams { #expect(streams.begin(stream(number))) }
        #expect(!streams.begin(stream(100)))
        _ = streams.finish(stream(0))
        #expect(streams.begin(stream(100)))
        #expect(!streams.begin(stream(101)))
        streams.lost()
        #expect(streams.begin(stream(101)))
    }

    /// Its end may be told before the program has the stream; then it is told after.
    @Test func anEndThatComesEarlyIsToldLater() {
        var streams = ParticipantStreams()
        let end = StreamEnd(stream: stream(1), byteCount: 7)
        #expect(!streams.hold(end))
        #expect(streams.begin(stream(1)))
        for _ in 0..<5 { #expect(streams.hold(end)) }
        #expect(streams.finish(stream(1)) == [end, end])
        #expect(!streams.hold(end))
    }
}
