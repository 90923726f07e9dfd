// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff

@Suite struct SavingTests {
    // Shows A11, D01, D02.
    @Test func willSaveRunsInTheBackgroundAndItsResultIsSent() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        let editor = Editor { $0.addUserInfoEntries(from: ["position": 42]) }
        activity.delegate = editor
        activity.userInfo = ["page": 1]
        activity.needsSave = true
        let state = try await laptop.fetch(activity)
        #expect(try await editor.saves.next() == "background")
        #expect(try ActivityContent(state).userInfo?.foundation as? [String: Int] == ["page": 1, "position": 42])
        #expect(!activity.needsSave)
    }

    // Shows A12.
    @Test func needsSaveIsFalseWhenTheHookBegins() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        let seen = Mailbox<Bool>()
        let editor = Editor { activity in
            seen.post(activity.needsSave)
            activity.needsSave = true
        }
        activity.delegate = editor
        activity.needsSave = true
        _ = try await laptop.fetch(activity)
        #expect(try await seen.next() == false)
        #expect(activity.needsSave)
    }

    // Shows A13.
    @Test func manySetsAreOneCall() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        let editor = Editor()
        activity.delegate = editor
        for _ in 0..<100 { activity.needsSave = true }
        _ = try await laptop.fetch(activity)
        _ = try await laptop.fetch(activity)
        #expect(editor.saves.waiting.count == 1)
    }

    @Test func savedActivityIsSentAtOnce() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        let editor = Editor()
        activity.delegate = editor
        activity.needsSave = false
        let answer = try await laptop.daemon.request(.advertising(.save(activity.record.id, deadline: .seconds(30))))
        guard case .advertising(.saved(_, let saving, _)) = answer else {
            throw FakeDaemon.Unexpected(frame: LocalFrame(answer))
        }
        #expect(saving == .zero)
        #expect(editor.saves.waiting.isEmpty)
    }

    @Test func savingWorksWithoutADelegate() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        activity.needsSave = true
        _ = try await laptop.fetch(activity)
        #expect(!activity.needsSave)
    }

    private final class Bare: NSUserActivityDelegate {}

    // Shows D05.
    @Test func everyDelegateMethodIsOptional() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        let bare = Bare()
        activity.delegate = bare
        activity.needsSave = true
        _ = try await laptop.fetch(activity)
        laptop.daemon.send(
            .continuation(.wasContinued(activity.record.id, deviceName: DisplayText(cleaning: "desktop"))))
        _ = try await laptop.fetch(activity)
    }

    // Shows E03.
    @Test func hookOverTheDeadlineFailsTheFetchAndServesTheNext() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        let release = DispatchSemaphore(value: 0)
        let editor = Editor { activity in
            release.wait()
            activity.title = "saved late"
        }
        activity.delegate = editor
        activity.needsSave = true
        await #expect(throws: Failure(.appTimedOut, "")) { try await laptop.fetch(activity, within: .milliseconds(20)) }
        // Joins the running call instead of sending an incomplete state.
        let second = laptop.daemon.ask(.advertising(.save(activity.record.id, deadline: .seconds(30))))
        try await laptop.caughtUp()
        release.signal()
        guard case .advertising(.saved(let state, let saving, _)) = try await second.next() else {
            throw Mailbox<Void>.NothingCame()
        }
        #expect(state.title == "saved late")
        #expect(saving > .zero)
        #expect(editor.saves.waiting.count == 1)
    }

    @Test func twoDevicesShareOneSave() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        let release = DispatchSemaphore(value: 0)
        let editor = Editor { _ in release.wait() }
        activity.delegate = editor
        activity.needsSave = true
        let first = laptop.daemon.ask(.advertising(.save(activity.record.id, deadline: .seconds(30))))
        let second = laptop.daemon.ask(.advertising(.save(activity.record.id, deadline: .seconds(30))))
        _ = try await editor.saves.next()
        try await laptop.caughtUp()
        release.signal()
        for answer in [first, second] {
            guard case .advertising(.saved) = try await answer.next() else { throw Mailbox<Void>.NothingCame() }
        }
        #expect(editor.saves.waiting.isEmpty)
    }

    /// Shows B09: the daemon may request the state again, to have the newest.
    @Test func firstChangeAfterASaveIsReported() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        activity.userInfo = ["page": 1]
        _ = try await laptop.fetch(activity)
        for page in 2...9 { activity.userInfo = ["page": page] }
        activity.needsSave = true
        #expect(try await laptop.daemon.frames.next() == LocalFrame(.advertising(.changed(activity.record.id))))
        _ = try await laptop.fetch(activity)
        #expect(laptop.daemon.frames.waiting.isEmpty, "once, and not of what changed before the first save")
        activity.needsSave = true
        #expect(try await laptop.daemon.frames.next() == LocalFrame(.advertising(.changed(activity.record.id))))
    }

    @Test func changeWithinWillSaveIsPartOfIt() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        let editor = Editor { activity in
            activity.addUserInfoEntries(from: ["position": 42])
            activity.needsSave = true
        }
        activity.delegate = editor
        activity.needsSave = true
        for _ in 1...3 { _ = try await laptop.fetch(activity) }
        #expect(laptop.daemon.frames.waiting.isEmpty)
    }

    @Test func changeOfAnActivityThatIsNotCurrentIsNotTold() async throws {
        let laptop = try Laptop()
        let (first, _) = try await laptop.currentActivity()
        _ = try await laptop.fetch(first)
        let (second, _) = try await laptop.currentActivity()
        first.userInfo = ["page": 2]
        _ = try await laptop.fetch(second)
        #expect(laptop.daemon.frames.waiting.isEmpty)
    }

    // Shows E04, B12.
    @Test func tooLargeUserInfoFailsWithItsCode() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        activity.userInfo = ["data": Data(count: Limits.userInfoBytes)]
        await #expect(throws: Failure(.payloadTooLarge, "")) { try await laptop.fetch(activity) }
        activity.userInfo = ["data": Data(count: Limits.userInfoBytes - 100)]
        _ = try await laptop.fetch(activity)
    }

    // Shows B12.
    @Test func adviceOnSizeIsGivenOnce() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        activity.userInfo = ["data": Data(count: 1000)]
        _ = try await laptop.fetch(activity)
        #expect(laptop.log.waiting.isEmpty)
        activity.userInfo = ["data": Data(count: Limits.userInfoAdviceBytes)]
        _ = try await laptop.fetch(activity)
        _ = try await laptop.fetch(activity)
        #expect(laptop.log.waiting.count == 1)
    }

    // Shows D03.
    @Test func originIsNotifiedOfTheContinuation() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        let editor = Editor()
        activity.delegate = editor
        _ = try await laptop.fetch(activity)
        laptop.daemon.send(
            .continuation(.wasContinued(activity.record.id, deviceName: DisplayText(cleaning: "desktop"))))
        #expect(try await editor.continued.next() == activity.activityType)
    }

    @Test func originIsNotifiedAfterItsActivityChanged() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        let editor = Editor()
        activity.delegate = editor
        _ = try await laptop.currentActivity(title: "next")
        laptop.daemon.send(
            .continuation(.wasContinued(activity.record.id, deviceName: DisplayText(cleaning: "desktop"))))
        #expect(try await editor.continued.next() == activity.activityType)
    }

    @Test func unknownActivityIsGone() async throws {
        let laptop = try Laptop()
        _ = try await laptop.currentActivity()
        await #expect(throws: Failure(.activityGone, "")) { try await laptop.fetch(laptop.activity()) }
    }

    @Test func answerForADaemonThatIsGoneIsNotGivenToTheNext() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        let release = DispatchSemaphore(value: 0)
        let editor = Editor { _ in release.wait() }
        activity.delegate = editor
        activity.needsSave = true
        _ = laptop.daemon.ask(.advertising(.save(activity.record.id, deadline: .seconds(30))))
        _ = try await editor.saves.next()
        laptop.daemon.kill()
        try laptop.daemon.start()
        _ = try await laptop.daemon.nextPublication()
        release.signal()
        // The old answer would be sent before this one.
        _ = try await laptop.fetch(activity)
        #expect(laptop.daemon.strays.waiting.isEmpty)
    }
}
