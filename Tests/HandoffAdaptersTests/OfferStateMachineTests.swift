// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffAdapters

struct OfferStateMachineTests {
    private let first = InstanceName(":1.1")
    private let second = InstanceName(":1.2")
    private let film = OfferStateMachine.Shown(source: .page("https://films.example/a.mkv"), title: "A")
    private let music = OfferStateMachine.Shown(source: .page("https://films.example/b.ogg"), title: "B")
    private let start = Instant(sinceZero: .seconds(100))

    // Shows M02.
    @Test func playingMediaIsPublished() {
        var machine = OfferStateMachine()
        machine.changed(first, film, .active)
        #expect(machine.next(start) == .publish(film, of: first))
        #expect(machine.next(start) == nil)
    }

    // Shows M02.
    @Test func pausedMediaStaysPublishedWithItsNewPosition() {
        var machine = OfferStateMachine()
        machine.changed(first, film, .active)
        _ = machine.next(start)
        machine.changed(first, film, .open)
        let paused = start.advanced(by: .seconds(1))
        #expect(machine.next(paused) == nil)
        let due = paused.advanced(by: OfferStateMachine.patience)
        #expect(machine.nextTime == due)
        #expect(machine.next(due) == .changed)
        #expect(machine.saved() == first)
        #expect(machine.next(start.advanced(by: .seconds(2))) == nil)
    }

    @Test func playingMediaCausesNoMessages() {
        var machine = OfferStateMachine()
        machine.changed(first, film, .active)
        _ = machine.next(start)
        #expect(machine.saved() == first)
        #expect(machine.next(start.advanced(by: .seconds(3600))) == nil)
        #expect(machine.nextTime == nil)
    }

    @Test func newActivityDoesNotWaitForAWrongPosition() {
        var machine = OfferStateMachine()
        machine.changed(first, film, .active)
        _ = machine.next(start)
        let later = start.advanced(by: .seconds(1))
        machine.moved(first)
        #expect(machine.next(later) == nil)
        machine.changed(first, music, .active)
        #expect(machine.next(later.advanced(by: .milliseconds(100))) == .publish(music, of: first))
    }

    // Shows M02.
    @Test func stoppedMediaIsWithdrawnAtOnce() {
        var machine = OfferStateMachine()
        machine.changed(first, film, .active)
        _ = machine.next(start)
        machine.changed(first, film, .closed)
        #expect(machine.next(start) == .withdraw)
        #expect(machine.saved() == nil)
    }

    @Test func privateMediaInPlaceOfOtherMediaWithdrawsIt() {
        var machine = OfferStateMachine()
        machine.changed(first, film, .active)
        _ = machine.next(start)
        machine.changed(first, nil, .active)
        #expect(machine.next(start) == .withdraw)
    }

    @Test func messagesAreSpacedAndTheLastStateIsSent() {
        var machine = OfferStateMachine()
        var sent = 0
        for step in 0..<1000 {
            machine.changed(first, step % 2 == 0 ? film : music, .active)
            if machine.next(start.advanced(by: .milliseconds(step))) != nil { sent += 1 }
        }
        #expect(sent == 2)
        machine.changed(first, film, .active)
        let time = machine.nextTime
        #expect(time == start.advanced(by: OfferStateMachine.period))
        #expect(machine.next(start.advanced(by: .seconds(2))) == .publish(film, of: first))
    }

    // Shows M02.
    @Test func newActivityIsPublishedWithoutWaitingForThePrevious() {
        var machine = OfferStateMachine()
        for step in 0..<10 {
            machine.changed(first, step % 2 == 0 ? film : music, .active)
            machine.moved(first)
            let now = start.advanced(by: .milliseconds(600 * step))
            #expect(machine.next(now) == .publish(step % 2 == 0 ? film : music, of: first))
            // The program corrects its position a moment later.
            machine.moved(first)
            #expect(machine.next(now.advanced(by: .milliseconds(300))) == nil)
        }
        #expect(machine.next(start.advanced(by: .seconds(7))) == .changed)
    }

    @Test func playingPlayerPrecedesALaterChangedPausedPlayer() {
        var machine = OfferStateMachine()
        machine.changed(first, film, .active)
        machine.changed(second, music, .open)
        #expect(machine.next(start) == .publish(film, of: first))
        machine.changed(first, film, .open)
        machine.changed(second, music, .active)
        #expect(machine.next(start.advanced(by: .seconds(1))) == .publish(music, of: second))
        machine.left(second)
        #expect(machine.next(start.advanced(by: .seconds(2))) == .publish(film, of: first))
        machine.left(first)
        #expect(machine.next(start.advanced(by: .seconds(2))) == .withdraw)
    }

    // Shows M02.
    @Test func onlyAPlayingOriginIsPaused() {
        var machine = OfferStateMachine()
        machine.changed(first, film, .active)
        _ = machine.next(start)
        #expect(machine.continued == first)
        machine.changed(first, film, .open)
        #expect(machine.continued == nil)
    }

    // Shows M03.
    @Test func documentWithATurnedPagePrecedesALaterOpenedDocument() {
        var machine = OfferStateMachine()
        machine.changed(first, film, .open)
        machine.changed(second, music, .open)
        #expect(machine.next(start) == .publish(music, of: second))
        machine.moved(first)
        #expect(machine.next(start.advanced(by: .seconds(1))) == .publish(film, of: first))
    }

    // Shows M03.
    @Test func newlyFocusedDocumentPrecedesALaterChangedDocument() {
        var machine = OfferStateMachine()
        machine.changed(first, film, .open)
        machine.changed(second, music, .open)
        _ = machine.next(start)
        machine.focused(first, isReturn: false)
        #expect(machine.next(start.advanced(by: .seconds(1))) == .publish(film, of: first))
        machine.moved(second)
        #expect(machine.next(start.advanced(by: .seconds(2))) == nil)
        machine.left(first)
        #expect(machine.next(start.advanced(by: .seconds(3))) == .publish(music, of: second))
    }

    // Shows M03: the focus is known before the document.
    @Test func focusedDocumentPrecedesALaterFoundDocument() {
        var machine = OfferStateMachine()
        machine.focused(first, isReturn: true)
        machine.changed(first, film, .open)
        machine.changed(second, music, .open)
        #expect(machine.next(start) == .publish(film, of: first))
    }

    @Test func programThatTheUserReturnsToIsReportedOnce() {
        var machine = OfferStateMachine()
        machine.focused(first, isReturn: true)
        machine.changed(first, film, .open)
        #expect(machine.next(start) == .publish(film, of: first))
        for second in 1...3 {
            for _ in 0..<100 { machine.focused(first, isReturn: true) }
            let later = start.advanced(by: .seconds(second))
            #expect(machine.next(later) == .returned)
            #expect(machine.next(later) == nil)
        }
    }

    @Test func newDaemonReceivesTheOfferAgain() {
        var machine = OfferStateMachine()
        machine.changed(first, film, .active)
        _ = machine.next(start)
        machine.forgotten()
        #expect(machine.next(start.advanced(by: .seconds(1))) == .publish(film, of: first))
    }

    @Test func newTitleIsAnUpdate() {
        var machine = OfferStateMachine()
        machine.changed(first, film, .active)
        _ = machine.next(start)
        machine.changed(first, .init(source: film.source, title: "C"), .active)
        #expect(machine.next(start.advanced(by: .seconds(1))) == .update(title: "C"))
    }
}
