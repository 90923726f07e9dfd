// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// A connection that carries a stream, in memory: two ends, and between them a pipe each way that keeps its order and
/// has room for so many bytes. Who sends more is held back until the other end has taken some.
final class MemoryWire {
    /// Bytes under way in one direction, or arrived and not taken.
    static let room = 64 * 1024

    enum Parcel {
        /// One message of the set-up, without its length.
        case frame([UInt8])
        case bytes([UInt8])
        /// No more follow, and that is meant.
        case end
        /// It broke: nothing else comes, neither way.
        case cut(Failure)
    }

    /// What both ends know of what lies between them.
    final class Line {
        let time: VirtualTime
        /// How long a parcel is under way.
        let latency: () -> Duration
        /// False: what is sent waits.
        var passes: () -> Bool = { true }
        /// Asked for each parcel: the connection breaks with this one.
        var breaks: () -> Bool = { false }

        init(time: VirtualTime, latency: @escaping () -> Duration) {
            self.time = time
            self.latency = latency
        }
    }

    let line: Line
    let first: MemoryWireEnd
    let second: MemoryWireEnd

    init(time: VirtualTime, latency: @escaping () -> Duration) {
        line = Line(time: time, latency: latency)
        first = MemoryWireEnd(line)
        second = MemoryWireEnd(line)
        first.other = second
        second.other = first
    }

    var isOver: Bool { first.isOver && second.isOver }

    /// What lies between is whole again.
    func resume() {
        first.pump()
        second.pump()
    }

    /// Each end finds out by itself.
    func broke(_ reason: String) {
        let failure = Failure(.connectionUnavailable, reason)
        first.broke(failure)
        second.broke(failure)
    }
}

/// Whoever holds an end. Told later, never from within a call to it.
protocol MemoryWireOwner: AnyObject {
    func arrived(_ parcel: MemoryWire.Parcel, at end: MemoryWireEnd)
    /// Bytes that were sent were taken at the other end.
    func roomMade(at end: MemoryWireEnd)
    /// Bytes or their end are there, and this end does not take them.
    func bytesWait(at end: MemoryWireEnd)
}

final class MemoryWireEnd {
    private let line: MemoryWire.Line
    fileprivate(set) weak var other: MemoryWireEnd?
    weak var owner: (any MemoryWireOwner)?
    /// False: bytes and their end wait before this end; frames and cuts do not.
    var takesBytes = false {
        didSet { if takesBytes, !oldValue { later { [weak self] in self?.pump() } } }
    }
    /// What is under way to this end.
    private var parcels: [(due: Instant, parcel: MemoryWire.Parcel)] = []
    private var lastDue = Instant.zero
    private(set) var bytesUnderWay = 0
    private var hasSentEnd = false
    private var hasGotEnd = false
    private var isBroken = false

    init(_ line: MemoryWire.Line) { self.line = line }

    /// Nothing comes or goes any more.
    var isOver: Bool { isBroken || (hasSentEnd && hasGotEnd) }

    // MARK: Sending

    func sendFrame(_ bytes: [UInt8]) { push(.frame(bytes)) }

    /// How many of them there was room for; `roomMade` follows if not for all.
    func send(_ bytes: ArraySlice<UInt8>) -> Int {
        guard let other, !isBroken, !hasSentEnd else { return bytes.count }
        let count = min(bytes.count, MemoryWire.room - other.bytesUnderWay)
        guard count > 0 else { return 0 }
        other.bytesUnderWay += count
        push(.bytes(Array(bytes.prefix(count))))
        return count
    }

    func sendEnd() {
        guard !hasSentEnd else { return }
        push(.end)
        hasSentEnd = true
    }

    /// Nothing is taken here any more. What was sent arrives, and the end; and then, where it sends still, it hears of a cut.
    func leave() {
        sendEnd()
        guard !isOver else { return }
        other?.push(here: .cut(Failure(.streamCut, "the other end takes no more")))
        isBroken = true
        parcels = []
    }

    /// This end is told at once, the other as soon as it gets through; what was under way is lost.
    func cut(_ failure: Failure) {
        guard !isBroken else { return }
        if let other, !other.isOver {
            other.parcels = []
            other.push(here: .cut(failure))
        }
        broke(failure)
    }

    /// Its host is gone without a word.
    func abandoned() {
        owner = nil
        isBroken = true
        parcels = []
    }

    fileprivate func broke(_ failure: Failure) {
        guard !isOver else { return }
        isBroken = true
        parcels = []
        later { [self] in owner?.arrived(.cut(failure), at: self) }
    }

    /// Never from within a call.
    func later(_ work: @escaping () -> Void) { line.time.schedule(after: .zero, work) }
    var time: VirtualTime { line.time }

    private func push(_ parcel: MemoryWire.Parcel) {
        guard !isBroken, !hasSentEnd else { return }
        if line.breaks() {
            let failure = Failure(.connectionUnavailable, "the connection was reset")
            other?.broke(failure)
            broke(failure)
        } else {
            other?.push(here: parcel)
        }
    }

    // MARK: Arriving

    private func push(here parcel: MemoryWire.Parcel) {
        let due = max(line.time.now.advanced(by: line.latency()), lastDue)
        lastDue = due
        parcels.append((due, parcel))
        line.time.schedule(after: line.time.now.duration(to: due)) { [weak self] in self?.pump() }
    }

    fileprivate func pump() {
        while let next = parcels.first, next.due <= line.time.now, line.passes(), !isBroken {
            switch next.parcel {
            case .frame: break
            case .bytes(let bytes):
                guard takesBytes else { return owner?.bytesWait(at: self) ?? () }
                bytesUnderWay -= bytes.count
                line.time.schedule(after: line.latency()) { [weak other] in
                    guard let other, !other.isBroken else { return }
                    other.owner?.roomMade(at: other)
                }
            case .end:
                guard takesBytes else { return owner?.bytesWait(at: self) ?? () }
                hasGotEnd = true
            case .cut: isBroken = true
            }
            parcels.removeFirst()
            owner?.arrived(next.parcel, at: self)
        }
    }
}
