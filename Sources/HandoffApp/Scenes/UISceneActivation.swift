// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// The contents that a scene accepts, by their `targetContentIdentifier`, a `String`.
///
/// ```swift
/// scene.activationConditions.prefersToActivateForTargetContentIdentifierPredicate =
///     NSPredicate { identifier, _ in identifier as? String == "document-7" }
/// ```
/// Foundation for Linux has no predicates with a format.
@preconcurrency @MainActor
public final class UISceneActivationConditions: NSObject {
    /// Whether the scene can take the content. Initially true.
    public var canActivateForTargetContentIdentifierPredicate = NSPredicate(value: true)
    /// Whether the scene comes before those that only can. Initially false.
    public var prefersToActivateForTargetContentIdentifierPredicate = NSPredicate(value: false)

    public override init() { super.init() }

    /// Without an identifier, no conditions apply.
    func suits(_ identifier: String?) -> (prefers: Bool, can: Bool) {
        guard let identifier else { return (false, true) }
        return (
            prefersToActivateForTargetContentIdentifierPredicate.evaluate(with: identifier),
            canActivateForTargetContentIdentifierPredicate.evaluate(with: identifier)
        )
    }
}

/// Requests a specific scene, or the one for an activity.
@preconcurrency @MainActor
public final class UISceneSessionActivationRequest {
    public let session: UISceneSession?
    public let role: UISceneSession.Role
    public let userActivity: NSUserActivity?
    public let options: UIScene.ActivationRequestOptions?

    /// Requests the scene that prefers the activity's `targetContentIdentifier`, or else a new one.
    public init(
        role: UISceneSession.Role = .windowApplication, userActivity: NSUserActivity? = nil,
        options: UIScene.ActivationRequestOptions? = nil
    ) {
        session = nil
        self.role = role
        self.userActivity = userActivity
        self.options = options
    }

    /// Requests the session's scene, connected again if necessary.
    public init(
        session: UISceneSession, userActivity: NSUserActivity? = nil, options: UIScene.ActivationRequestOptions? = nil
    ) {
        self.session = session
        role = session.role
        self.userActivity = userActivity
        self.options = options
    }
}

/// The reason why a scene is unavailable.
public struct UISceneError: Error, Hashable, Sendable, LocalizedError {
    public enum Code: Int, Sendable {
        /// The app already has its only scene.
        case multipleScenesNotSupported = 0
        /// There is no such scene, or the app has no scenes.
        case requestDenied = 1
    }

    public let code: Code
    public let errorDescription: String?

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension UIApplication {
    /// The connected scenes.
    public var connectedScenes: Set<UIScene> { Set(scenes.connected) }

    /// The sessions of scenes that the user did not close.
    public var openSessions: Set<UISceneSession> { Set(scenes.sessions) }

    /// Brings a scene to the front, after the launch. The activity goes to the delegate's `scene(_:continue:)`, or to a
    /// new scene's connection options. `errorHandler` receives a ``UISceneError`` on the main thread.
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

    /// Older than `activateSceneSession(for:errorHandler:)`. A nil session requests the scene for the activity.
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

    /// Has no effect, because desktops show no snapshots of scenes.
    public func requestSceneSessionRefresh(_ sceneSession: UISceneSession) {
        center?.logOnce("requestSceneSessionRefresh has no effect: this system does not show snapshots of windows")
    }

    /// Closes a scene permanently. `errorHandler` receives a ``UISceneError`` on the main thread.
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
    /// Options for closing a scene; there are none.
    @preconcurrency @MainActor
    open class DestructionRequestOptions {
        public init() {}
    }
}

/// UIKit's name.
public typealias UISceneDestructionRequestOptions = UIScene.DestructionRequestOptions
