// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// ``UIApplicationDelegate`` with WatchKit's signatures.
///
/// ```swift
/// @main
/// final class RunsApp: NSObject, WKApplicationDelegate {
///     func applicationDidFinishLaunching() { loadRuns() }
///
///     func handle(_ userActivity: NSUserActivity) { openRun(userActivity.userInfo?["run"] as? String) }
/// }
/// ```
/// `handle(_:)` receives activities whose types the Info.plist declares.
@preconcurrency @MainActor
public protocol WKApplicationDelegate: HandoffApplicationDelegate {
    func applicationDidFinishLaunching()
    /// Like the three methods below, called as the toolkit reports it.
    func applicationDidBecomeActive()
    func applicationWillResignActive()
    func applicationWillEnterForeground()
    /// Also called before the app ends.
    func applicationDidEnterBackground()

    /// An activity has arrived.
    func handle(_ userActivity: NSUserActivity)
    /// From watchOS 4 and older, called if `handle(_:)` is not implemented.
    func handleUserActivity(_ userInfo: [AnyHashable: Any]?)

    /// Never called.
    func didRegisterForRemoteNotifications(withDeviceToken deviceToken: Data)
    /// Called after `registerForRemoteNotifications()`, with `CocoaError.featureUnsupported`.
    func didFailToRegisterForRemoteNotificationsWithError(_ error: any Error)
}

/// The name before watchOS 7.
public typealias WKExtensionDelegate = WKApplicationDelegate

/// Set by the default `handle(_:)`.
@MainActor private var leavesActivity = false

extension WKApplicationDelegate {
    public func applicationDidFinishLaunching() {}
    public func applicationDidBecomeActive() {}
    public func applicationWillResignActive() {}
    public func applicationWillEnterForeground() {}
    public func applicationDidEnterBackground() {}
    public func handle(_ userActivity: NSUserActivity) { handleUserActivity(userActivity.userInfo) }
    public func handleUserActivity(_ userInfo: [AnyHashable: Any]?) { leavesActivity = true }
    public func didRegisterForRemoteNotifications(withDeviceToken deviceToken: Data) {}
    public func didFailToRegisterForRemoteNotificationsWithError(_ error: any Error) {}

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        applicationDidFinishLaunching()
        return true
    }

    public func applicationDidBecomeActive(_ application: UIApplication) { applicationDidBecomeActive() }
    public func applicationWillResignActive(_ application: UIApplication) { applicationWillResignActive() }
    public func applicationWillEnterForeground(_ application: UIApplication) { applicationWillEnterForeground() }
    public func applicationDidEnterBackground(_ application: UIApplication) { applicationDidEnterBackground() }

    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        leavesActivity = false
        handle(userActivity)
        return !leavesActivity
    }

    public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        didRegisterForRemoteNotifications(withDeviceToken: deviceToken)
    }

    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        didFailToRegisterForRemoteNotificationsWithError(error)
    }

    /// The entry point of `@main`.
    public static func main() {
        UIApplication.shared.run(withDelegateOf: self)
    }
}

/// This app, by WatchKit's name.
@preconcurrency @MainActor
public final class WKApplication: NSObject {
    private static let ofThisProcess = WKApplication()

    /// The only instance.
    public static func shared() -> WKApplication { ofThisProcess }

    private override init() { super.init() }

    private var application: UIApplication { .shared }

    /// Not retained.
    public var delegate: (any WKApplicationDelegate)? {
        get { application.delegate as? any WKApplicationDelegate }
        set { application.delegate = newValue }
    }

    /// As reported by the toolkit.
    public var applicationState: WKApplicationState {
        WKApplicationState(rawValue: application.applicationState.rawValue) ?? .active
    }

    /// The frontmost window's controller.
    public var rootInterfaceController: WKInterfaceController? {
        application.windows.first?.rootViewController as? WKInterfaceController
    }

    /// Always fails; see ``UIApplication/registerForRemoteNotifications()``.
    public func registerForRemoteNotifications() { application.registerForRemoteNotifications() }
    /// Always false.
    public var isRegisteredForRemoteNotifications: Bool { false }

    /// Opens the URL in the desktop's program for it.
    public func openSystemURL(_ url: URL) { application.open(url) }
}

/// The name before watchOS 7.
public typealias WKExtension = WKApplication

/// Whether the user works with the app or sees it.
public enum WKApplicationState: Int, Sendable {
    case active = 0
    case inactive = 1
    case background = 2
}
