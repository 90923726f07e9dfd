// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct LaunchStateMachineTests {
    private let editor = try! BundleID("com.example.editor")
    private let reader = try! BundleID("com.example.reader")

    private func token(_ number: UInt8) -> LaunchToken {
        LaunchToken(uncheckedBytes: Array(repeating: number, count: 32))
    }

    /// Shows B06, L02.
    @Test func startsAnAppOnceForAllWhoWait() {
        var machine = LaunchStateMachine<String>()
        #expect(machine.requested(editor, by: "ann", deadline: .at(.seconds(5)), fresh: token(1)) == .launch(token(1)))
        #expect(machine.requested(editor, by: "bob", deadline: .at(.seconds(9)), fresh: token(2)) == .wait)
        #expect(machine.requested(reader, by: "cy", deadline: .at(.seconds(9)), fresh: token(3)) == .launch(token(3)))
        #expect(machine.redeemed(token(1)) == editor)
        #expect(machine.appConnected(editor) == ["ann", "bob"])
        #expect(machine.appConnected(editor) == [])
    }

    @Test func aStartIsAwaitedUntilItIsSettledOrAllGaveUp() {
        var machine = LaunchStateMachine<String>()
        _ = machine.requested(editor, by: "ann", deadline: .at(.seconds(5)), fresh: token(1))
        _ = machine.requested(reader, by: "bob", deadline: .at(.seconds(9)), fresh: token(2))
        var awaited = [token(1), token(2), token(3)].map { machine.isAwaited($0) }
        #expect(awaited == [true, true, false])
        _ = machine.deadlineReached(now: .at(.seconds(5)))
        _ = machine.appConnected(reader)
        awaited = [token(1), token(2)].map { machine.isAwaited($0) }
        #expect(awaited == [false, false])
    }

    @Test func tokenIsValidOnce() {
        var machine = LaunchStateMachine<String>()
        _ = machine.requested(editor, by: "ann", deadline: .at(.seconds(5)), fresh: token(1))
        #expect(machine.redeemed(token(1)) == editor)
        #expect(machine.redeemed(token(1)) == nil)
        #expect(machine.redeemed(token(9)) == nil)
    }

    @Test func appThatEndsBeforeItConnectsFailsAllWhoWait() {
        var machine = LaunchStateMachine<String>()
        _ = machine.requested(editor, by: "ann", deadline: .at(.seconds(5)), fresh: token(1))
        _ = machine.requested(editor, by: "bob", deadline: .at(.seconds(9)), fresh: token(2))
        #expect(machine.ended(token(1)) == ["ann", "bob"])
        #expect(machine.redeemed(token(1)) == nil)
        #expect(machine.requested(editor, by: "cy", deadline: .at(.seconds(9)), fresh: token(3)) == .launch(token(3)))
    }

    @Test func endOfAConnectedAppsLaunchIsIgnored() {
        var machine = LaunchStateMachine<String>()
        _ = machine.requested(editor, by: "ann", deadline: .at(.seconds(5)), fresh: token(1))
        _ = machine.redeemed(token(1))
        _ = machine.appConnected(editor)
        _ = machine.requested(editor, by: "bob", deadline: .at(.seconds(9)), fresh: token(2))
        #expect(machine.ended(token(1)) == [])
        #expect(machine.appConnected(editor) == ["bob"])
    }

    @Test func eachWaitsForItsOwnDeadline() {
        var machine = LaunchStateMachine<String>()
        _ = machine.requested(editor, by: "ann", deadline: .at(.seconds(5)), fresh: token(1))
        _ = machine.requested(editor, by: "bob", deadline: .at(.seconds(9)), fresh: token(2))
        let first = machine.nextDeadline
        #expect(first == .at(.seconds(5)))
        let late = machine.deadlineReached(now: .at(.seconds(5))).map(\.waiter)
        #expect(late == ["ann"])
        let second = machine.nextDeadline
        #expect(second == .at(.seconds(9)))
        let latest = machine.deadlineReached(now: .at(.seconds(9))).map(\.waiter)
        #expect(latest == ["bob"])
        let none = machine.nextDeadline
        #expect(none == nil)
    }

    @Test func afterTheLastDeadlineTheAppIsStartedAgain() {
        var machine = LaunchStateMachine<String>()
        _ = machine.requested(editor, by: "ann", deadline: .at(.seconds(5)), fresh: token(1))
        _ = machine.deadlineReached(now: .at(.seconds(5)))
        #expect(machine.requested(editor, by: "bob", deadline: .at(.seconds(9)), fresh: token(2)) == .launch(token(2)))
        // The slow process connects at last, and is still the app.
        #expect(machine.redeemed(token(1)) == editor)
        #expect(machine.appConnected(editor) == ["bob"])
    }

    @Test func tokensThatAreOutAreBounded() {
        var machine = LaunchStateMachine<Int>()
        func token(_ number: Int) -> LaunchToken {
            LaunchToken(uncheckedBytes: (0..<32).map { UInt8(number >> (8 * min($0, 3)) & 255) })
        }
        for number in 0...LaunchStateMachine<Int>.maximumTokens {
            _ = machine.requested(editor, by: number, deadline: .at(.seconds(number)), fresh: token(number))
            _ = machine.deadlineReached(now: .at(.seconds(number)))
        }
        #expect(machine.redeemed(token(0)) == nil)
        #expect(machine.redeemed(token(1)) == editor)
    }
}

@Suite struct AppRecencyTests {
    private let editor = try! BundleID("com.example.editor")
    private let reader = try! BundleID("com.example.reader")

    @Test func orderSurvivesARestart() {
        var recency = AppRecency()
        #expect(recency.used(reader) == true)
        #expect(recency.used(editor) == true)
        #expect(recency.used(editor) == false)
        let read = AppRecency(file: recency.file)
        #expect(read == recency)
        #expect(read[editor] == 0)
        #expect(read[reader] == 1)
    }

    @Test func damagedFileLosesOnlyTheLinesThatAre() {
        let read = AppRecency(file: Array("../etc\n\u{0}\ncom.example.reader\n\ncom.example.reader\ncom.exa".utf8))
        #expect(read[reader] == 0)
        #expect(read.file == Array("com.example.reader\ncom.exa\n".utf8))
    }

    @Test func rememberedAppsAreBounded() {
        var recency = AppRecency()
        for number in 0...AppRecency.maximumApps { _ = recency.used(BoardFixture.app(number)) }
        #expect(recency[BoardFixture.app(0)] == nil)
        #expect(recency[BoardFixture.app(1)] == AppRecency.maximumApps - 1)
    }
}
