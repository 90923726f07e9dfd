// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffAdapters

struct MediaStateMachineTests {
    private let first = PlayerName(":1.1")
    private let second = PlayerName(":1.2")
    private let film = MediaStateMachine.Media(source: .page("https://films.example/a.mkv"), title: "A")
    private let music = MediaStateMachine.Media(source: .page("https://films.example/b.ogg"), title: "B")
    private let start = Instant(sinceZero: .seconds(100))

    // Shows M02.
    @Test func playingMediaIsPublished() {
        var machine = MediaStateMachine()
        machine.changed(first, film, .playing)
        #expect(machine.next(start) == .publish(film, of: first))
        #expect(machine.next(start) == nil)
    }

    // Shows M02.
    @Test func pausedMediaStaysPublishedWithItsNewPosition() {
        var machine = MediaStateMachine()
        machine.changed(first, film, .playing)
        _ = machine.next(start)
        machine.changed(first, film, .paused)
        let paused = start.advanced(by: .seconds(1))
        #expect(machine.next(paused) == nil)
        let due = paused.advanced(by: MediaStateMachine.patience)
        #expect(machine.nextTime == due)
        #expect(machine.next(due) == .changed)
        #expect(machine.saved() == first)
        #expect(machine.next(start.advanced(by: .seconds(2))) == nil)
    }

    @Test func playingMediaCausesNoMessages() {
        var machine = MediaStateMachine()
        machine.changed(first, film, .playing)
        _ = machine.next(start)
        #expect(machine.saved() == first)
        #expect(machine.next(start.advanced(by: .seconds(3600))) == nil)
        #expect(machine.nextTime == nil)
    }

    @Test func newActivityDoesNotWaitForAWrongPosition() {
        var machine = MediaStateMachine()
        machine.changed(first, film, .playing)
        _ = machine.next(start)
        let later = start.advanced(by: .seconds(1))
        machine.moved(first)
        #expect(machine.next(later) == nil)
        machine.changed(first, music, .playing)
        #expect(machine.next(later.advanced(by: .milliseconds(100))) == .publish(music, of: first))
    }

    // Shows M02.
    @Test func stoppedMediaIsWithdrawnAtOnce() {
        var machine = MediaStateMachine()
        machine.changed(first, film, .playing)
        _ = machine.next(start)
        machine.changed(first, film, .stopped)
        #expect(machine.next(start) == .withdraw)
        #expect(machine.saved() == nil)
    }

    @Test func privateMediaInPlaceOfOtherMediaWithdrawsIt() {
        var machine = MediaStateMachine()
        machine.changed(first, film, .playing)
        _ = machine.next(start)
        machine.changed(first, nil, .playing)
        #expect(machine.next(start) == .withdraw)
    }

    @Test func messagesAreSpacedAndTheLastStateIsTold() {
        var machine = MediaStateMachine()
        var sent = 0
        for step in 0..<1000 {
            machine.changed(first, step % 2 == 0 ? film : music, .playing)
            if machine.next(start.advanced(by: .milliseconds(step))) != nil { sent += 1 }
        }
        #expect(sent == 2)
        let time = machine.nextTime
        #expect(time == start.advanced(by: MediaStateMachine.spacing * 2))
        #expect(machine.next(start.advanced(by: .seconds(2))) == .publish(music, of: first))
    }

    @Test func playingPlayerPrecedesAPausedOneThatChangedLater() {
        var machine = MediaStateMachine()
        machine.changed(first, film, .playing)
        machine.changed(second, music, .paused)
        #expect(machine.next(start) == .publish(film, of: first))
        machine.changed(first, film, .paused)
        machine.changed(second, music, .playing)
        #expect(machine.next(start.advanced(by: .seconds(1))) == .publish(music, of: second))
        machine.left(second)
        #expect(machine.next(start.advanced(by: .seconds(2))) == .publish(film, of: first))
        machine.left(first)
        #expect(machine.next(start.advanced(by: .seconds(2))) == .withdraw)
    }

    // Shows M02.
    @Test func onlyAPlayingOriginIsPaused() {
        var machine = MediaStateMachine()
        machine.changed(first, film, .playing)
        _ = machine.next(start)
        #expect(machine.wasContinued() == first)
        machine.changed(first, film, .paused)
        #expect(machine.wasContinued() == nil)
    }

    @Test func newDaemonIsToldAgain() {
        var machine = MediaStateMachine()
        machine.changed(first, film, .playing)
        _ = machine.next(start)
        machine.forgotten()
        #expect(machine.next(start.advanced(by: .seconds(1))) == .publish(film, of: first))
    }

    @Test func newTitleIsAnUpdate() {
        var machine = MediaStateMachine()
        machine.changed(first, film, .playing)
        _ = machine.next(start)
        machine.changed(first, .init(source: film.source, title: "C"), .playing)
        #expect(machine.next(start.advanced(by: .seconds(1))) == .update(title: "C"))
    }
}
