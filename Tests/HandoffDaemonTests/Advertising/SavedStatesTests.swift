// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// When an app is asked to save, and which states are held. Shows B09.
@Suite struct SavedStatesTests {
    private let mail: ClientID = 1
    private let notes: ClientID = 2
    private let letter = BoardFixture.activity(1)
    private let draft = BoardFixture.activity(2)

    private func state(_ title: String, bytes: Int = 0) -> ActivityState {
        ActivityState(
            type: try! ActivityType("com.example.editing"), title: title,
            userInfo: Array(repeating: 0, count: bytes / 2),
            contentAttributes: Array(repeating: 0, count: bytes - bytes / 2))
    }

    private func wall(_ seconds: Int) -> WallTime { BoardFixture.wall(.at(.seconds(seconds))) }

    private func ask(_ states: inout SavedStates, at seconds: Int) -> [ActivityID] {
        states.deadlineReached(now: .at(.seconds(seconds))).map(\.activity)
    }

    private func answer(
        _ title: String, of activity: ActivityID, to states: inout SavedStates, at seconds: Int, bytes: Int = 0
    ) {
        states.answered(
            .success(state(title, bytes: bytes)), of: activity, by: mail, now: .at(.seconds(seconds)),
            wall: wall(seconds))
    }

    @Test func currentActivityIsSavedOnceItIsCalm() {
        var states = SavedStates()
        states.current(letter, of: mail, now: .zero)
        let deadline = states.nextDeadline
        #expect(deadline == .at(.seconds(1)))
        #expect(states.deadlineReached(now: .at(.milliseconds(999))).isEmpty)
        #expect(ask(&states, at: 1) == [letter])
        answer("Letter", of: letter, to: &states, at: 2)
        #expect(states.state(of: letter) == SavedState(state("Letter"), saved: wall(2)))
    }

    @Test func appAtRestIsNotAskedAgain() {
        var states = SavedStates()
        states.current(letter, of: mail, now: .zero)
        _ = ask(&states, at: 1)
        answer("Letter", of: letter, to: &states, at: 1)
        let deadline = states.nextDeadline
        #expect(deadline == nil)
        #expect(ask(&states, at: 100_000).isEmpty)
    }

    @Test func busyAppIsAskedOnceInTenSeconds() {
        var states = SavedStates()
        states.current(letter, of: mail, now: .zero)
        var asked: [Int] = []
        for second in 1...60 {
            if ask(&states, at: second) == [letter] {
                asked.append(second)
                answer("Letter \(second)", of: letter, to: &states, at: second)
            }
            states.changed(letter, by: mail, now: .at(.seconds(second)))
        }
        #expect(asked == [1, 11, 21, 31, 41, 51])
    }

    @Test func frequentActivityChangesDoNotIncreaseSaveRequests() {
        var states = SavedStates()
        var asked = 0
        for second in 0..<60 {
            states.current(BoardFixture.activity(UInt8(second)), of: mail, now: .at(.seconds(second)))
            asked += ask(&states, at: second + 1).count
            // At times it has no current activity.
            if second.isMultiple(of: 7) { states.forget { _ in false } }
        }
        #expect(asked <= 6)
    }

    @Test func lateChangeIsSavedAfterACalmMomentNotAtOnce() {
        var states = SavedStates()
        states.current(letter, of: mail, now: .zero)
        _ = ask(&states, at: 1)
        answer("Letter", of: letter, to: &states, at: 1)
        states.changed(letter, by: mail, now: .at(.seconds(500)))
        let deadline = states.nextDeadline
        #expect(deadline == .at(.seconds(501)))
    }

    @Test func appHasOneSaveRequestAtATime() {
        var states = SavedStates()
        states.current(letter, of: mail, now: .zero)
        _ = ask(&states, at: 1)
        states.changed(letter, by: mail, now: .at(.seconds(1)))
        #expect(ask(&states, at: 60).isEmpty)
        let waiting = states.nextDeadline
        #expect(waiting == nil)
        answer("Letter", of: letter, to: &states, at: 61)
        #expect(ask(&states, at: 61) == [letter])
    }

