// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

@Suite @MainActor struct HandoffApplicationTests {
    let desktop: Laptop
    let application: HandoffApplication
    let reader = Reader()

    init() throws {
        desktop = try Laptop(bundle: "com.example.reader", launchToken: Self.token)
        application = HandoffApplication(center: desktop.center)
        application.delegate = reader
    }

    private nonisolated static let token = LaunchToken(uncheckedBytes: Array(repeating: 7, count: 32))
    private nonisolated static let type = "com.example.reader.reading"
    private nonisolated static let accepted = ContinuationID(uncheckedBytes: Array(repeating: 1, count: 16))
    private nonisolated static let second = ContinuationID(uncheckedBytes: Array(repeating: 2, count: 16))

    private func announce(_ continuation: ContinuationID = accepted) -> Mailbox<LocalMessage> {
        desktop.daemon.ask(
            .continuation(
                .willContinue(
                    continuation, type: try! ActivityType(Self.type), originName: DisplayText(cleaning: "laptop"))))
    }

    private func state(_ userInfo: [Value: Value] = [.string("page"): .signed(41)]) throws -> ActivityState {
        ActivityState(
            type: try ActivityType(Self.type), title: "Chapter 3", userInfo: try Value.dictionary(userInfo).encoded())
    }

    private func fail(_ failure: Failure) throws {
        desktop.daemon.send(.continuation(.didFail(Self.accepted, type: try ActivityType(Self.type), failure)))
    }

    @Test func helloSaysThatItReceivesAndBringsTheTokenOnce() async throws {
        let hello = try await desktop.daemon.hellos.next()
        #expect(hello.receives)
        #expect(hello.bundle?.name == "com.example.reader")
        #expect(hello.launchToken == Self.token)
        // A round trip: the welcome was processed.
        _ = try await announce().next()
        desktop.daemon.kill()
        try desktop.daemon.start()
        let again = try await desktop.daemon.hellos.next()
        #expect(again.receives)
        #expect(again.launchToken == nil)
    }

    // Shows H01, H03.
    @Test func hooksRunInOrderOnTheMainThread() async throws {
        _ = try await desktop.daemon.hellos.next()
        #expect(try await announce().next() == .done(accepted: true))
        #expect(reader.calls.waiting == ["will \(Self.type) main"])
        let answer = desktop.daemon.ask(.continuation(.continueActivity(Self.accepted, try state())))
        #expect(try await answer.next() == .done(accepted: true))
        #expect(reader.calls.waiting == ["will \(Self.type) main", "continue Chapter 3 41 main"])
    }

    @Test func answersAreTheHooksOwn() async throws {
        _ = try await desktop.daemon.hellos.next()
        reader.showsProgress = false
        reader.goesOn = false
        #expect(try await announce().next() == .done(accepted: false))
        let answer = desktop.daemon.ask(.continuation(.continueActivity(Self.accepted, try state())))
        #expect(try await answer.next() == .done(accepted: false))
    }

    // Shows H04.
    @Test func restorationMayComeLater() async throws {
        _ = try await desktop.daemon.hellos.next()
        _ = try await announce().next()
        _ = try await desktop.daemon.ask(.continuation(.continueActivity(Self.accepted, try state()))).next()
        let windows = [Window(), Window()]
        reader.restorationHandler?(windows)
        reader.restorationHandler?([])
        #expect(windows.map(\.restored) == ["Chapter 3", "Chapter 3"])
    }

