// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// Starts the app and continues activities of the user's other devices. Called on the main thread; every method is
/// optional. ``UIApplicationDelegate`` and ``NSApplicationDelegate`` are the same with the signatures of UIKit and AppKit.
///
/// Each `willContinueUserActivityWithType` is followed by exactly one of `continue` and `didFailToContinue…`, and none comes
/// before the launch hooks have returned. In an app with scenes they come to the scene's delegate first
/// (``UISceneDelegate``), and here only what it does not implement.
@preconcurrency @MainActor
public protocol HandoffApplicationDelegate: AnyObject {
    // MARK: The app's life

    /// The first hook. `launchOptions` holds what the app was started for, nil if its user started it. False if the app
    /// does not continue that: no hook is called for it then.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The app is about to run. The arguments and the result are those of the hook before it.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The app is the one that its user works with, as far as the toolkit said.
    func applicationDidBecomeActive(_ application: UIApplication)
    /// Its user turned to another app.
    func applicationWillResignActive(_ application: UIApplication)

    /// Nothing of the app is to be seen any more, or it is about to end: the place to save what is not saved.
    func applicationDidEnterBackground(_ application: UIApplication)
    /// Something of the app is to be seen again.
    func applicationWillEnterForeground(_ application: UIApplication)

    /// The app ends by `terminate()`: the last hook.
    func applicationWillTerminate(_ application: UIApplication)

    // MARK: Opening

    /// The app is asked to open these, at its start or later. In an app with scenes they come to the scene's delegate first.
    /// Without this method a file of a kind that the app declares is opened as a document.
    func application(_ application: UIApplication, open urls: [URL])

    /// The user chose an action of the app's desktop entry. `completionHandler` may be called, with whether it worked.
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
    /// The `async` form. A delegate implements either this or the form with a handler.
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool

    // MARK: Continuing

    /// The user has accepted an activity of this type; its content is fetched when this returns. True if the app shows by
    /// itself that something is on its way; else the framework does (``HandoffContinuationDisplay``).
    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool

    /// The content is here. True if the app continues it.
    ///
    /// `restorationHandler` may be called with objects that take part in restoring, now or later, on the main thread;
    /// each is given the activity.
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool

    /// The content could not be had. `error` is a `CocoaError` of the codes 4608 to 4611, or `.userCancelled` if the user
    /// has turned to something else, which is no news for the user. Without this method the framework shows the error
    /// (``HandoffContinuationDisplay``).
    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)

    /// The app's own activity was saved and is about to be sent: the last place to add to it.
    func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity)

    // MARK: Remote notifications

    /// Never called: Linux has no service that sends notifications to an app.
    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
    /// The answer to `registerForRemoteNotifications()`: `CocoaError.featureUnsupported`.
    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)

    // MARK: Scenes

    /// How a scene that is about to be connected is made. Without this method it is as the Info.plist says
    /// (`UIApplicationSceneManifest`). An app for which neither names a scene delegate has no scenes.
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration

    /// The user closed these scenes for good.
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
        // Immediate: a delegate without either form answers before this returns.
        Task.immediate {
            completionHandler(await self.application(application, performActionFor: shortcutItem))
        }
    }

    public func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        application.center?.logOnce(
            "the app was asked for the shortcut item \(shortcutItem.type), and has no hook for it")
        return false
    }

    /// As the delegate of UIKit has it; nil where it has no such property.
    public var window: UIWindow?? {
        guard let delegate = self as? any UIApplicationDelegate else { return nil }
        // By its type it is that one's own, not this again.
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
