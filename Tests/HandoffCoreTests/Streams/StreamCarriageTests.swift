// SPDX-License-Identifier: Apache-2.0

import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffCore

/// The bytes of a stream between an app, which is first, and another device. Pieces are strings. Shows C05.
@Suite struct StreamCarriageTests {
    typealias Carriage = StreamCarriage<String>
    typealias Action = StreamCarriageAction<String>

    private static let cut = Failure.any(.streamCut)

    /// Both links are joined and reading.
    private func joined(isDialled: Bool = true, held: [String] = []) -> Carriage {
        var carriage = Carriage(.app, isReady: false)
        _ = carriage.readingWanted(.first)
        var device = Carriage(.device, isReady: isDialled)
        for piece in held { _ = device.received(piece, byteCount: piece.utf8.count, from: .first, at: .zero) }
        _ = join(&carriage, with: &device)
        for side in StreamSide.allCases { _ = carriage.readingWanted(side) }
        return carriage
    }

    private func join(_ carriage: inout Carriage, with device: inout Carriage) -> [Action] {
        guard let end = device.handedOver() else { return [] }
        return carriage.joined(with: end)
    }

    private func tellsCut(_ actions: [Action], at side: StreamSide, _ code: Failure.Code = .streamCut) -> Bool {
        actions == [
            .tellClosed(side, .any(code)), .tellClosed(side.other, .any(code)), .cut(side), .cut(side.other),
        ]
    }

    // MARK: Before joining

