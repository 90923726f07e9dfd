// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// When an end is valid, and when it is a cut. Link 1 is the app's, link 2 leads to the other device.
@Suite struct StreamEndTests {
    private let id = StreamFixture.stream(1)

    private func end(_ count: UInt64) -> StreamEnd { StreamEnd(stream: id, byteCount: count) }
    private func cut(_ code: Failure.Code = .streamCut) -> StreamsAction {
        .tell("viewer", StreamEnd(stream: id, byteCount: 0, failure: .any(code)))
    }

    // Shows C05.
    @Test func appsEndNeedsItsMessageInEitherOrder() {
        var before = Streams.joined()
        let word = before.said(end(7), by: "viewer")
        #expect(word.isEmpty)
        let bytes = before.bytesEnded(1, after: 7, at: .zero)
        #expect(bytes == [.confirm(1)])

        var after = Streams.joined()
        let early = after.bytesEnded(1, after: 7, at: .zero)
        #expect(early.isEmpty)
        let late = after.said(end(7), by: "viewer")
        #expect(late == [.confirm(1)])
        let deadline = after.nextDeadline
        #expect(deadline == nil)
    }

    // Shows C05.
    @Test func endWithoutAWordIsACut() {
        var machine = Streams.joined()
        _ = machine.bytesEnded(1, after: 7, at: .at(.seconds(3)))
        let deadline = machine.nextDeadline
        #expect(deadline == .at(.seconds(13)))
        let actions = machine.deadlineReached(at: .at(.seconds(13)))
        #expect(actions == [cut(), .cut(1, .any(.streamCut))])
    }

    @Test func endWithAnotherCountIsACut() {
        var machine = Streams.joined()
        _ = machine.said(end(8), by: "viewer")
        let actions = machine.bytesEnded(1, after: 7, at: .zero)
        #expect(actions == [cut(), .cut(1, .any(.streamCut))])
        let count = machine.count
        #expect(count == 0)
    }

    @Test func secondWordIsACut() {
        var machine = Streams.joined()
        _ = machine.said(end(8), by: "viewer")
        let actions = machine.said(end(8), by: "viewer")
        #expect(actions == [cut(.malformed), .cut(1, .any(.malformed))])
    }

    @Test func appThatGivesUpCutsTheStream() {
        var machine = Streams.joined()
        let word = StreamEnd(stream: id, byteCount: 3, failure: .any(.cancelled))
        let actions = machine.said(word, by: "viewer")
        #expect(actions == [cut(), .cut(1, .any(.streamCut))])
    }

    @Test func endSentByAnotherAppIsIgnored() {
        var machine = Streams.joined()
        let actions = machine.said(StreamEnd(stream: id, byteCount: 3, failure: .any(.cancelled)), by: "rival")
        let count = machine.count
        #expect(actions.isEmpty && count == 1)
    }

    @Test func devicesEndIsReportedToTheAppBeforeItIsConfirmed() {
        var machine = Streams.joined()
        let actions = machine.bytesEnded(2, after: 9, at: .zero)
        #expect(actions == [.tell("viewer", end(9)), .confirm(2)])
        let again = machine.bytesEnded(2, after: 9, at: .zero)
        #expect(again.isEmpty)
    }

    @Test func halfCloseInEitherOrderEndsInOrder() {
        for nearFirst in [true, false] {
            var machine = Streams.joined()
            for isNear in [nearFirst, !nearFirst] {
                if isNear {
                    _ = machine.said(end(0), by: "viewer")
                    _ = machine.bytesEnded(1, after: 0, at: .zero)
                } else {
                    _ = machine.bytesEnded(2, after: 5, at: .zero)
                }
            }
            let first = machine.closed(nearFirst ? 1 : 2, nil)
            let second = machine.closed(nearFirst ? 2 : 1, nil)
            let count = machine.count
            #expect(first.isEmpty && second.isEmpty && count == 0)
        }
    }

    // Shows C05.
    @Test(arguments: [1, 2]) func lostLinkCutsTheOtherAndTheAppIsNotified(link: Int) {
        var machine = Streams.joined()
        let actions = machine.closed(link, .any(.connectionUnavailable))
        #expect(actions == [cut(), .cut(link == 1 ? 2 : 1, .any(.streamCut))])
        let late = machine.closed(link == 1 ? 2 : 1, .any(.streamCut))
        #expect(late.isEmpty)
    }

    @Test func cutAfterAnEndIsStillSaid() {
        var machine = Streams.joined()
        _ = machine.bytesEnded(2, after: 5, at: .zero)
        let actions = machine.closed(2, .any(.connectionUnavailable))
        #expect(actions == [cut(), .cut(1, .any(.streamCut))])
    }

    @Test func appThatQuitsCutsItsStreams() {
        var machine = Streams.joined()
        let actions = machine.clientClosed("viewer")
        #expect(actions == [cut(.appGone), .cut(1, .any(.appGone))])
    }

    @Test func appThatIsDoneMayQuitWhileItsBytesAreUnderWay() {
        var machine = Streams.joined()
        _ = machine.bytesEnded(2, after: 5, at: .zero)
        _ = machine.said(end(3), by: "viewer")
        let quit = machine.clientClosed("viewer")
        #expect(quit.isEmpty)
        let bytes = machine.bytesEnded(1, after: 3, at: .zero)
        #expect(bytes == [.confirm(1)])
    }

    @Test func appThatHasNotReadItsBytesToTheEndIsNotDone() {
        var machine = Streams.joined()
        _ = machine.said(end(3), by: "viewer")
        let quit = machine.clientClosed("viewer")
        #expect(quit == [cut(.appGone), .cut(1, .any(.appGone))])
    }

    @Test func revokedStreamIsCutInAnyState() {
        var machine = Streams.joined()
        _ = machine.opened(StreamFixture.stream(2), by: "viewer", for: StreamFixture.pass(), at: .zero)
        _ = machine.open(3, way: .dial)
        _ = machine.attach(3, link: 3)
        _ = machine.open(4, pass: StreamFixture.pass(of: StreamFixture.tablet), way: .dial)
        let actions = machine.revoked(.any(.deviceRemoved)) { $1.device == StreamFixture.desktop }
        let removed = Failure.any(.deviceRemoved)
        #expect(
            actions == [
                .refuse(3, removed), .fail(StreamFixture.stream(2), removed), cut(.deviceRemoved), .cut(1, removed),
            ])
        let count = machine.count
        #expect(count == 1)
    }

    // A removed device is not notified about streams; a remaining one must not wait in vain.
    @Test(arguments: [Failure.Code.deviceRemoved, .notAllowed])
    func remainingDeviceIsNotifiedThatItsStreamIsForbidden(code: Failure.Code) {
        var machine = Streams()
        _ = machine.open(1, way: .dial)
        let actions = machine.revoked(.any(code)) { _, _ in true }
        let told: StreamsAction = .tellDevice(StreamFixture.desktop, StreamFixture.token(1), .any(.notAllowed))
        #expect(actions == (code == .deviceRemoved ? [] : [told]))
        let late = machine.dialled(id, .success(2))
        #expect(late == [.cut(2, .any(.cancelled))])
    }
}
