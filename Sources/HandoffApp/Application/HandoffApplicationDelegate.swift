// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// Launches the app and continues activities of the user's other devices. Methods are called on the main thread; all
/// are optional. ``UIApplicationDelegate`` and ``NSApplicationDelegate`` offer the same with the signatures of UIKit
/// and AppKit.
///
/// Each `willContinueUserActivityWithType` is followed by exactly one of `continue` and `didFailToContinue…`. None is
/// called before the launch hooks have returned. In an app with scenes, the scene's delegate (``UISceneDelegate``) is
/// called first; these methods are called only if the scene's delegate does not implement them.
@preconcurrency @MainActor
public protocol HandoffApplicationDelegate: AnyObject {
    // MARK: Lifecycle

    /// The first hook. `launchOptions` holds the reason for the launch; it is nil if the user started the app. Return
    /// false to decline the activity, URLs or action: the hooks for continuing and opening are then not called for it.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The app is about to run. The arguments and the result are as in `willFinishLaunchingWithOptions`.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The user works with the app, as reported by the toolkit.
    func applicationDidBecomeActive(_ application: UIApplication)
    /// The user turned to another app.
    func applicationWillResignActive(_ application: UIApplication)

    /// No part of the app is visible any longer, or the app is about to end. Save unsaved changes here.
    func applicationDidEnterBackground(_ application: UIApplication)
    /// A part of the app is visible again.
    func applicationWillEnterForeground(_ application: UIApplication)

    /// The last hook: the app ends by `terminate()`.
    func applicationWillTerminate(_ application: UIApplication)

    // MARK: Opening

    /// Opens URLs, at launch or later. In an app with scenes, the scene's delegate is called first. Without this
    /// method, files of a type that the app declares are opened as documents.
    func application(_ application: UIApplication, open urls: [URL])

    /// The user chose an action of the app's desktop entry. `completionHandler` may be called with whether it
    /// succeeded.
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
    /// The `async` form. Implement either this or the form with a handler.
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool

    // MARK: Continuing

    /// The user has accepted an activity of this type. Its content is fetched when this returns. Return true if the app
    /// shows the progress; otherwise the framework shows it (``HandoffContinuationDisplay``).
    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool

    /// The content has arrived. Return true if the app continues the activity.
    ///
    /// `restorationHandler` may be called on the main thread, now or later, with objects that restore the activity.
    /// Each of them receives it.
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool

    /// The content could not be fetched. `error` is a `CocoaError` with a code from 4608 to 4611, or `.userCancelled`
    /// if the user turned to something else; do not report that to the user. Without this method, the framework shows
    /// the error (``HandoffContinuationDisplay``).
    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)

    /// The app's own activity was saved and is about to be sent. This is the last chance to add to it.
    func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity)

    // MARK: Remote notifications

    /// Never called: Linux has no service that sends notifications to an app.
    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
    /// Called after `registerForRemoteNotifications()`, with `CocoaError.featureUnsupported`.
    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)

    // MARK: Scenes

    /// Returns the configuration of a scene that is about to be connected. Without this method, the Info.plist
    /// (`UIApplicationSceneManifest`) configures it. If neither names a scene delegate, the app has no scenes.
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration

    /// The user closed these scenes permanently.
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
        // Immediate: without either form of the method, the default answers before this returns.
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

    /// The window of a `UIApplicationDelegate`; nil if the delegate has no such property.
    public var window: UIWindow?? {
        guard let delegate = self as? any UIApplicationDelegate else { return nil }
        // The type annotation selects the delegate's own property instead of this one.
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
