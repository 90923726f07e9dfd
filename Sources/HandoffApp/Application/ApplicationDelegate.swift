// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// Starts the app and continues activities of the user's other devices. Called on the main thread; every method is
/// optional. ``UIApplicationDelegate`` and ``NSApplicationDelegate`` are the same with the signatures of UIKit and AppKit.
///
/// Each `willContinueUserActivityWithType` is followed by exactly one of `continue` and `didFailToContinue…`, and none comes
/// before the launch hooks have returned. In an app with scenes they come to the scene's delegate first
/// (``SceneDelegate``), and here only what it does not implement.
@preconcurrency @MainActor
public protocol ApplicationDelegate: AnyObject {
    // MARK: The app's life

    /// The first hook. `launchOptions` holds what the app was started for, nil if its user started it. False if the app
    /// does not continue that: no hook is called for it then.
    func application(
        _ application: Application, willFinishLaunchingWithOptions launchOptions: [Application.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The app is about to run. The arguments and the result are those of the hook before it.
    func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: [Application.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The app is the one that its user works with, as far as the toolkit said.
    func applicationDidBecomeActive(_ application: Application)
    /// Its user turned to another app.
    func applicationWillResignActive(_ application: Application)

    /// Nothing of the app is to be seen any more, or it is about to end: the place to save what is not saved.
    func applicationDidEnterBackground(_ application: Application)
    /// Something of the app is to be seen again.
    func applicationWillEnterForeground(_ application: Application)

    /// The app ends by `terminate()`: the last hook.
    func applicationWillTerminate(_ application: Application)

    // MARK: Opening

    /// The app is asked to open these, at its start or later. In an app with scenes they come to the scene's delegate first.
    /// Without this method a file of a kind that the app declares is opened as a document.
    func application(_ application: Application, open urls: [URL])

    /// The user chose an action of the app's desktop entry. `completionHandler` may be called, with whether it worked.
    func application(
        _ application: Application, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void)

    // MARK: Continuing

    /// The user has accepted an activity of this type; its content is fetched when this returns. True if the app shows by
    /// itself that something is on its way; else the framework does (``ContinuationDisplay``).
    func application(_ application: Application, willContinueUserActivityWithType userActivityType: String) -> Bool

    /// The content is here. True if the app continues it.
    ///
    /// `restorationHandler` may be called with objects that take part in restoring, now or later, on the main thread;
    /// each is given the activity.
    func application(
        _ application: Application, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool

    /// The content could not be had. `error` is a `CocoaError` of the codes 4608 to 4611, or `.userCancelled` if the user
    /// has turned to something else, which is no news for the user. Without this method the framework shows the error
    /// (``ContinuationDisplay``).
    func application(
        _ application: Application, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)

    /// The app's own activity was saved and is about to be sent: the last place to add to it.
    func application(_ application: Application, didUpdate userActivity: NSUserActivity)

    // MARK: Scenes

    /// How a scene that is about to be connected is made. Without this method it is as the Info.plist says
    /// (`UIApplicationSceneManifest`). An app for which neither names a scene delegate has no scenes.
    func application(
        _ application: Application, configurationForConnecting connectingSceneSession: SceneSession,
        options: Scene.ConnectionOptions
    ) -> SceneConfiguration

    /// The user closed these scenes for good.
    func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>)
}

/// This project's first name for it.
public typealias HandoffApplicationDelegate = ApplicationDelegate

extension ApplicationDelegate {
    public func application(
        _ application: Application, willFinishLaunchingWithOptions launchOptions: [Application.LaunchOptionsKey: Any]?
    ) -> Bool {
        true
    }

    public func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: [Application.LaunchOptionsKey: Any]?
    ) -> Bool {
        true
    }

    public func applicationDidBecomeActive(_ application: Application) {}
    public func applicationWillResignActive(_ application: Application) {}
    public func applicationDidEnterBackground(_ application: Application) {}
    public func applicationWillEnterForeground(_ application: Application) {}
    public func applicationWillTerminate(_ application: Application) {}

    public func application(_ application: Application, open urls: [URL]) {
        for url in urls { application.openAsDocument(url) }
    }

    public func application(
        _ application: Application, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        application.center?.logOnce(
            "the app was asked for the shortcut item \(shortcutItem.type), and has no hook for it")
        completionHandler(false)
    }

    /// As the delegate of UIKit has it; nil where it has no such property.
    public var window: Window?? {
        guard let delegate = self as? any UIApplicationDelegate else { return nil }
        // By its type it is that one's own, not this again.
        let window: Window? = delegate.window
        return window
    }

    public func application(
        _ application: Application, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        false
    }

    public func application(
        _ application: Application, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        false
    }

    public func application(
        _ application: Application, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        application.show(error, ofActivityType: userActivityType, in: nil)
    }

    public func application(_ application: Application, didUpdate userActivity: NSUserActivity) {}

    public func application(
        _ application: Application, configurationForConnecting connectingSceneSession: SceneSession,
        options: Scene.ConnectionOptions
    ) -> SceneConfiguration {
        connectingSceneSession.configuration
    }

    public func application(_ application: Application, didDiscardSceneSessions sceneSessions: Set<SceneSession>) {}
}
