// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// Launches the app and continues activities. All methods are optional, and called on the main thread.
/// ``UIApplicationDelegate`` and ``NSApplicationDelegate`` have the signatures of UIKit and AppKit.
///
/// After the launch hooks, exactly one `continue` or `didFailToContinue…` follows each
/// `willContinueUserActivityWithType`. A ``UISceneDelegate`` that implements a method receives the call instead.
@preconcurrency @MainActor
public protocol HandoffApplicationDelegate: AnyObject {
    // MARK: Lifecycle

    /// The first hook. `launchOptions` holds the reason for the launch; nil if the user started the app. Return false
    /// to decline the activity, URLs or action: their hooks are not called.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// As `willFinishLaunchingWithOptions`.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The user works with the app.
    func applicationDidBecomeActive(_ application: UIApplication)
    /// The user turned to another app.
    func applicationWillResignActive(_ application: UIApplication)

    /// The app is no longer visible, or is about to end. Save unsaved changes here.
    func applicationDidEnterBackground(_ application: UIApplication)
    /// A part of the app is visible again.
    func applicationWillEnterForeground(_ application: UIApplication)

    /// The last hook, called by `terminate()`.
    func applicationWillTerminate(_ application: UIApplication)

    // MARK: Opening

    /// Opens URLs. The default opens files of declared types as documents.
    func application(_ application: UIApplication, open urls: [URL])

    /// The user chose an action of the desktop entry. `completionHandler` may be called with its success.
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
    /// The `async` form. Implement either.
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool

    // MARK: Continuing

    /// The user accepted an activity, which is fetched when this returns. Return true if the app shows the progress;
    /// otherwise ``HandoffContinuationDisplay`` does.
    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool

    /// The content arrived. Return true if the app continues the activity. Objects passed to `restorationHandler` on
    /// the main thread, even later, restore it.
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool

    /// The content could not be fetched. `error` is a `CocoaError`, code 4608 to 4611, or `.userCancelled`, which must
    /// not be shown to the user. By default, ``HandoffContinuationDisplay`` shows the error.
    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)

    /// The last chance to add to the app's own activity before it is sent.
    func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity)

    // MARK: Remote notifications

    /// Never called.
    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
    /// Called after `registerForRemoteNotifications()`, with `CocoaError.featureUnsupported`.
    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)

    // MARK: Scenes

    /// The configuration of a new scene; by default from `UIApplicationSceneManifest`. If neither names a delegate, the
    /// app has no scenes.
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration

    /// The user closed these scenes.
    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
}

extension HandoffApplicationDelegate {
    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        true
    }

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        true
    }

    public func applicationDidBecomeActive(_ application: UIApplication) {}
    public func applicationWillResignActive(_ application: UIApplication) {}
    public func applicationDidEnterBackground(_ application: UIApplication) {}
    public func applicationWillEnterForeground(_ application: UIApplication) {}
    public func applicationWillTerminate(_ application: UIApplication) {}

    public func application(_ application: UIApplication, open urls: [URL]) {
        for url in urls { application.openAsDocument(url) }
    }

    public func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        // Immediate: the default answers before this returns.
        Task.immediate {
            completionHandler(await self.application(application, performActionFor: shortcutItem))
        }
    }

    public func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        application.center?.logOnce(
            "the shortcut item \(shortcutItem.type) was chosen, but the app does not handle it")
        return false
    }

    /// Nil unless the delegate is a `UIApplicationDelegate`.
    public var window: UIWindow?? {
        guard let delegate = self as? any UIApplicationDelegate else { return nil }
        // Selects the delegate's own property.
        let window: UIWindow? = delegate.window
        return window
    }

    public func application(
        _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        false
    }

    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        false
    }

    public func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        application.show(error, ofActivityType: userActivityType, in: nil)
    }

    public func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {}

    public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {}

    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        application.environment.log(error.localizedDescription)
    }

    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        connectingSceneSession.configuration
    }

    public func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {}
}
