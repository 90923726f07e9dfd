// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

@Suite @MainActor struct SceneTests {
    private nonisolated static let type = "com.example.reader.reading"
    let desktop: Laptop
    let application: UIApplication
    let app = SceneApp()

    init() async throws {
        desktop = try Laptop(bundle: "com.example.reader", launchActivity: nil)
        application = UIApplication(center: desktop.center)
        application.supportsMultipleScenes = true
        application.delegate = app
        _ = try await desktop.daemon.hellos.next()
    }

    private var scenes: [UIScene] { application.connectedScenes.sorted { $0.lastUse < $1.lastUse } }

    private func open(_ target: String? = nil) throws -> UIScene {
        let activity = desktop.activity()
        activity.targetContentIdentifier = target
        application.requestSceneSessionActivation(nil, userActivity: activity, options: nil) { error in
            Issue.record("\(error)")
        }
        return try #require(scenes.last)
    }

    // MARK: Continuing

    /// Shows S01, S02: in this order, at the same scene, on the main thread.
    @Test func sceneReceivesWillContinueThenContinue() async throws {
        application.finishLaunching()
        let continuation = Continuation(on: desktop)
        #expect(try await continuation.announce().next() == .done(accepted: true))
        #expect(app.calls.suffix(1) == ["1 will \(Self.type)"])
        #expect(try await continuation.deliver().next() == .done(accepted: true))
        #expect(app.calls.suffix(2) == ["1 will \(Self.type)", "1 continue Chapter 3"])
        // The application's hooks are only called for what the scene does not implement.
        #expect(!app.calls.contains { $0.hasPrefix("app") })
    }

    /// Shows S03.
    @Test func sceneReceivesAFailure() async throws {
        application.finishLaunching()
        let continuation = Continuation(on: desktop)
        _ = try await continuation.announce().next()
        continuation.fail()
        try await desktop.caughtUp()
        await mainThreadCaughtUp()
        #expect(app.calls.suffix(2) == ["1 will \(Self.type)", "1 fail 4608"])
    }

    /// Shows S03: the application handles what the scene's delegate omits, and then the framework.
    @Test func applicationHandlesWhatTheSceneDelegateOmits() async throws {
        let display = Recorded()
        application.continuationDisplay = display
        app.makeDelegate = { _ in BareScene() }
        application.finishLaunching()
        let first = Continuation(1, on: desktop)
        #expect(try await first.announce().next() == .done(accepted: false))
        #expect(display.events == ["show Continuing from laptop… in bare"])
        _ = try await first.deliver().next()
        #expect(app.calls == ["app will", "app continue Chapter 3"])

        let second = Continuation(2, on: desktop)
        _ = try await second.announce().next()
        second.fail()
        try await desktop.caughtUp()
        await mainThreadCaughtUp()
        #expect(display.events.suffix(2).first == "hide")
        #expect(display.events.last?.hasPrefix("error ") == true)
    }

