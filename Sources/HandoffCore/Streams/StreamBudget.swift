// SPDX-License-Identifier: Apache-2.0

/// How much of this daemon's memory the bytes of all its streams may take together, shared alike.
///
/// A direction holds one piece at most: the next is read when the last one is on its way again. So the size of a piece,
/// by the number of streams, is what bounds them all; and who reads no more than a piece at a time waits for no more than
/// one of each of the others.
package final class StreamBudget {
    /// Held by all streams together, bytes.
    package static let bytes = 4 << 20
    /// Bytes. Less at a time costs the sending daemon more for each.
    package static let largestPiece = 256 << 10
    /// Bytes. With `StreamLimits.streams` of them it still fits.
    package static let smallestPiece = 4 << 10

    /// Those that are joined.
    package private(set) var streams = 0
    /// Came, and is not on its way again, bytes.
    package private(set) var held = 0

    package init() {}

    /// What one read may take, bytes: a power of two, as that is how buffers are made.
    package var piece: Int { Self.piece(amongst: streams) }

    package static func piece(amongst streams: Int) -> Int {
        // Each has two directions.
        let share = bytes / (2 * max(1, streams))
        var piece = largestPiece
        while piece > share, piece > smallestPiece { piece /= 2 }
        return piece
    }

    func streamJoined(holding byteCount: Int) {
        streams += 1
        held += byteCount
    }

    func streamEnded(holding byteCount: Int) {
        streams -= 1
        held -= byteCount
    }

    func heldBytesChanged(by change: Int) { held += change }
}
