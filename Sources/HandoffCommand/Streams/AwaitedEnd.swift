// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffWire

/// The end of the other device's bytes, while the daemon's `streamEnded` may be outstanding.
struct AwaitedEnd {
    private var arrival = StreamArrival()
    /// When `streamEnded` is overdue; nil while it is not expected.
    private var deadline: ContinuousClock.Instant?

    var byteCount: UInt64 { arrival.byteCount }
    var patience: Duration? { deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) } }

    mutating func bytesEnded(after byteCount: UInt64 = 0) {
        arrival.received(Int(clamping: byteCount))
        arrival.bytesEnded()
        if arrival.isWaitingForWord { deadline = .now + StreamArrival.wordPatience }
    }

    mutating func wordCame(_ word: StreamEnd) { arrival.wordCame(word) }

    mutating func wordLost(_ failure: Failure) { arrival.wordLost(failure) }

    /// Nil while an event is still expected.
    mutating func ending() -> StreamArrival.Ending? {
        if let deadline, .now >= deadline { arrival.wordLost() }
        return arrival.ending
    }
}
