// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows U05.
@Suite @MainActor struct WatchTests {
    private let desktop: Laptop
    private let application: UIApplication

    init() throws {
        desktop = try Laptop(bundle: "com.example.reader", launchActivity: nil)
        application = UIApplication(center: desktop.center)
    }

    @Test func delegateReceivesTheAppsLifecycle() {
        let delegate = Runs()
        application.delegate = delegate
        application.finishLaunching()
        application.toolkit.applicationBecameActive()
        application.toolkit.applicationResignedActive()
        application.toolkit.applicationEnteredBackground()
        application.toolkit.applicationBecameActive()
        #expect(delegate.calls == ["launched", "active", "resign", "background", "foreground", "active"])
    }

    @Test func delegateContinuesAnActivity() async throws {
        let delegate = Runs()
        application.delegate = delegate
        _ = try await desktop.daemon.hellos.next()
        let continuation = Continuation(on: desktop)
        _ = try await continuation.announce().next()
        #expect(try await continuation.deliver().next() == .done(accepted: true))
        #expect(delegate.calls == ["launched", "handle Chapter 3"])
    }

    @Test func delegateWithoutAHookContinuesNothing() async throws {
        let delegate = Silent()
        application.delegate = delegate
        _ = try await desktop.daemon.hellos.next()
        let continuation = Continuation(on: desktop)
        _ = try await continuation.announce().next()
        #expect(try await continuation.deliver().next() == .done(accepted: false))
    }

    @Test func delegateReceivesTheRegistrationFailure() async {
        let delegate = Runs()
        application.delegate = delegate
        application.registerForRemoteNotifications()
        await mainThreadCaughtUp()
        #expect(delegate.calls == ["launched", "not registered"])
    }

    @Test func screenReceivesItsLifecycle() {
        let screen = Screen()
        let window = UIWindow()
        window.rootViewController = screen
        application.toolkit.windowBecameMain(window)
        application.toolkit.viewDidAppear(screen)
        application.toolkit.viewDidDisappear(screen)
        #expect(screen.calls == ["awake", "willActivate", "didAppear", "willDisappear", "didDeactivate"])
    }
}

private final class Runs: NSObject, WKApplicationDelegate {
    var calls: [String] = []

    func applicationDidFinishLaunching() { calls.append("launched") }
    func applicationDidBecomeActive() { calls.append("active") }
    func applicationWillResignActive() { calls.append("resign") }
    func applicationWillEnterForeground() { calls.append("foreground") }
    func applicationDidEnterBackground() { calls.append("background") }
    func handle(_ userActivity: NSUserActivity) { calls.append("handle \(userActivity.title ?? "-")") }
    func didFailToRegisterForRemoteNotificationsWithError(_ error: any Error) { calls.append("not registered") }
}

private final class Silent: NSObject, WKExtensionDelegate {}

private final class Screen: WKInterfaceController {
    var calls: [String] = []

    override func awake(withContext context: Any?) { calls.append("awake") }
    override func willActivate() { calls.append("willActivate") }
    override func didAppear() { calls.append("didAppear") }
    override func willDisappear() { calls.append("willDisappear") }
    override func didDeactivate() { calls.append("didDeactivate") }
}
