// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import Handoff

/// A scene's delegate. Called on the main thread; all methods are optional.
///
/// Continuing hooks are called in pairs, as in ``HandoffApplicationDelegate``, on the same scene. The application's
/// delegate receives calls not implemented here.
@preconcurrency @MainActor
public protocol UISceneDelegate: AnyObject {
    // MARK: Lifecycle

    /// Create the scene's window here. `session.stateRestorationActivity` is its saved activity, if any.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    /// The last hook.
    func sceneDidDisconnect(_ scene: UIScene)
    func sceneWillEnterForeground(_ scene: UIScene)
    func sceneDidBecomeActive(_ scene: UIScene)
    func sceneWillResignActive(_ scene: UIScene)
    func sceneDidEnterBackground(_ scene: UIScene)

    // MARK: Opening

    /// Opens URLs while the app runs. Those that started it are in the connection options.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    /// The user chose an action of the desktop entry. `completionHandler` may be called with its success.
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
    /// The `async` form. Implement either.
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool

    // MARK: Continuing

    /// The user accepted an activity for this scene. It is fetched when this returns. Show the progress, or the
    /// framework does.
    func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String)
    /// The content arrived, or the app requested the scene with this activity.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
    /// The content could not be fetched, with a `CocoaError` of code 4608 to 4611, or goes to another scene. Do not
    /// report `.userCancelled` to the user.
    func scene(_ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
    /// The last chance to add to the scene's activity before it is sent or saved.
    func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity)

    // MARK: State

    /// The scene's state for the app's next run. Called when the user leaves the scene and when the app ends.
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
    /// Called after `scene(_:willConnectTo:options:)`.
    func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity)
}

/// The delegate of a scene with a window.
@preconcurrency @MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// Retained by a delegate that implements this.
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
