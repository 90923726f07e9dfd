// SPDX-License-Identifier: Apache-2.0

/// Shared equally by all streams. Each direction holds at most one piece: the next is read when the last has been
/// passed on. So the piece size times the number of streams bounds the total, and a reader waits for at most one piece
/// of each other stream.
package final class StreamBudget {
    /// In bytes.
    package static let bytes = 4 << 20
    /// In bytes. Smaller pieces cost more in the sending daemon.
    package static let largestPiece = 256 << 10
    /// In bytes. `StreamLimits.streams` streams still fit.
    package static let smallestPiece = 4 << 10

    package private(set) var streams = 0
    package private(set) var held = 0

    package init() {}

    /// In bytes: the most for one read, a power of two like buffers.
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
