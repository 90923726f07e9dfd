// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

@Suite @MainActor struct LaunchingTests {
    private nonisolated static let type = "com.example.reader.reading"

    private func desktop(startedFor activity: String? = type) throws -> Laptop {
        try Laptop(bundle: "com.example.reader", launchActivity: activity)
    }

    /// Shows B26: the launch hooks come first, and there is one continue.
    @Test func coldStartIsLaunchHooksThenOneContinuation() async throws {
        let desktop = try desktop()
        let reader = Launched()
        let application = UIApplication(center: desktop.center)
        application.delegate = reader
        let continuation = Continuation(on: desktop)
        _ = try await desktop.daemon.hellos.next()
        #expect(try await continuation.announce().next() == .done(accepted: false))
        #expect(try await continuation.deliver().next() == .done(accepted: true))
        // A repeated message of the daemon is not processed twice.
        #expect(try await continuation.deliver().next() == .failure(Failure(.malformed, "")))
        let type = Self.type
        #expect(reader.calls == ["willFinish \(type)", "didFinish \(type)", "will \(type)", "continue Chapter 3"])
    }

    // Shows H10.
    @Test func launchOptionsSayWhatTheAppWasStartedFor() throws {
        let desktop = try desktop()
        let reader = Launched()
        let application = UIApplication(center: desktop.center)
        application.delegate = reader
        application.finishLaunching()
        let activity = try #require(reader.options?[.userActivityDictionary] as? [AnyHashable: Any])
        #expect(activity[UIApplication.LaunchOptionsKey.userActivityType] as? String == Self.type)
        #expect(activity[UIApplication.LaunchOptionsKey.userActivityType.rawValue] as? String == Self.type)
        #expect(activity.count == 1)
        application.finishLaunching()
        #expect(reader.calls.count == 2)
    }

    // Shows H10.
    @Test func activityInTheLaunchOptionsHasKeysOfOneType() throws {
        let reader = Launched()
        let application = UIApplication(center: try desktop().center)
        application.delegate = reader
        application.finishLaunching()
        let activity = try #require(reader.options?[.userActivityDictionary] as? [String: Any])
        #expect(activity["UIApplicationLaunchOptionsUserActivityTypeKey"] as? String == Self.type)
        #expect(activity["UIApplicationLaunchOptionsUserActivityKey"] == nil)
        let bridged = try #require(reader.options?[.userActivityDictionary] as? NSDictionary)
        #expect(bridged["UIApplicationLaunchOptionsUserActivityTypeKey"] as? String == Self.type)
    }

    // Shows H10.
    @Test func appThatItsUserStartedHasNoLaunchOptions() throws {
        let desktop = try desktop(startedFor: nil)
        let reader = Launched()
        let application = UIApplication(center: desktop.center)
        application.delegate = reader
        application.finishLaunching()
        #expect(reader.calls == ["willFinish -", "didFinish -"])
        #expect(reader.options == nil)
    }

    /// Shows H09.
    @Test(arguments: [(false, true), (true, false), (false, false)])
    func launchHookThatReturnsFalseKeepsTheContinuationAway(will: Bool, did: Bool) async throws {
        let desktop = try desktop()
        let reader = Launched()
        (reader.willFinish, reader.didFinish) = (will, did)
        let application = UIApplication(center: desktop.center)
        application.delegate = reader
        let continuation = Continuation(on: desktop)
        _ = try await desktop.daemon.hellos.next()
        // No state is fetched, and the origin is not notified of a continuation.
        #expect(try await continuation.announce().next() == .failure(Failure(.notAllowed, "")))
        continuation.fail(.notAllowed)
        try await desktop.caughtUp()
        await mainThreadCaughtUp()
        #expect(reader.calls == ["willFinish \(Self.type)", "didFinish \(Self.type)"])

        let second = Continuation(2, on: desktop)
        #expect(try await second.announce().next() == .done(accepted: false))
        #expect(reader.calls.last == "will \(Self.type)")
    }

    // Shows H09.
    @Test func launchHooksOfAnAppThatItsUserStartedDeclineNothing() async throws {
        let desktop = try desktop(startedFor: nil)
        let reader = Launched()
        reader.didFinish = false
        let application = UIApplication(center: desktop.center)
        application.delegate = reader
        application.finishLaunching()
        _ = try await desktop.daemon.hellos.next()
        #expect(try await Continuation(on: desktop).announce().next() == .done(accepted: false))
    }

