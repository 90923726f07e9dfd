// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// Two ends, and an ordered pipe in each direction. A sender without room waits until the other end takes some bytes.
final class MemoryWire {
    /// In one direction: in transit or not taken yet.
    static let room = 64 * 1024

    enum Parcel {
        /// A message of the set-up, without its length.
        case frame([UInt8])
        case bytes([UInt8])
        case end
        /// In both directions.
        case cut(Failure)
    }

    final class Line {
        let time: VirtualTime
        let latency: () -> Duration
        /// False: parcels wait.
        var passes: () -> Bool = { true }
        /// True breaks the connection.
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

    func resume() {
        first.pump()
        second.pump()
    }

    func broke(_ reason: String) {
        let failure = Failure(.connectionUnavailable, reason)
        first.broke(failure)
        second.broke(failure)
    }
}

/// The owner of an end. Called later, never from within a call to the end.
protocol MemoryWireOwner: AnyObject {
    func arrived(_ parcel: MemoryWire.Parcel, at end: MemoryWireEnd)
    func roomMade(at end: MemoryWireEnd)
    /// This end does not take the bytes, or their end.
    func bytesWait(at end: MemoryWireEnd)
}

final class MemoryWireEnd {
    private let line: MemoryWire.Line
    fileprivate(set) weak var other: MemoryWireEnd?
    weak var owner: (any MemoryWireOwner)?
    /// False: bytes and their end wait; frames and cuts pass.
    var takesBytes = false {
        didSet { if takesBytes, !oldValue { later { [weak self] in self?.pump() } } }
    }
    private var parcels: [(due: Instant, parcel: MemoryWire.Parcel)] = []
    private var lastDue = Instant.zero
    private(set) var bytesUnderWay = 0
    private var hasSentEnd = false
    private var hasGotEnd = false
    private var isBroken = false

    init(_ line: MemoryWire.Line) { self.line = line }

    var isOver: Bool { isBroken || (hasSentEnd && hasGotEnd) }

    // MARK: Sending

    func sendFrame(_ bytes: [UInt8]) { push(.frame(bytes)) }

    /// `roomMade` follows if some bytes did not fit.
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

    /// Sent bytes and the end still arrive; then the other end is cut if it still sends.
    func leave() {
        sendEnd()
        guard !isOver else { return }
        other?.push(here: .cut(Failure(.streamCut, "the other end no longer accepts data")))
        isBroken = true
        parcels = []
    }

    /// Notifies this end at once. Drops bytes in transit.
    func cut(_ failure: Failure) {
        guard !isBroken else { return }
        if let other, !other.isOver {
            other.parcels = []
            other.push(here: .cut(failure))
        }
        broke(failure)
    }

    /// Its host is gone without a message.
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
