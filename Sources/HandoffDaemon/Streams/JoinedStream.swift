// SPDX-License-Identifier: Apache-2.0

import HandoffCore
internal import HandoffWire

/// A crash also ends an app's bytes, so the near link's end is valid only once the app has confirmed the number of
/// bytes.
struct JoinedStream<Link: Equatable> {
    enum Outgoing: Hashable {
        /// Can transition to: announced, arrived.
        case open
        /// The announced bytes are under way. Can transition to: over.
        case announced(UInt64)
        /// All bytes arrived; the app's announcement is due. Can transition to: over.
        case arrived(UInt64, until: Instant)
        case over
    }

    enum Verdict: Hashable {
        case nothing
        case confirm
        case cut(Failure)
    }

    let near: Link
    let far: Link
    private(set) var outgoing = Outgoing.open
    private(set) var isIncomingOver = false
    private(set) var isNearClosed = false
    private(set) var isFarClosed = false

    init(near: Link, far: Link) {
        self.near = near
        self.far = far
    }

    var hasEnded: Bool { isNearClosed && isFarClosed }

    /// Its incoming bytes have ended, and it has announced its end.
    var isDoneForApp: Bool {
        switch outgoing {
        case .open, .arrived: false
        case .announced, .over: isIncomingOver
        }
    }

    var deadline: Instant? {
        switch outgoing {
        case .arrived(_, let until): until
        case .open, .announced, .over: nil
        }
    }

    mutating func announced(_ byteCount: UInt64) -> Verdict {
        switch outgoing {
        case .open:
            outgoing = .announced(byteCount)
            return .nothing
        case .arrived(let count, _): return settle(sent: byteCount, arrived: count)
        case .announced, .over: return .cut(Failure(.malformed, "the app ended its data twice"))
        }
    }

    mutating func nearEnded(_ byteCount: UInt64, until: Instant) -> Verdict {
        switch outgoing {
        case .open:
            outgoing = .arrived(byteCount, until: until)
            return .nothing
        case .announced(let count): return settle(sent: count, arrived: byteCount)
        case .arrived, .over: return .nothing
        }
    }

    mutating func nearEnded() -> Verdict {
        defer { outgoing = .over }
        return outgoing == .open ? .confirm : .nothing
    }

    mutating func farEnded() -> Bool {
        defer { isIncomingOver = true }
        return !isIncomingOver
    }

    mutating func closed(_ link: Link) {
        if link == near { isNearClosed = true }
        if link == far { isFarClosed = true }
    }

    private mutating func settle(sent: UInt64, arrived: UInt64) -> Verdict {
        outgoing = .over
        guard sent == arrived else {
            return .cut(Failure(.streamCut, "\(arrived) of the \(sent) bytes that the app sent arrived"))
        }
        return .confirm
    }
}
