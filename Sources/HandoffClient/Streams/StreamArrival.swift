// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// An orderly end takes two events, in any order: the end of the bytes, and `streamEnded` on the client's connection
/// with their number. A process that dies causes only the first: a cut.
package struct StreamArrival: Sendable {
    /// For `streamEnded`. Equals the daemon's limit for an app, because this process may be suspended.
    package static let wordPatience = Duration.seconds(10)

    package enum Ending: Sendable, Hashable {
        case complete
        case cut(Failure)
    }

    package private(set) var byteCount: UInt64 = 0
    private var isAtEnd = false
    private var word: StreamEnd?
    private var loss: Failure?

    package init() {}

    package mutating func received(_ count: Int) { byteCount += UInt64(count) }

    package mutating func bytesEnded() { isAtEnd = true }

    /// The daemon's `streamEnded`. Later calls have no effect.
    package mutating func wordCame(_ end: StreamEnd) {
        if word == nil { word = end }
    }

    /// `streamEnded` is overdue, or the client's connection is gone.
    package mutating func wordLost(_ failure: Failure? = nil) {
        guard word == nil, loss == nil else { return }
        loss = failure ?? Failure(.streamCut, "the stream was interrupted after \(byteCount) bytes")
    }

    package var isWaitingForWord: Bool { isAtEnd && word == nil && loss == nil }

    /// Nil while an event is still expected.
    package var ending: Ending? {
        if let failure = loss ?? word?.failure { return .cut(failure) }
        guard let word else { return nil }
        if byteCount > word.byteCount || (isAtEnd && byteCount < word.byteCount) {
            return .cut(
                Failure(.streamCut, "the stream was interrupted: \(byteCount) of \(word.byteCount) bytes arrived"))
        }
        return isAtEnd ? .complete : nil
    }
}
