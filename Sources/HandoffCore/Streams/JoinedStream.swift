// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// A stream whose both links are there, until both have closed. Says when an end counts: an app's process that dies
/// ends its bytes too, so those of the near link are over only when the app has said so, with their number.
struct JoinedStream<Link: Equatable> {
    enum Outgoing: Hashable {
        /// The app may send. Can transition to: announced, arrived.
        case open
        /// The app has said how many it sends; they are on their way. Can transition to: over.
        case announced(UInt64)
        /// All came; the app's word is due. Can transition to: over.
        case arrived(UInt64, until: Instant)
        case over
    }

    enum Verdict: Hashable {
        case nothing
        /// The end of the near link's bytes counts.
        case confirm
        case cut(Failure)
    }

    let near: Link
    let far: Link
    private(set) var outgoing = Outgoing.open
    /// The other device's bytes are over, and the app was told so.
    private(set) var isIncomingOver = false
    private(set) var isNearClosed = false
    private(set) var isFarClosed = false

    init(near: Link, far: Link) {
        self.near = near
        self.far = far
    }

    var hasEnded: Bool { isNearClosed && isFarClosed }

    /// Nothing more is due from the app: what it was sent is over, and of what it sent it has said so.
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

    /// The app says that it sends so many bytes in all.
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

    /// Of the daemon's own bytes.
    mutating func nearEnded() -> Verdict {
        defer { outgoing = .over }
        return outgoing == .open ? .confirm : .nothing
    }

    /// True the first time.
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
