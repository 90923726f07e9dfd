// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// A link holds its stream, and the link's user holds the link. A joined stream also holds its links, so their owner
/// may release both once it has cut one.
final class CarriedStream {
    typealias Carriage = StreamCarriage<any StreamPiece>

    private var carriage: Carriage
    private weak var first: (any StreamAdapter)?
    private weak var second: (any StreamAdapter)?
    private var joined: [any StreamAdapter] = []
    /// Nil unless it is joined.
    private var budget: StreamBudget?
    private var actions: [Carriage.Action] = []
    private var isActing = false
    private var deadline: Instant?

    init(_ hand: any StreamAdapter, _ party: StreamParty, isReady: Bool) {
        first = hand
        carriage = Carriage(party, isReady: isReady)
    }

    deinit { budget?.streamEnded(holding: carriage.heldBytes) }

    func isHeldBack(_ side: StreamSide) -> Bool { carriage.isHeldBack(side) }

    /// False: one has ended, or is already joined.
    func join(_ other: CarriedStream, within budget: StreamBudget) -> Bool {
        guard other !== self, carriage.isWaiting, let first, let hand = other.first,
            let end = other.carriage.handedOver()
        else { return false }
        other.first = nil
        second = hand
        hand.place = StreamPlace(stream: self, side: .second)
        joined = [first, hand]
        self.budget = budget
        budget.streamJoined(holding: carriage.heldBytes)
        for hand in joined { hand.share(budget) }
        happened { $0.joined(with: end) }
        return true
    }

    func happened(_ event: (inout Carriage) -> [Carriage.Action]) {
        let before = carriage.heldBytes
        actions += event(&carriage)
        budget?.heldBytesChanged(by: carriage.heldBytes - before)
        if budget != nil, !carriage.isJoined {
            budget?.streamEnded(holding: 0)
            budget = nil
        }
        guard !isActing else { return }
        isActing = true
        var next = 0
        while next < actions.count {
            carryOut(actions[next])
            next += 1
        }
        actions.removeAll(keepingCapacity: true)
        isActing = false
        if !carriage.isJoined { joined = [] }
        guard carriage.nextDeadline != deadline else { return }
        deadline = carriage.nextDeadline
        first?.wake(at: deadline)
    }

    private func carryOut(_ action: Carriage.Action) {
        switch action {
        case .sayReady(let side): hand(side)?.sayReady()
        case .sayNo(let side, let failure): hand(side)?.sayNo(failure)
        case .read(let side): hand(side)?.read()
        case .write(let piece, let side): hand(side)?.write(piece)
        case .flush(let side): hand(side)?.flush()
        case .shutWriting(let side): hand(side)?.shutWriting()
        case .shutReading(let side): hand(side)?.shutReading()
        case .close(let side): hand(side)?.close()
        case .closeDelivered(let side): hand(side)?.closeDelivered()
        case .cut(let side): hand(side)?.cut()
        case .watch(let side): hand(side)?.watch()
        case .tellEnded(let side, let byteCount):
            tell(side) { $0.streamBytesEnded(on: $1, after: byteCount) }
        case .tellClosed(let side, let failure):
            tell(side) { $0.streamLinkClosed($1, failure: failure) }
        }
    }

    /// The observer may be calling this link.
    private func tell(_ side: StreamSide, _ event: @escaping (any StreamLinkObserver, any StreamLink) -> Void) {
        guard let hand = hand(side) else { return }
        hand.later { [hand] in
            if let observer = hand.observer { event(observer, hand) }
        }
    }

    private func hand(_ side: StreamSide) -> (any StreamAdapter)? { side == .first ? first : second }
}
