// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import Handoff

/// What one scene of the app does. Called on the main thread; every method is optional.
///
/// Each `scene(_:willContinueUserActivityWithType:)` is followed by exactly one of `scene(_:continue:)` and
/// `scene(_:didFailToContinueUserActivityWithType:error:)`, at the same scene. What is not implemented here goes to the
/// application's delegate.
@preconcurrency @MainActor
public protocol UISceneDelegate: AnyObject {
    // MARK: The scene's life

    /// The scene is new to this process: the place to make its window. `session.stateRestorationActivity` is what it showed
    /// before, if it was there before.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    /// The last hook of this scene.
    func sceneDidDisconnect(_ scene: UIScene)
    func sceneWillEnterForeground(_ scene: UIScene)
    func sceneDidBecomeActive(_ scene: UIScene)
    func sceneWillResignActive(_ scene: UIScene)
    func sceneDidEnterBackground(_ scene: UIScene)

    // MARK: Opening

    /// The app is asked to open these while it runs, and this is the scene in front. At its start they are in the connection
    /// options. Without this method they go to the application's delegate.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    /// The user chose an action of the app's desktop entry while it runs. `completionHandler` may be called, with whether it
    /// worked. Without this method it goes to the application's delegate.
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
    /// The `async` form. A delegate implements either this or the form with a handler.
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool

    // MARK: Continuing

    /// The user has accepted an activity of this type, and this is the scene for it; its content is fetched when this
    /// returns. The place to show that something is on its way. Without this method the framework does.
    func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String)
    /// The content is here, or the app itself asked for the scene with this activity.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
    /// The content could not be had, or goes to another scene. `error` is a `CocoaError` of the codes 4608 to 4611, or
    /// `.userCancelled`, which is no news for the user.
    func scene(_ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
    /// The scene's activity was brought up to date, for another device or to be kept: the last place to add to it.
    func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity)

    // MARK: State

    /// What the scene shows now, to be given back when the app runs the next time; nil for nothing. Called when the scene
    /// is left and when the app ends.
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
    /// The scene showed this when it was left. Called after `scene(_:willConnectTo:options:)`.
    func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity)
}

/// The delegate of a scene that is a window.
@preconcurrency @MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The scene's window. Who has one here keeps it for as long as the scene is there.
    var window: UIWindow? { get }
}

extension UIWindowSceneDelegate {
    public var window: UIWindow? { nil }
}

extension UISceneDelegate {
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {}
    public func sceneDidDisconnect(_ scene: UIScene) {}
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    public func sceneWillResignActive(_ scene: UIScene) {}
    public func sceneDidEnterBackground(_ scene: UIScene) {}

    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        guard let application = scene.application else { return }
        application.delegate?.application(application, open: URLContexts.map(\.url))
    }

    public func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        Task.immediate {
            windowScene.leavesAction = false
            let didWork = await self.windowScene(windowScene, performActionFor: shortcutItem)
            guard windowScene.leavesAction, let application = windowScene.application,
                let delegate = application.delegate
            else { return completionHandler(didWork) }
            delegate.application(application, performActionFor: shortcutItem, completionHandler: completionHandler)
        }
    }

    public func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        windowScene.leavesAction = true
        return false
    }

    public func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
        guard let application = scene.application, let delegate = application.delegate else { return }
        scene.leavesProgress = !delegate.application(application, willContinueUserActivityWithType: userActivityType)
    }

    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        _ = scene.application?.delegateContinues(userActivity)
    }

    public func scene(
        _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        guard let application = scene.application, let delegate = application.delegate else { return }
        delegate.application(application, didFailToContinueUserActivityWithType: userActivityType, error: error)
    }

    public func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) {}

    public func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        scene.leavesState = true
        return nil
    }

    public func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity) {}
}