    // Shows E01, H05.
    @Test func failureIsReportedInsteadOfContinue() async throws {
        _ = try await desktop.daemon.hellos.next()
        _ = try await announce().next()
        _ = try await reader.calls.next()
        try fail(Failure(.deviceLost, "the other device is gone"))
        #expect(
            try await reader.calls.next()
                == "fail 4608 The activity could not be continued: the other device is gone. main")
        // A message after the outcome does not cause a second one.
        try fail(Failure(.deviceLost, "again"))
        let late = desktop.daemon.ask(.continuation(.continueActivity(Self.accepted, try state())))
        #expect(try await late.next() == .failure(Failure(.malformed, "")))
        #expect(reader.calls.waiting.isEmpty)
    }

    // Shows E06.
    @Test func secondContinuationCancelsTheFirst() async throws {
        _ = try await desktop.daemon.hellos.next()
        _ = try await announce().next()
        try fail(Failure(.cancelled, "another continuation was started"))
        _ = try await announce(Self.second).next()
        _ = try await desktop.daemon.ask(.continuation(.continueActivity(Self.second, try state()))).next()
        #expect(
            reader.calls.waiting == [
                "will \(Self.type) main", "fail 3072 The continuation of the activity was cancelled. main",
                "will \(Self.type) main", "continue Chapter 3 41 main",
            ])
    }

    // Shows E02, H05.
    @Test func daemonThatDiesInBetweenIsOneFailure() async throws {
        _ = try await desktop.daemon.hellos.next()
        _ = try await announce().next()
        _ = try await reader.calls.next()
        desktop.daemon.kill()
        #expect(try await reader.calls.next().hasPrefix("fail 4609 "))
        try desktop.daemon.start()
        _ = try await desktop.daemon.hellos.next()
        #expect(try await announce(Self.second).next() == .done(accepted: true))
        #expect(reader.calls.waiting == ["will \(Self.type) main"])
    }

    @Test func stateThatCannotBeReadIsOneFailure() async throws {
        _ = try await desktop.daemon.hellos.next()
        _ = try await announce().next()
        _ = try await reader.calls.next()
        var damaged = try state()
        damaged.userInfo = [255, 255, 255]
        let answer = desktop.daemon.ask(.continuation(.continueActivity(Self.accepted, damaged)))
        #expect(try await answer.next() == .failure(Failure(.malformed, "")))
        #expect(try await reader.calls.next().hasPrefix("fail 4608 "))
    }

    @Test func stateOfAnotherTypeIsOneFailure() async throws {
        _ = try await desktop.daemon.hellos.next()
        _ = try await announce().next()
        _ = try await reader.calls.next()
        let other = ActivityState(type: try ActivityType("com.example.other"))
        let answer = desktop.daemon.ask(.continuation(.continueActivity(Self.accepted, other)))
        #expect(try await answer.next() == .failure(Failure(.malformed, "")))
        #expect(try await reader.calls.next().hasPrefix("fail 4608 "))
    }

    @Test func continuationThatWasNotAnnouncedIsRefused() async throws {
        _ = try await desktop.daemon.hellos.next()
        let answer = desktop.daemon.ask(.continuation(.continueActivity(Self.accepted, try state())))
        #expect(try await answer.next() == .failure(Failure(.malformed, "")))
        #expect(reader.calls.waiting.isEmpty)
    }

    @Test func announcementWaitsForTheDelegate() async throws {
        application.delegate = nil
        _ = try await desktop.daemon.hellos.next()
        let answer = announce()
        // Behind the announcement in the main queue.
        #expect(try await desktop.daemon.request(.status(.getStatus)) == .failure(Failure(.unimplemented, "")))
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        #expect(answer.waiting.isEmpty)
        application.delegate = reader
        #expect(try await answer.next() == .done(accepted: true))
    }

    @Test func deliveredActivityCanContinueOnAThirdDevice() async throws {
        _ = try await desktop.daemon.hellos.next()
        _ = try await announce().next()
        _ = try await desktop.daemon.ask(.continuation(.continueActivity(Self.accepted, try state()))).next()
        let activity = try #require(reader.continued)
        activity.becomeCurrent()
        #expect(try await desktop.daemon.nextPublication().title?.text == "Chapter 3")
        #expect(try await desktop.fetch(activity).userInfo == state().userInfo)
    }

    // Shows H07.
    @Test func didUpdateIsTheLastPlaceToAddToAnActivity() async throws {
        let (activity, _) = try await desktop.currentActivity()
        let editor = Editor { $0.userInfo = ["order": ["will-save"]] }
        activity.delegate = editor
        activity.needsSave = true
        let state = try await desktop.fetch(activity)
        #expect(reader.calls.waiting == ["update main"])
        let order = try ActivityContent(state).userInfo?.foundation["order"] as? [String]
        #expect(order == ["will-save", "did-update"])
        _ = try await desktop.fetch(activity)
        #expect(reader.calls.waiting.count == 1)
    }

    @Test func ownMainLoopIsUsed() async throws {
        let scheduled = Mailbox<Void>()
        application.deliver { work in
            scheduled.post(())
            DispatchQueue.main.async { MainActor.assumeIsolated { work() } }
        }
        _ = try await desktop.daemon.hellos.next()
        #expect(try await announce().next() == .done(accepted: true))
        _ = try await scheduled.next()
    }

    private final class Silent: HandoffApplicationDelegate {}

    // Shows H06.
    @Test func everyHookIsOptional() async throws {
        let silent = Silent()
        application.delegate = silent
        _ = try await desktop.daemon.hellos.next()
        #expect(try await announce().next() == .done(accepted: false))
        let answer = desktop.daemon.ask(.continuation(.continueActivity(Self.accepted, try state())))
        #expect(try await answer.next() == .done(accepted: false))
    }

    @Test func helloIsSentAgainWhenTheAppStartsReceiving() async throws {
        let laptop = try Laptop()
        let (activity, _) = try await laptop.currentActivity()
        #expect(try await !laptop.daemon.hellos.next().receives)
        let late = HandoffApplication(center: laptop.center)
        late.delegate = reader
        #expect(try await laptop.daemon.hellos.next().receives)
        #expect(try await laptop.daemon.nextPublication().activity == activity.record.id)
    }

    @Test func appThatIsNotInstalledIsReported() async throws {
        var manners = FakeDaemon.Manners()
        manners.answersHello = .welcome(
            Welcome(
                version: 1, deviceName: DisplayText(cleaning: "laptop"), isRegistered: false,
                software: DisplayText(cleaning: "fake")))
        let laptop = try Laptop(manners: manners, bundle: "com.example.reader")
        let late = HandoffApplication(center: laptop.center)
        late.delegate = reader
        #expect(try await laptop.log.next().contains("not installed"))
    }
}

