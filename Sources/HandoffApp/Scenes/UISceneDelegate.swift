// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import Handoff

/// The delegate of one scene. Called on the main thread; every method is optional.
///
/// Each `scene(_:willContinueUserActivityWithType:)` is followed by exactly one of `scene(_:continue:)` and
/// `scene(_:didFailToContinueUserActivityWithType:error:)` on the same scene. The application's delegate receives the
/// calls that are not implemented here.
@preconcurrency @MainActor
public protocol UISceneDelegate: AnyObject {
    // MARK: Lifecycle

    /// The scene is new to this process; create its window here. `session.stateRestorationActivity` is the scene's
    /// saved activity, if it existed before.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    /// The last hook of this scene.
    func sceneDidDisconnect(_ scene: UIScene)
    func sceneWillEnterForeground(_ scene: UIScene)
    func sceneDidBecomeActive(_ scene: UIScene)
    func sceneWillResignActive(_ scene: UIScene)
    func sceneDidEnterBackground(_ scene: UIScene)

    // MARK: Opening

    /// Opens URLs while the app runs; this scene is in front. URLs that the app is started with are in the connection
    /// options. Without this method, the application's delegate receives them.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    /// The user chose an action of the app's desktop entry while the app runs. `completionHandler` may be called with
    /// whether it succeeded. Without this method, the application's delegate is called.
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
    /// The `async` form. Implement either this or the form with a handler.
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool

    // MARK: Continuing

    /// The user has accepted an activity of this type for this scene. Its content is fetched when this returns. Show
    /// the progress here; without this method the framework does.
    func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String)
    /// The content has arrived, or the app itself requested the scene with this activity.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
    /// The content could not be fetched or goes to another scene. `error` is a `CocoaError` with a code from 4608 to
    /// 4611, or `.userCancelled`; do not report the latter to the user.
    func scene(_ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error)
    /// The scene's activity was updated, for another device or for saving. This is the last chance to add to it.
    func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity)

    // MARK: State

    /// Returns the scene's state, which is restored in the next run of the app; nil for none. Called when the user
    /// leaves the scene and when the app ends.
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
    /// Restores the saved state. Called after `scene(_:willConnectTo:options:)`.
    func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity)
}

/// The delegate of a scene with a window.
@preconcurrency @MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The scene's window. A delegate that implements this retains the window while the scene exists.
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
