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
/// A watch continues nothing from other devices. A program on Linux does if its Info.plist declares activity types: then
/// `handle(_:)` gets the activity.
@preconcurrency @MainActor
public protocol WKApplicationDelegate: HandoffApplicationDelegate {
    func applicationDidFinishLaunching()
    /// As a toolkit says it; the three below too.
    func applicationDidBecomeActive()
    func applicationWillResignActive()
    func applicationWillEnterForeground()
    /// Also called before the app ends.
    func applicationDidEnterBackground()

    /// The content of an activity is here.
    func handle(_ userActivity: NSUserActivity)
    /// The form of watchOS 4 and older, called if `handle(_:)` is not implemented.
    func handleUserActivity(_ userInfo: [AnyHashable: Any]?)

    /// Never called: Linux has no service that sends notifications to an app.
    func didRegisterForRemoteNotifications(withDeviceToken deviceToken: Data)
    /// The answer to `registerForRemoteNotifications()`: `CocoaError.featureUnsupported`.
    func didFailToRegisterForRemoteNotificationsWithError(_ error: any Error)
}

/// The name that it had before watchOS 7.
public typealias WKExtensionDelegate = WKApplicationDelegate

/// Set by a delegate's missing `handle(_:)`.
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

    /// Makes a delegate of this class and runs the application with it. `@main` calls this.
    public static func main() {
        UIApplication.shared.run(withDelegateOf: self)
    }
}

/// This app, by WatchKit's name and with its calls.
@preconcurrency @MainActor
public final class WKApplication: NSObject {
    private static let ofThisProcess = WKApplication()

    /// The one there is.
    public static func shared() -> WKApplication { ofThisProcess }

    private override init() { super.init() }

    private var application: UIApplication { .shared }

    /// Not retained.
    public var delegate: (any WKApplicationDelegate)? {
        get { application.delegate as? any WKApplicationDelegate }
        set { application.delegate = newValue }
    }

    /// As the toolkit says.
    public var applicationState: WKApplicationState {
        WKApplicationState(rawValue: application.applicationState.rawValue) ?? .active
    }

    /// That of the window in front.
    public var rootInterfaceController: WKInterfaceController? {
        application.windows.first?.rootViewController as? WKInterfaceController
    }

    /// Fails: see ``UIApplication``'s.
    public func registerForRemoteNotifications() { application.registerForRemoteNotifications() }
    /// False.
    public var isRegisteredForRemoteNotifications: Bool { false }

    /// Hands the URL to the program that the user's desktop has for it.
    public func openSystemURL(_ url: URL) { application.open(url) }
}

/// The name that it had before watchOS 7.
public typealias WKExtension = WKApplication

/// Whether the user works with the app, or sees it.
public enum WKApplicationState: Int, Sendable {
    case active = 0
    case inactive = 1
    case background = 2
}
