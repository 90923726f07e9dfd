// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// For which contents a scene is the place, by their `targetContentIdentifier`.
///
/// ```swift
/// scene.activationConditions.prefersToActivateForTargetContentIdentifierPredicate =
///     NSPredicate { identifier, _ in identifier as? String == "document-7" }
/// ```
/// Predicates are given the identifier, a `String`. Those with a format are not there in Foundation for Linux.
@preconcurrency @MainActor
public final class UISceneActivationConditions: NSObject {
    /// Whether the scene can be the place. True for everything at first.
    public var canActivateForTargetContentIdentifierPredicate = NSPredicate(value: true)
    /// Whether the scene is the place before those that only can be. False for everything at first.
    public var prefersToActivateForTargetContentIdentifierPredicate = NSPredicate(value: false)

    public override init() { super.init() }

    /// An activity without an identifier is about no content in particular, so that no condition can speak of it.
    func suits(_ identifier: String?) -> (prefers: Bool, can: Bool) {
        guard let identifier else { return (false, true) }
        return (
            prefersToActivateForTargetContentIdentifierPredicate.evaluate(with: identifier),
            canActivateForTargetContentIdentifierPredicate.evaluate(with: identifier)
        )
    }
}

/// Asks for a scene: a certain one, or the right one for an activity.
@preconcurrency @MainActor
public final class UISceneSessionActivationRequest {
    public let session: UISceneSession?
    public let role: UISceneSession.Role
    public let userActivity: NSUserActivity?
    public let options: UIScene.ActivationRequestOptions?

    /// The scene that prefers the activity's `targetContentIdentifier`, else a new one.
    public init(
        role: UISceneSession.Role = .windowApplication, userActivity: NSUserActivity? = nil,
        options: UIScene.ActivationRequestOptions? = nil
    ) {
        session = nil
        self.role = role
        self.userActivity = userActivity
        self.options = options
    }

    /// The scene of this session, connected anew if it is not connected.
    public init(
        session: UISceneSession, userActivity: NSUserActivity? = nil, options: UIScene.ActivationRequestOptions? = nil
    ) {
        self.session = session
        role = session.role
        self.userActivity = userActivity
        self.options = options
    }
}

/// Why a scene is not to be had.
public struct UISceneError: Error, Hashable, Sendable, LocalizedError {
    public enum Code: Int, Sendable {
        /// The app has one scene already, and no more.
        case multipleScenesNotSupported = 0
        /// There is no such scene, or the app has none at all.
        case requestDenied = 1
    }

    public let code: Code
    public let errorDescription: String?

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension UIApplication {
    /// Those that are connected.
    public var connectedScenes: Set<UIScene> { Set(scenes.connected) }

    /// Those of all scenes that the user did not close.
    public var openSessions: Set<UISceneSession> { Set(scenes.sessions) }

    /// Brings a scene to the front, opening it where it is not open. An activity goes to its delegate's
    /// `scene(_:continue:)`; a new scene has it in its connection options. `errorHandler` is called with a ``UISceneError``,
    /// on the main thread. Before the app is launched, this waits for the launch.
    public func activateSceneSession(
        for request: UISceneSessionActivationRequest, errorHandler: ((any Error) -> Void)? = nil
    ) {
        whenLaunched { _ in
            do throws(UISceneError) {
                try self.scenes.activate(request)
            } catch {
                errorHandler?(error)
            }
        }
    }

    /// `activateSceneSession(for:errorHandler:)` as it was called at first: nil for the right scene for the activity.
    public func requestSceneSessionActivation(
        _ sceneSession: UISceneSession?, userActivity: NSUserActivity?, options: UIScene.ActivationRequestOptions?,
        errorHandler: ((any Error) -> Void)? = nil
    ) {
        let request =
            if let sceneSession {
                UISceneSessionActivationRequest(session: sceneSession, userActivity: userActivity, options: options)
            } else {
                UISceneSessionActivationRequest(userActivity: userActivity, options: options)
            }
        activateSceneSession(for: request, errorHandler: errorHandler)
    }

    /// Without effect, which the app's log says: there is no picture of a scene that could be out of date.
    public func requestSceneSessionRefresh(_ sceneSession: UISceneSession) {
        center?.logOnce("requestSceneSessionRefresh is without effect: nothing shows pictures of windows here")
    }

    /// Closes a scene for good. `errorHandler` is called with a ``UISceneError``, on the main thread.
    public func requestSceneSessionDestruction(
        _ sceneSession: UISceneSession, options: UIScene.DestructionRequestOptions?,
        errorHandler: ((any Error) -> Void)? = nil
    ) {
        do throws(UISceneError) {
            try scenes.destroy(sceneSession)
        } catch {
            errorHandler?(error)
        }
    }
}

extension UIScene {
    /// How a scene is to be closed. There is nothing to choose.
    @preconcurrency @MainActor
    open class DestructionRequestOptions {
        public init() {}
    }
}

/// UIKit's name for it.
public typealias UISceneDestructionRequestOptions = UIScene.DestructionRequestOptions