    /// Shows H01, H03.
    @Test func delegateThatIsSetLateIsLaunchedThenAndGetsWhatWaits() async throws {
        let desktop = try desktop()
        let reader = Launched()
        let application = UIApplication(center: desktop.center)
        application.finishLaunching()
        _ = try await desktop.daemon.hellos.next()
        let answer = Continuation(on: desktop).announce()
        try await desktop.caughtUp()
        await mainThreadCaughtUp()
        #expect(answer.waiting.isEmpty)
        application.delegate = reader
        #expect(try await answer.next() == .done(accepted: false))
        #expect(reader.calls == ["willFinish \(Self.type)", "didFinish \(Self.type)", "will \(Self.type)"])
    }

    @Test func continuationWaitsForALaunchHookThatServesTheLoop() async throws {
        let desktop = try desktop()
        let reader = Launched()
        let application = UIApplication(center: desktop.center)
        reader.duringLaunch = { application.whenLaunched { _ in reader.calls.append("waited") } }
        application.delegate = reader
        application.finishLaunching()
        #expect(reader.calls == ["willFinish \(Self.type)", "didFinish \(Self.type)", "waited"])
    }

    /// Shows H05.
    @Test func twoContinuationsAtOnceHaveAnOutcomeEach() async throws {
        let desktop = try desktop(startedFor: nil)
        let reader = Launched()
        let application = UIApplication(center: desktop.center)
        application.delegate = reader
        _ = try await desktop.daemon.hellos.next()
        let first = Continuation(1, on: desktop)
        let second = Continuation(2, on: desktop)
        let answers = [first.announce(), second.announce()]
        for answer in answers { _ = try await answer.next() }
        #expect(try await second.deliver(title: "second").next() == .done(accepted: true))
        first.fail()
        #expect(try await first.deliver().next() == .failure(Failure(.malformed, "")))
        try await desktop.caughtUp()
        await mainThreadCaughtUp()
        let outcomes = reader.calls.filter { $0.hasPrefix("continue") || $0.hasPrefix("fail") }
        #expect(outcomes == ["continue second", "fail 4608"])
    }

    /// Shows H05: the daemon gives up on an app that blocks; the app receives one end.
    @Test func appThatBlocksPastTheTimeoutReceivesOneEnd() async throws {
        let desktop = try desktop(startedFor: nil)
        let reader = Launched()
        let application = UIApplication(center: desktop.center)
        application.delegate = reader
        _ = try await desktop.daemon.hellos.next()
        let continuation = Continuation(on: desktop)
        let answer = Mailbox<Mailbox<LocalMessage>>()
        reader.duringWillContinue = {
            // The main thread is here; the connection's own thread receives the failure.
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                continuation.fail(.appDidNotAnswer)
                let late = continuation.deliver()
                answer.post(late)
                done.signal()
            }
            #expect(done.wait(timeout: .now() + 30) == .success)
        }
        _ = continuation.announce()
        #expect(try await answer.next().next() == .failure(Failure(.malformed, "")))
        await mainThreadCaughtUp()
        #expect(reader.calls.suffix(2) == ["will \(Self.type)", "fail 4608"])
    }
}

/// Records its calls. Its hooks are UIKit's.
@MainActor
private final class Launched: UIResponder, UIApplicationDelegate {
    var calls: [String] = []
    var options: [UIApplication.LaunchOptionsKey: Any]?
    var willFinish = true
    var didFinish = true
    var duringLaunch: () -> Void = {}
    var duringWillContinue: () -> Void = {}

    private func type(_ options: [UIApplication.LaunchOptionsKey: Any]?) -> String {
        let activity = options?[.userActivityDictionary] as? [AnyHashable: Any]
        return activity?[UIApplication.LaunchOptionsKey.userActivityType] as? String ?? "-"
    }

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        duringLaunch()
        options = launchOptions
        calls.append("willFinish \(type(launchOptions))")
        return willFinish
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        calls.append("didFinish \(type(launchOptions))")
        return didFinish
    }

    func application(
        _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        calls.append("will \(userActivityType)")
        duringWillContinue()
        return false
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        calls.append("continue \(userActivity.title ?? "")")
        restorationHandler(nil)
        return true
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        calls.append("fail \((error as? CocoaError)?.code.rawValue ?? 0)")
    }
}
