// SPDX-License-Identifier: Apache-2.0

/// The memory that all streams of this daemon may use together, in equal shares.
///
/// Each direction holds at most one piece: the next one is read when the last one has been passed on. The piece size
/// times the number of streams therefore bounds the total. A reader of one piece at a time waits for at most one piece
/// of each other stream.
package final class StreamBudget {
    /// The limit for all streams together, in bytes.
    package static let bytes = 4 << 20
    /// In bytes. Smaller pieces cost the sending daemon more.
    package static let largestPiece = 256 << 10
    /// In bytes. With `StreamLimits.streams` streams, the total still fits.
    package static let smallestPiece = 4 << 10

    package private(set) var streams = 0
    package private(set) var held = 0

    package init() {}

    /// The maximum size of one read, in bytes: a power of two, like the sizes of buffers.
    package var piece: Int { Self.piece(amongst: streams) }

    package static func piece(amongst streams: Int) -> Int {
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
