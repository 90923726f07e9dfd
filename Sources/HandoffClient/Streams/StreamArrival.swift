// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// How the bytes that come in over a stream end. Two things are due, in either order: the end of the bytes on the
/// stream's own connection, and the word on the client's, `streamEnded`, that says how many were meant. A process that
/// dies brings the first without the second, which is a cut.
package struct StreamArrival: Sendable {
    /// How far the word may be behind the end of the bytes. As long as the daemon waits for an app's: this process may be
    /// kept from running, and a daemon that has died is seen at once.
    package static let wordPatience = Duration.seconds(10)

    package enum Ending: Sendable, Hashable {
        case complete
        case cut(Failure)
    }

    /// Bytes that came.
    package private(set) var byteCount: UInt64 = 0
    private var isAtEnd = false
    private var word: StreamEnd?
    private var loss: Failure?

    package init() {}

    /// Bytes were read.
    package mutating func received(_ count: Int) { byteCount += UInt64(count) }

    /// No more bytes come.
    package mutating func bytesEnded() { isAtEnd = true }

    /// The daemon says how they end. The first counts.
    package mutating func wordCame(_ end: StreamEnd) {
        if word == nil { word = end }
    }

    /// The word does not come any more: it was waited for long enough, or the client's connection is gone. Without effect
    /// once it has come.
    package mutating func wordLost(_ failure: Failure? = nil) {
        guard word == nil, loss == nil else { return }
        loss = failure ?? Failure(.streamCut, "the stream was cut after \(byteCount) bytes")
    }

    /// The end of the bytes came, and nothing says yet that it was meant: the word is due within `wordPatience`.
    package var isWaitingForWord: Bool { isAtEnd && word == nil && loss == nil }

    /// Nil while something is still to come.
    package var ending: Ending? {
        if let failure = loss ?? word?.failure { return .cut(failure) }
        guard let word else { return nil }
        if byteCount > word.byteCount || (isAtEnd && byteCount < word.byteCount) {
            return .cut(Failure(.streamCut, "the stream was cut: \(byteCount) of \(word.byteCount) bytes arrived"))
        }
        return isAtEnd ? .complete : nil
    }
}
