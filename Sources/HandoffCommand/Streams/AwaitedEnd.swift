// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
internal import HandoffWire

/// How the bytes of the other device end: for a moment the daemon's word about it may be missing.
struct AwaitedEnd {
    private var arrival = StreamArrival()
    /// When the word is overdue; nil while it is not waited for.
    private var deadline: ContinuousClock.Instant?

    /// Bytes that came.
    var byteCount: UInt64 { arrival.byteCount }
    /// How long the word is waited for yet.
    var patience: Duration? { deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) } }

    mutating func bytesEnded(after byteCount: UInt64 = 0) {
        arrival.received(Int(clamping: byteCount))
        arrival.bytesEnded()
        if arrival.isWaitingForWord { deadline = .now + StreamArrival.wordPatience }
    }

    mutating func wordCame(_ word: StreamEnd) { arrival.wordCame(word) }

    /// It does not come any more.
    mutating func wordLost(_ failure: Failure) { arrival.wordLost(failure) }

    /// Nil while something is to come.
    mutating func ending() -> StreamArrival.Ending? {
        if let deadline, .now >= deadline { arrival.wordLost() }
        return arrival.ending
    }
}
