// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows H10.
@Suite @MainActor struct ApplicationStateTests {
    private func application() throws -> UIApplication {
        UIApplication(center: try Laptop(startingDaemon: false, bundle: "com.example.notes").center)
    }

    @Test func hooksNotificationsAndStateFollowTheToolkit() throws {
        let application = try application()
        let delegate = Watcher()
        application.delegate = delegate
        let heard = Mailbox<String>()
        let names = [
            UIApplication.didBecomeActiveNotification, UIApplication.willResignActiveNotification,
            UIApplication.didEnterBackgroundNotification, UIApplication.willEnterForegroundNotification,
        ]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: application, queue: nil) {
                heard.post("\($0.name.rawValue.dropFirst("HandoffApplication".count))")
            }
        }
        defer { observers.forEach { NotificationCenter.default.removeObserver($0) } }
        #expect(application.applicationState == .inactive)
        application.finishLaunching()
        // Without reports from a toolkit, the app is active.
        #expect(application.applicationState == .active)
        let toolkit = application.toolkit
        toolkit.applicationBecameActive()
        toolkit.applicationEnteredBackground()
        toolkit.applicationEnteredBackground()
        #expect(application.applicationState == .background)
        toolkit.applicationEnteredForeground()
        #expect(application.applicationState == .inactive)
        toolkit.applicationBecameActive()
        #expect(application.applicationState == .active)
        toolkit.applicationResignedActive()
        #expect(application.applicationState == .inactive)
        let expected = [
            "DidBecomeActive", "WillResignActive", "DidEnterBackground", "WillEnterForeground", "DidBecomeActive",
            "WillResignActive",
        ]
        #expect(heard.waiting == expected)
        #expect(delegate.calls == ["active 0", "resign 0", "background 2", "foreground 2", "active 0", "resign 0"])
    }

    @Test func appWithAMainWindowIsActive() throws {
        let application = try application()
        let delegate = Watcher()
        application.delegate = delegate
        application.finishLaunching()
        let window = UIWindow()
        application.toolkit.windowOpened(window)
        #expect(application.applicationState == .inactive)
        application.toolkit.windowBecameMain(window)
        #expect(application.applicationState == .active)
        application.toolkit.windowClosed(window)
        #expect(application.applicationState == .inactive)
    }

    /// As UIKit code reads it.
    @Test func windowOfTheDelegateIsFoundThroughTheApplication() throws {
        let application = try application()
        let watcher = Watcher()
        application.delegate = watcher
        let controller = UIViewController()
        watcher.window = UIWindow()
        watcher.window?.rootViewController = controller
        #expect(application.delegate?.window??.rootViewController === controller)
        guard let window = application.delegate?.window else {
            Issue.record("there is no window")
            return
        }
        #expect(window === watcher.window)
        #expect(controller.view.window === watcher.window)
        #expect(controller.view.window?.windowScene == nil)
        #expect(controller.viewIfLoaded?.next === controller)
        let other = UIView()
        controller.view = other
        #expect(other.viewController === controller)
        let plain = PlainDelegate()
        application.delegate = plain
        #expect(application.delegate?.window == nil)
    }
}

private final class PlainDelegate: NSObject, NSApplicationDelegate {}

private final class Watcher: NSObject, UIApplicationDelegate {
    var window: UIWindow?
    var calls: [String] = []

    private func note(_ call: String, _ application: UIApplication) {
        calls.append("\(call) \(application.applicationState.rawValue)")
    }

    func applicationDidBecomeActive(_ application: UIApplication) { note("active", application) }
    func applicationWillResignActive(_ application: UIApplication) { note("resign", application) }
    func applicationDidEnterBackground(_ application: UIApplication) { note("background", application) }
    func applicationWillEnterForeground(_ application: UIApplication) { note("foreground", application) }
}