    /// Shows S05: only the type.
    @Test func sceneThatIsConnectedForAContinuationKnowsItsType() async throws {
        let cold = try Laptop(bundle: "com.example.reader", launchActivity: Self.type)
        let started = UIApplication(center: cold.center)
        started.delegate = app
        _ = try await cold.daemon.hellos.next()
        let continuation = Continuation(on: cold)
        _ = try await continuation.announce().next()
        _ = try await continuation.deliver().next()
        #expect(
            app.calls == [
                "1 connect \(Self.type)", "1 active", "1 will \(Self.type)", "1 continue Chapter 3",
            ])
        #expect(app.options.first?.userActivities.isEmpty == true)
    }

    // Shows S05.
    @Test func withoutASceneOneIsConnectedForTheActivity() async throws {
        application.finishLaunching()
        scenes.first?.closed()
        #expect(application.connectedScenes.isEmpty)
        app.calls = []
        let continuation = Continuation(on: desktop)
        _ = try await continuation.announce().next()
        _ = try await continuation.deliver().next()
        #expect(
            app.calls == [
                "2 connect \(Self.type)", "2 active", "2 will \(Self.type)", "2 continue Chapter 3",
            ])
    }

    /// Shows S02. Each scene with a will-continue receives one end, and the content is delivered once.
    @Test func contentForASceneThatWasClosedGoesToAnother() async throws {
        application.finishLaunching()
        let second = try open()
        let continuation = Continuation(on: desktop)
        _ = try await continuation.announce().next()
        #expect(app.calls.last == "2 will \(Self.type)")
        second.closed()
        app.calls.removeAll { !$0.hasPrefix("2") && !$0.hasPrefix("1 will") }
        #expect(app.calls.suffix(2) == ["2 fail 3072", "2 disconnect"])
        #expect(try await continuation.deliver().next() == .done(accepted: true))
        #expect(app.calls.suffix(2) == ["1 will \(Self.type)", "1 continue Chapter 3"])
    }

    // Shows S03.
    @Test func failureForASceneThatWasClosedIsNotToldAgain() async throws {
        application.finishLaunching()
        let second = try open()
        let continuation = Continuation(on: desktop)
        _ = try await continuation.announce().next()
        second.closed()
        continuation.fail()
        try await desktop.caughtUp()
        await mainThreadCaughtUp()
        #expect(app.calls.filter { $0.contains("fail") } == ["2 fail 3072"])
    }

    // MARK: The right scene

    /// Shows S07, A23.
    @Test func sceneThatPrefersTheContentGetsIt() async throws {
        application.finishLaunching()
        let first = try #require(scenes.first)
        first.activationConditions.prefersToActivateForTargetContentIdentifierPredicate =
            NSPredicate { identifier, _ in identifier as? String == "letter-7" }
        _ = try open()
        app.calls = []
        let continuation = Continuation(on: desktop)
        // The target content is unknown before the content arrives.
        _ = try await continuation.announce().next()
        _ = try await continuation.deliver(target: "letter-7").next()
        #expect(
            app.calls.filter { !$0.contains("active") && !$0.contains("resign") } == [
                "2 will \(Self.type)", "2 fail 3072", "1 will \(Self.type)", "1 continue Chapter 3",
            ])
        #expect(first.activationState == .foregroundActive)
    }

    /// Shows S07, A23: conditions do not apply to an activity without an identifier.
    @Test func contentThatASceneCannotTakeOpensANewScene() async throws {
        application.finishLaunching()
        let first = try #require(scenes.first)
        first.activationConditions.canActivateForTargetContentIdentifierPredicate = NSPredicate(value: false)
        app.calls = []
        let one = Continuation(1, on: desktop)
        _ = try await one.announce().next()
        _ = try await one.deliver(target: nil).next()
        #expect(app.calls.last == "1 continue Chapter 3")
        let other = Continuation(2, on: desktop)
        _ = try await other.announce().next()
        _ = try await other.deliver(target: "letter-8").next()
        #expect(app.calls.suffix(2) == ["2 will \(Self.type)", "2 continue Chapter 3"])
        #expect(app.calls.contains("1 fail 3072"))
        #expect(app.calls.contains("2 connect \(Self.type)"))
    }

    /// Shows S08.
    @Test func requestOpensASceneAndReusesAPreferringScene() async throws {
        application.finishLaunching()
        let letter = try open("letter-7")
        #expect(app.options.last?.userActivities.first?.targetContentIdentifier == "letter-7")
        #expect(app.options.last?.handoffUserActivityType == nil)
        letter.activationConditions.prefersToActivateForTargetContentIdentifierPredicate =
            NSPredicate { identifier, _ in identifier as? String == "letter-7" }
        #expect(scenes.count == 2)
        #expect(try open("letter-7") === letter)
        #expect(app.calls.last == "2 continue -")
        _ = try open("letter-8")
        #expect(scenes.count == 3)
    }

    /// Shows S08.
    @Test func requestForASessionBringsItsSceneToTheFront() throws {
        application.finishLaunching()
        let first = try #require(scenes.first)
        _ = try open()
        #expect(first.activationState == .foregroundInactive)
        let activity = desktop.activity(title: "of the app")
        application.activateSceneSession(
            for: UISceneSessionActivationRequest(session: first.session, userActivity: activity))
        #expect(first.activationState == .foregroundActive)
        #expect(app.calls.last == "1 continue of the app")
    }

    @Test func requestThatCannotBeMetIsAnError() throws {
        application.finishLaunching()
        let first = try #require(scenes.first)
        first.closed()
        var errors: [UISceneError] = []
        let note: (any Error) -> Void = { error in (error as? UISceneError).map { errors.append($0) } }
        application.requestSceneSessionActivation(first.session, userActivity: nil, options: nil, errorHandler: note)
        application.requestSceneSessionDestruction(first.session, options: nil, errorHandler: note)
        #expect(errors.map(\.code) == [.requestDenied, .requestDenied])

        let plain = try Laptop()
        let without = UIApplication(center: plain.center)
        let delegate = Plain()
        without.delegate = delegate
        without.activateSceneSession(for: UISceneSessionActivationRequest(), errorHandler: note)
        #expect(errors.count == 3)
        #expect(without.connectedScenes.isEmpty && without.openSessions.isEmpty)
    }

    @Test func appWithOneSceneHasItTakeEverything() async throws {
        application.supportsMultipleScenes = false
        application.finishLaunching()
        let first = try #require(scenes.first)
        first.activationConditions.canActivateForTargetContentIdentifierPredicate = NSPredicate(value: false)
        #expect(try open("letter-7") === first)
        let continuation = Continuation(on: desktop)
        _ = try await continuation.announce().next()
        _ = try await continuation.deliver(target: "letter-8").next()
        #expect(app.calls.suffix(2) == ["1 will \(Self.type)", "1 continue Chapter 3"])
        #expect(scenes.count == 1)
    }

    // MARK: Windows

    @Test func sceneFollowsItsWindow() throws {
        let window = UIWindow()
        app.connected = { window.windowScene = $0 as? UIWindowScene }
        application.finishLaunching()
        let scene = try #require(scenes.first as? UIWindowScene)
        #expect(scene.windows.map(ObjectIdentifier.init) == [ObjectIdentifier(window)])
        application.toolkit.windowBecameMain(window)
        #expect(scene.activationState == .foregroundActive)
        #expect(scene.keyWindow === window)
        #expect(window.next === scene)
        application.toolkit.windowResignedMain(window)
        #expect(scene.activationState == .foregroundInactive)
        application.toolkit.windowClosed(window)
        #expect(scene.activationState == .unattached)
        #expect(app.discarded == [scene.session])
        #expect(application.openSessions.isEmpty)
    }

    /// Shows S04: only the scene of the activity's window.
    @Test func sceneAddsToItsActivityBeforeItIsSent() async throws {
        let window = UIWindow()
        app.connected = { window.windowScene = $0 as? UIWindowScene }
        application.finishLaunching()
        app.connected = { _ in }
        _ = try open()
        let activity = desktop.activity()
        window.userActivity = activity
        activity.becomeCurrent()
        _ = try await desktop.daemon.nextPublication()
        activity.needsSave = true
        app.calls = []
        let sent = try ActivityContent(try await desktop.fetch(activity)).userInfo?.foundation
        #expect(sent?["version"] as? Int == 2)
        #expect(app.calls == ["1 update"])
        window.userActivity = nil
    }

    @Test func requestToCloseASceneClosesItsWindow() throws {
        application.finishLaunching()
        let first = try #require(scenes.first)
        application.requestSceneSessionDestruction(first.session, options: nil)
        #expect(app.calls.last == "1 disconnect")
        #expect(application.connectedScenes.isEmpty)
    }
}

