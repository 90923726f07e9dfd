// SPDX-License-Identifier: Apache-2.0

import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffCore

/// An app and a device send each other bytes, in pieces and with independent ends. At any step, something may break.
/// Pieces are ranges of one long count. Shows C05.
@Suite struct StreamCarriageWalkTests {
    @Test(arguments: 0..<600)
    func bytesArriveInOrderOrACutIsReported(seed: UInt64) {
        var walk = Walk(seed: seed)
        walk.run()
        #expect(walk.violations.isEmpty, "seed \(seed)")
    }

    private struct Walk: ~Copyable {
        static let piece = 10

        struct Hand {
            let total: Int
            var sent = 0
            var hasSaidEnd = false
            var mayRead = false
            /// Bytes given to it to write, on their way or not.
            var written = 0
            var onItsWay = 0
            var isShutting = false
            var isShut = false
            var isEndTold = false
            /// It closed itself, not on the machine's request.
            var hasLeft = false
            var isConfirmed = false
            var isClosed = false
            var isLeaving = false
            var told: [Failure?] = []
        }

        var carriage = StreamCarriage<Range<Int>>(.app, isReady: false)
        var hands: [StreamSide: Hand]
        var random: Randomness
        var violations: [String] = []
        /// The maximum number of failures.
        var mishaps: Int
        var isBroken = false

        init(seed: UInt64) {
            random = .seeded(seed)
            mishaps = seed.isMultiple(of: 3) ? 0 : Int.random(in: 1...3, using: &random)
            hands = [
                .first: Hand(total: Int.random(in: 0...80, using: &random)),
                .second: Hand(total: Int.random(in: 0...80, using: &random)),
            ]
        }

        mutating func run() {
            take(carriage.readingWanted(.first))
            var device = StreamCarriage<Range<Int>>(.device, isReady: Bool.random(using: &random))
            // Its only link, which is the second from then on.
            if !device.readingWanted(.first).isEmpty { hands[.second]!.mayRead = true }
            if let end = device.handedOver() { take(carriage.joined(with: end)) }
            var steps = 0
            while steps < 20_000, hands.values.contains(where: { $0.told.isEmpty }) {
                steps += 1
                let side = Bool.random(using: &random) ? StreamSide.first : .second
                if mishaps > 0, Int.random(in: 0..<60, using: &random) == 0 { mishap(side) } else { step(side) }
                if carriage.heldBytes > 2 * Self.piece { violations.append("\(carriage.heldBytes) bytes are held") }
            }
            for (side, hand) in hands {
                if hand.told.count != 1 {
                    violations.append("\(side) was told \(hand.told.count) times that it is over")
                }
                let other = hands[side.other]!
                guard hand.isShut else { continue }
                if hand.written != other.total { violations.append("an end after \(hand.written) of \(other.total)") }
            }
            for (side, hand) in hands where hand.told == [nil] {
                if !(hand.isShut || hand.hasLeft) || hands[side.other]!.told != [nil] {
                    violations.append("over in order, and not ended")
                }
            }
            if !isBroken, hands.values.contains(where: { $0.told != [nil] }) { violations.append("cut for nothing") }
        }

        private mutating func step(_ side: StreamSide) {
            let hand = hands[side]!
            let event = Int.random(in: 0..<5, using: &random)
            guard !hand.isClosed || event == 4 else { return }
            switch event {
            case 0 where hand.mayRead && hand.sent < hand.total:
                let count = min(hand.total - hand.sent, Int.random(in: 1...Self.piece, using: &random))
                hands[side]!.mayRead = false
                hands[side]!.sent += count
                take(
                    carriage.received(hand.sent..<hand.sent + count, byteCount: count, from: side, at: .zero))
                take(carriage.receivedAll(from: side))
                take(carriage.readingWanted(side))
            case 1 where hand.mayRead && hand.sent == hand.total && !hand.hasSaidEnd:
                hands[side]!.hasSaidEnd = true
                take(carriage.inputEnded(from: side))
            case 2 where hand.onItsWay < hand.written:
                let count = Int.random(in: 1...hand.written - hand.onItsWay, using: &random)
                hands[side]!.onItsWay += count
                take(carriage.written(count, on: side))
            case 3 where hand.isShutting && hand.onItsWay == hand.written:
                hands[side]!.isShutting = false
                hands[side]!.isShut = true
                take(carriage.writingShut(side, nil))
            case 4 where hand.isEndTold && !hand.isConfirmed:
                // The owner knows their number.
                guard hand.sent == hand.total else { return take(carriage.cut(Failure(.streamCut, ""), at: side)) }
                hands[side]!.isConfirmed = true
                take(carriage.endConfirmed(side))
            default: break
            }
        }

        private mutating func mishap(_ side: StreamSide) {
            isBroken = true
            mishaps -= 1
            let failure = Failure(.streamCut, "broken")
            switch Int.random(in: 0..<4, using: &random) {
            case 0: take(carriage.cut(failure, at: side))
            case 1:
                hands[side]!.hasLeft = hands[side]!.hasLeft || side == .first
                take(carriage.broke(side, failure))
            case 2 where hands[side]!.isShutting:
                hands[side]!.isShutting = false
                // If an app's socket cannot be shut down, the app has left.
                hands[side]!.hasLeft = side == .first
                take(carriage.writingShut(side, failure))
            default:
                guard !hands[side]!.isClosed else { return }
                hands[side]!.isClosed = true
                hands[side]!.hasLeft = true
                hands[side]!.hasSaidEnd = true
                close(side)
            }
        }

        private mutating func take(_ actions: [StreamCarriageAction<Range<Int>>]) {
            for action in actions {
                switch action {
                case .read(let side): hands[side]!.mayRead = true
                case .write(let piece, let side):
                    let hand = hands[side]!
                    if hand.isShutting || hand.isShut { violations.append("written after the end") }
                    if piece.lowerBound != hand.written { violations.append("\(piece) after \(hand.written) bytes") }
                    hands[side]!.written = piece.upperBound
                case .shutWriting(let side):
                    if !hands[side.other]!.isConfirmed { violations.append("an end that nobody confirmed") }
                    hands[side]!.isShutting = true
                case .tellEnded(let side, let count):
                    if hands[side]!.isEndTold { violations.append("an end told twice") }
                    if !hands[side]!.told.isEmpty { violations.append("an end after it was over") }
                    if count != UInt64(hands[side]!.sent) {
                        violations.append("\(count) bytes of \(hands[side]!.sent)")
                    }
                    hands[side]!.isEndTold = true
                case .tellClosed(let side, let failure): hands[side]!.told.append(failure)
                case .close(let side), .closeDelivered(let side), .cut(let side): leave(side)
                case .sayReady, .sayNo, .flush, .shutReading, .watch: break
                }
            }
        }

        private mutating func leave(_ side: StreamSide) {
            guard !hands[side]!.isClosed, !hands[side]!.isLeaving else { return }
            hands[side]!.isLeaving = true
            hands[side]!.isClosed = true
            close(side)
        }

        /// Not every adapter reports the failure of a shutdown.
        private mutating func close(_ side: StreamSide) {
            if hands[side]!.isShutting, Bool.random(using: &random) {
                hands[side]!.isShutting = false
                take(carriage.writingShut(side, Failure(.streamCut, "broken")))
            }
            hands[side]!.isShutting = false
            take(carriage.closed(side))
        }
    }
}
