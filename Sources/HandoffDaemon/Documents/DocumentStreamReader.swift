// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Splits a document's stream into frames, lists and raw bytes, which pass through as received. The limits of frames
/// and lists bound memory use.
struct DocumentStreamReader {
    enum Piece: Hashable, Sendable {
        case message(DocumentMessage)
        case list([UInt8])
        case bytes(ArraySlice<UInt8>)
    }

    private enum Expected {
        case frame
        case list(Int)
        case raw(Int)
    }

    private var expected = Expected.frame
    /// Part of a frame or list.
    private var held: [UInt8] = []
    private var coming: [ArraySlice<UInt8>] = []

    init() {}

    mutating func append(_ bytes: [UInt8]) {
        if !bytes.isEmpty { coming.append(bytes[...]) }
    }

    /// Nil until more bytes arrive. After an error, the stream is unusable.
    mutating func next() throws(WireError) -> Piece? {
        switch expected {
        case .raw(let left):
            guard let bytes = take(atMost: left) else { return nil }
            expected = bytes.count == left ? .frame : .raw(left - bytes.count)
            return .bytes(bytes)
        case .list(let count):
            guard hold(count) else { return nil }
            expected = .frame
            return .list(letGo())
        case .frame:
            guard hold(FrameHeader.byteCount) else { return nil }
            let value = held.prefix(FrameHeader.byteCount).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let length = try FrameHeader.length(value, limit: FrameLimits.document.later)
            guard hold(FrameHeader.byteCount + length) else { return nil }
            let message = try DocumentMessage(encoded: letGo().dropFirst(FrameHeader.byteCount))
            switch message {
            case .data(let count): expected = .raw(count)
            case .head(let head) where head.listBytes > 0: expected = .list(head.listBytes)
            case .head, .ask, .wish, .tail, .failure: break
            }
            return .message(message)
        }
    }

    var isBetween: Bool {
        guard case .frame = expected else { return false }
        return held.isEmpty && coming.isEmpty
    }

    private mutating func take(atMost count: Int) -> ArraySlice<UInt8>? {
        guard let first = coming.first else { return nil }
        let taken = first.prefix(count)
        if taken.count == first.count { coming.removeFirst() } else { coming[0] = first.dropFirst(taken.count) }
        return taken
    }

    private mutating func hold(_ count: Int) -> Bool {
        while held.count < count, let bytes = take(atMost: count - held.count) { held += bytes }
        return held.count >= count
    }

    private mutating func letGo() -> [UInt8] {
        defer { held = [] }
        return held
    }
}

extension DocumentMessage {
    func framed() throws(WireError) -> [UInt8] {
        try FrameHeader.framed(try encoded(), limit: FrameLimits.document.later)
    }
}