/// An app whose scenes are numbered in the order in which they were connected.
@MainActor
final class SceneApp: UIResponder, UIApplicationDelegate {
    var calls: [String] = []
    var options: [UIScene.ConnectionOptions] = []
    var discarded: Set<UISceneSession> = []
    var connected: (UIScene) -> Void = { _ in }
    var restorable: (Int) -> NSUserActivity? = { _ in nil }
    var makeDelegate: ((SceneApp) -> any UISceneDelegate)?
    private var count = 0

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        UISceneConfiguration { [self] in
            if let makeDelegate { return makeDelegate(self) }
            count += 1
            return NumberedScene(count, of: self)
        }
    }

    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
        discarded.formUnion(sceneSessions)
    }

    func application(
        _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        calls.append("app will")
        return false
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        calls.append("app continue \(userActivity.title ?? "-")")
        return true
    }
}

@MainActor
final class NumberedScene: UISceneDelegate {
    private let number: Int
    private unowned let app: SceneApp

    init(_ number: Int, of app: SceneApp) {
        self.number = number
        self.app = app
    }

    private func note(_ call: String) { app.calls.append("\(number) \(call)") }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        app.options.append(connectionOptions)
        note("connect \(connectionOptions.handoffUserActivityType ?? "-")")
        app.connected(scene)
    }

    func sceneDidDisconnect(_ scene: UIScene) { note("disconnect") }
    func sceneDidBecomeActive(_ scene: UIScene) { note("active") }
    func sceneWillResignActive(_ scene: UIScene) { note("resign") }

    func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
        note("will \(userActivityType)")
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        note("continue \(userActivity.title ?? "-")")
    }

    func scene(_ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error) {
        note("fail \((error as? CocoaError)?.code.rawValue ?? 0)")
    }

    func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) {
        note("update")
        userActivity.addUserInfoEntries(from: ["version": 2])
    }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { app.restorable(number) }

    func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity) {
        note("restore \(stateRestorationActivity.title ?? "-")")
    }
}

/// Implements only the scene's title.
@MainActor
private final class BareScene: UISceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        scene.title = "bare"
    }
}

private final class Plain: HandoffApplicationDelegate {}