    @Test func joiningNotifiesUnreadySideAndReadsReadySide() {
        var carriage = Carriage(.app, isReady: false)
        let read = carriage.readingWanted(.first)
        #expect(read == [.read(.first)])
        var device = Carriage(.device, isReady: true)
        let heldBack = device.readingWanted(.first)
        #expect(heldBack.isEmpty)
        let actions = join(&carriage, with: &device)
        #expect(
            actions == [.sayReady(.first), .flush(.second), .flush(.first), .read(.second), .watch(.second)])
    }

    @Test func bytesBeforeJoiningAreForwardedInOrder() {
        var carriage = Carriage(.app, isReady: false)
        var device = Carriage(.device, isReady: true)
        for piece in ["one", "two"] { _ = device.received(piece, byteCount: 3, from: .first, at: .zero) }
        _ = device.inputEnded(from: .first)
        let held = device.heldBytes
        #expect(held == 6)
        let actions = join(&carriage, with: &device)
        #expect(
            actions == [
                .sayReady(.first), .flush(.second), .write("one", to: .first), .write("two", to: .first),
                .flush(.first), .tellEnded(.second, after: 6), .watch(.second),
            ])
    }

    @Test func bytesBeforeTheAnswerAreRefused() {
        var carriage = Carriage(.app, isReady: false)
        let actions = carriage.received("early", byteCount: 5, from: .first, at: .zero)
        #expect(actions == [.sayNo(.first, .any(.malformed))])
        let closed = carriage.closed(.first)
        #expect(closed == [.tellClosed(.first, .any(.malformed))])
    }

    @Test func anUnreadRefusalIsCutAtItsDeadline() {
        var carriage = Carriage(.device, isReady: false)
        let refused = carriage.refused(.any(.noStreams), at: .zero)
        #expect(refused == [.sayNo(.first, .any(.noStreams))])
        let passedOver = carriage.received("more", byteCount: 4, from: .first, at: .zero)
        #expect(passedOver.isEmpty)
        let deadline = carriage.nextDeadline
        #expect(deadline == Instant.zero.advanced(by: Carriage.lingering))
        let early = carriage.deadlineReached(at: .zero)
        #expect(early.isEmpty)
        let late = carriage.deadlineReached(at: .zero.advanced(by: Carriage.lingering))
        #expect(late == [.cut(.first)])
        let next = carriage.nextDeadline
        #expect(next == nil)
        let closed = carriage.closed(.first)
        #expect(closed == [.tellClosed(.first, .any(.noStreams))])
    }

    @Test func readySideCanOnlyBeCut() {
        var carriage = Carriage(.device, isReady: true)
        let actions = carriage.refused(.any(.cancelled), at: .zero)
        #expect(actions == [.tellClosed(.first, .any(.cancelled)), .cut(.first)])
    }

    @Test(arguments: [StreamParty.app, .device]) func partyLeavingBeforeJoiningIsLost(_ party: StreamParty) {
        var ended = Carriage(party, isReady: false)
        let actions = ended.inputEnded(from: .first)
        #expect(actions == [.tellClosed(.first, .any(party.lost)), .cut(.first)])
        var broken = Carriage(party, isReady: false)
        let broke = broken.broke(.first, Self.cut)
        #expect(broke == [.tellClosed(.first, .any(party.lost)), .cut(.first)])
        var gone = Carriage(party, isReady: false)
        let closed = gone.closed(.first)
        #expect(closed == [.tellClosed(.first, .any(party.lost))])
        let end = gone.handedOver()
        let isThere = end != nil
        #expect(!isThere)
    }

    // MARK: Back-pressure

    // Shows C06.
    @Test func onePieceIsReadAtATime() {
        var carriage = joined()
        let wrote = carriage.received("piece", byteCount: 5, from: .first, at: .zero)
        #expect(wrote == [.write("piece", to: .second)])
        let flushed = carriage.receivedAll(from: .first)
        #expect(flushed == [.flush(.second)])
        let heldBack = carriage.readingWanted(.first)
        #expect(heldBack.isEmpty)
        let isHeldBack = carriage.isHeldBack(.first)
        #expect(isHeldBack)
        let part = carriage.written(3, on: .second)
        #expect(part.isEmpty)
        let rest = carriage.written(2, on: .second)
        #expect(rest == [.read(.first)])
        let held = carriage.heldBytes
        #expect(held == 0)
    }

    @Test func theOtherDirectionIsNotHeldBack() {
        var carriage = joined()
        _ = carriage.received("piece", byteCount: 5, from: .first, at: .zero)
        let actions = carriage.readingWanted(.second)
        #expect(actions == [.read(.second)])
    }

    // MARK: Ends

    @Test func anUnconfirmedEndIsNotForwarded() {
        var carriage = joined()
        _ = carriage.received("all", byteCount: 3, from: .first, at: .zero)
        let ended = carriage.inputEnded(from: .first)
        #expect(ended == [.tellEnded(.first, after: 3)])
        let again = carriage.inputEnded(from: .first)
        #expect(again.isEmpty)
        let more = carriage.received("more", byteCount: 4, from: .first, at: .zero)
        #expect(more.isEmpty)
        let confirmed = carriage.endConfirmed(.first)
        #expect(confirmed == [.shutWriting(.second)])
    }

    @Test(arguments: StreamSide.allCases) func bothEndsInEitherOrderAreAnEndInOrder(first: StreamSide) {
        var carriage = joined()
        for side in [first, first.other] {
            _ = carriage.inputEnded(from: side)
            _ = carriage.endConfirmed(side)
        }
        let one = carriage.writingShut(first.other, nil)
        #expect(one.isEmpty)
        let both = carriage.writingShut(first, nil)
        #expect(
            both == [
                .tellClosed(first.other, nil), .tellClosed(first, nil), .close(first.other), .close(first),
            ])
        let late = carriage.cut(.any(.cancelled))
        #expect(late.isEmpty)
    }

    @Test func aCutAfterOneEndIsTold() {
        var carriage = joined()
        _ = carriage.inputEnded(from: .second)
        _ = carriage.endConfirmed(.second)
        _ = carriage.writingShut(.first, nil)
        let actions = carriage.cut(.any(.deviceRemoved), at: .second)
        #expect(tellsCut(actions, at: .second, .deviceRemoved))
    }

    /// A crash ends its socket like a shutdown. The owner decides whether the end is valid.
    @Test func anAppThatLeavesAfterItsBytesHasEndedThem() {
        var carriage = joined()
        _ = carriage.inputEnded(from: .second)
        _ = carriage.endConfirmed(.second)
        _ = carriage.writingShut(.first, nil)
        let actions = carriage.closed(.first)
        #expect(actions == [.tellEnded(.first, after: 0)])
    }

    /// The adapter reports nothing more about that end.
    @Test func anAppThatLeavesWhileItIsToldTheEndHasLeftThatToo() {
        var carriage = joined()
        for side in StreamSide.allCases {
            _ = carriage.inputEnded(from: side)
            _ = carriage.endConfirmed(side)
        }
        let one = carriage.writingShut(.second, nil)
        #expect(one.isEmpty)
        let actions = carriage.closed(.first)
        #expect(
            actions == [.tellClosed(.second, nil), .tellClosed(.first, nil), .close(.second), .close(.first)])
    }

    // Shows C05.
    @Test(arguments: StreamSide.allCases) func aConnectionThatClosesWithoutAnEndIsACut(side: StreamSide) {
        var carriage = joined()
        _ = carriage.received("some", byteCount: 4, from: side, at: .zero)
        let actions = carriage.closed(side)
        #expect(tellsCut(actions, at: side))
    }

    // Shows C05.
    @Test func aDeviceWhoseGoodbyeIsMissingIsCutAlsoWhereTheOtherWayHadEnded() {
        var carriage = joined()
        _ = carriage.inputEnded(from: .first)
        _ = carriage.endConfirmed(.first)
        _ = carriage.writingShut(.second, nil)
        let actions = carriage.closed(.second)
        #expect(tellsCut(actions, at: .second))
    }

    @Test func receivedBytesSurviveBrokenReturnPath() {
        var carriage = joined()
        _ = carriage.inputEnded(from: .second)
        _ = carriage.endConfirmed(.second)
        _ = carriage.writingShut(.first, nil)
        // The device is lost while the app sends.
        let broke = carriage.broke(.second, Self.cut)
        #expect(broke == [.cut(.second)])
        let closed = carriage.closed(.second)
        #expect(
            closed == [
                .shutReading(.first), .tellClosed(.first, Self.cut), .tellClosed(.second, Self.cut), .close(.first),
                .cut(.second),
            ])
    }

    @Test func bytesForAnAppThatLeftAreAFailureOfTheirDirectionAlone() {
        var carriage = joined()
        _ = carriage.inputEnded(from: .first)
        _ = carriage.endConfirmed(.first)
        let left = carriage.closed(.first)
        #expect(left.isEmpty)
        let wrote = carriage.received("more", byteCount: 4, from: .second, at: .zero)
        #expect(wrote.isEmpty)
        let shut = carriage.writingShut(.second, nil)
        // All of the app's bytes must arrive before its kernel learns of the reset.
        #expect(
            shut == [
                .tellClosed(.first, Self.cut), .tellClosed(.second, Self.cut), .cut(.first), .closeDelivered(.second),
            ])
    }

    @Test func aDeviceThatCannotBeToldTheEndLacksIt() {
        var carriage = joined()
        _ = carriage.inputEnded(from: .second)
        _ = carriage.endConfirmed(.second)
        _ = carriage.writingShut(.first, nil)
        _ = carriage.inputEnded(from: .first)
        _ = carriage.endConfirmed(.first)
        let actions = carriage.writingShut(.second, Self.cut)
        #expect(
            actions == [
                .tellClosed(.first, Self.cut), .tellClosed(.second, Self.cut), .close(.first), .cut(.second),
            ])
    }

    @Test func aDeviceThatDoesNotAnswerIsACut() {
        var carriage = joined()
        let actions = carriage.broke(.second, Self.cut)
        #expect(tellsCut(actions, at: .second))
        let late = carriage.broke(.second, Self.cut)
        #expect(late == [.cut(.second)])
    }
}