@MainActor
final class Reader: HandoffApplicationDelegate {
    nonisolated let calls = Mailbox<String>()
    var showsProgress = true
    var goesOn = true
    var continued: NSUserActivity?
    var restorationHandler: (([any NSUserActivityRestoring]) -> Void)?

    /// The test runner serves the main queue on a thread of its choice.
    private static let onMainQueue = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    private var thread: String { DispatchQueue.getSpecific(key: Self.onMainQueue) == true ? "main" : "background" }

    func application(
        _ application: HandoffApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        calls.post("will \(userActivityType) \(thread)")
        return showsProgress
    }

    func application(
        _ application: HandoffApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        continued = userActivity
        self.restorationHandler = restorationHandler
        calls.post("continue \(userActivity.title ?? "") \(userActivity.userInfo?["page"] as? Int ?? 0) \(thread)")
        return goesOn
    }

    func application(
        _ application: HandoffApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) {
        calls.post("fail \((error as? CocoaError)?.code.rawValue ?? 0) \(error.localizedDescription) \(thread)")
    }

    func application(_ application: HandoffApplication, didUpdate userActivity: NSUserActivity) {
        calls.post("update \(thread)")
        let order = userActivity.userInfo?["order"] as? [String] ?? []
        userActivity.userInfo = ["order": order + ["did-update"]]
    }
}

@MainActor
private final class Window: NSUserActivityRestoring {
    var restored: String?
    func restoreUserActivityState(_ userActivity: NSUserActivity) { restored = userActivity.title }
}