    @Test func failureLeavesWhatWasSavedBefore() {
        var states = SavedStates()
        states.current(letter, of: mail, now: .zero)
        _ = ask(&states, at: 1)
        answer("Letter", of: letter, to: &states, at: 1)
        states.changed(letter, by: mail, now: .at(.seconds(20)))
        _ = ask(&states, at: 21)
        states.answered(
            .failure(Failure(.appTimedOut, "")), of: letter, by: mail, now: .at(.seconds(29)), wall: wall(29))
        #expect(states.state(of: letter)?.saved == wall(1))
        #expect(ask(&states, at: 600).isEmpty, "not before something changes")
    }

    @Test func answerForTheActivityBeforeDoesNotCount() {
        var states = SavedStates()
        states.current(letter, of: mail, now: .zero)
        _ = ask(&states, at: 1)
        states.current(draft, of: mail, now: .at(.seconds(2)))
        answer("Letter", of: letter, to: &states, at: 3)
        #expect(states.state(of: letter) == nil)
        #expect(ask(&states, at: 11) == [draft])
    }

    @Test func fetchedStateIsHeldWithoutAskingTheApp() {
        var states = SavedStates()
        states.current(letter, of: mail, now: .zero)
        states.saved(state("Letter"), of: letter, by: mail, wall: wall(0))
        let deadline = states.nextDeadline
        #expect(deadline == nil)
        #expect(states.state(of: letter)?.state.title == "Letter")
    }

    @Test func clientThatLeftLeavesItsState() {
        var states = SavedStates()
        states.current(letter, of: mail, now: .zero)
        _ = ask(&states, at: 1)
        answer("Letter", of: letter, to: &states, at: 1)
        states.clientClosed(mail)
        #expect(states.state(of: letter) != nil)
        states.forget { $0 != letter }
        #expect(states.state(of: letter) == nil)
    }

    @Test func withdrawnActivityIsNeitherHeldNorRequested() {
        var states = SavedStates()
        states.current(letter, of: mail, now: .zero)
        states.current(draft, of: notes, now: .zero)
        states.forget { $0 == draft }
        #expect(ask(&states, at: 1) == [draft])
        answer("Letter", of: letter, to: &states, at: 2)
        let count = states.count
        #expect(count == 0)
    }

    @Test func deletedStateIsNotHeldUntilAppSavesAgain() {
        var states = SavedStates()
        states.current(letter, of: mail, now: .zero)
        _ = ask(&states, at: 1)
        var named = state("Letter")
        named.persistentIdentifier = "letter-1"
        states.answered(.success(named), of: letter, by: mail, now: .at(.seconds(1)), wall: wall(1))
        states.deleted(.named(["letter-2"]), by: mail)
        states.deleted(.all, by: notes)
        #expect(states.state(of: letter)?.state == named)
        states.deleted(.named(["letter-1"]), by: mail)
        #expect(states.state(of: letter) == nil)
        #expect(ask(&states, at: 100).isEmpty, "nothing changed since")
        states.changed(letter, by: mail, now: .at(.seconds(100)))
        #expect(ask(&states, at: 101) == [letter])
    }

    @Test func noStateIsRequestedOrHeldIfSavingIsOff() {
        var limits = SavingLimits()
        limits.isOn = false
        var states = SavedStates(limits: limits)
        states.current(letter, of: mail, now: .zero)
        let deadline = states.nextDeadline
        #expect(deadline == nil)
        states.saved(state("Letter"), of: letter, by: mail, wall: wall(0))
        #expect(states.state(of: letter) == nil)
    }

    @Test func statesTakeNoMoreThanTheirRoom() {
        var limits = SavingLimits()
        limits.bytes = 100_000
        var states = SavedStates(limits: limits)
        for number in 0..<10 {
            let activity = BoardFixture.activity(UInt8(number))
            let client = ClientID(UInt64(number))
            states.current(activity, of: client, now: .zero)
            states.saved(state("", bytes: 30_000), of: activity, by: client, wall: wall(number))
            let bytes = states.bytes
            #expect(bytes <= 100_000)
        }
        let held = (0..<10).filter { states.state(of: BoardFixture.activity(UInt8($0))) != nil }
        #expect(held == [0, 1, 2], "what is offered of an app that quit stays")
        #expect(SavingLimits().bytes == 4 * 1024 * 1024)
    }
}
