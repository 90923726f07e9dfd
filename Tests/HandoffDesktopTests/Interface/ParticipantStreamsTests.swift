// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffDesktop

/// For calls of mutating methods, which cannot be part of an `#expect`.
private func same<Answer: Equatable>(
    _ answer: Answer, _ expected: Answer, sourceLocation: SourceLocation = #_sourceLocation
) { #expect(answer == expected, sourceLocation: sourceLocation) }

// Shows L05.
@Suite struct ParticipantStreamsTests {
    private func stream(_ number: Int) -> StreamID {
        StreamID(uncheckedBytes: [UInt8](repeating: UInt8(number), count: StreamID.byteCount))
    }

    @Test func asManyAreSetUpAtATimeAsTheLimitSays() {
        var streams = ParticipantStreams()
        for number in 0..<InterfaceLimits.openingStreams { same(streams.begin(stream(number)), true) }
        same(streams.begin(stream(100)), false)
        _ = streams.finish(stream(0))
        same(streams.begin(stream(100)), true)
        same(streams.begin(stream(101)), false)
        streams.lost()
        same(streams.begin(stream(101)), true)
    }

    /// An end that is reported before the program has the stream is delivered afterwards.
    @Test func anEarlyEndIsReportedLater() {
        var streams = ParticipantStreams()
        let end = StreamEnd(stream: stream(1), byteCount: 7)
        same(streams.hold(end), false)
        same(streams.begin(stream(1)), true)
        for _ in 0..<5 { same(streams.hold(end), true) }
        same(streams.finish(stream(1)), [end, end])
        same(streams.hold(end), false)
    }
}
