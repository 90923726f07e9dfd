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
public final class SceneActivationConditions: NSObject {
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
public final class SceneSessionActivationRequest {
    public let session: SceneSession?
    public let role: SceneSession.Role
    public let userActivity: NSUserActivity?
    public let options: Scene.ActivationRequestOptions?

    /// The scene that prefers the activity's `targetContentIdentifier`, else a new one.
    public init(
        role: SceneSession.Role = .windowApplication, userActivity: NSUserActivity? = nil,
        options: Scene.ActivationRequestOptions? = nil
    ) {
        session = nil
        self.role = role
        self.userActivity = userActivity
        self.options = options
    }

    /// The scene of this session, connected anew if it is not connected.
    public init(
        session: SceneSession, userActivity: NSUserActivity? = nil, options: Scene.ActivationRequestOptions? = nil
    ) {
        self.session = session
        role = session.role
        self.userActivity = userActivity
        self.options = options
    }
}

/// Why a scene is not to be had.
public struct SceneError: Error, Hashable, Sendable, LocalizedError {
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

extension Application {
    /// Those that are connected.
    public var connectedScenes: Set<Scene> { Set(scenes.connected) }

    /// Those of all scenes that the user did not close.
    public var openSessions: Set<SceneSession> { Set(scenes.sessions) }

    /// Brings a scene to the front, opening it where it is not open. An activity goes to its delegate's
    /// `scene(_:continue:)`; a new scene has it in its connection options. `errorHandler` is called with a ``SceneError``,
    /// on the main thread. Before the app is launched, this waits for the launch.
    public func activateSceneSession(
        for request: SceneSessionActivationRequest, errorHandler: ((any Error) -> Void)? = nil
    ) {
        whenLaunched { _ in
            do throws(SceneError) {
                try self.scenes.activate(request)
            } catch {
                errorHandler?(error)
            }
        }
    }

    /// `activateSceneSession(for:errorHandler:)` as it was called at first: nil for the right scene for the activity.
    public func requestSceneSessionActivation(
        _ sceneSession: SceneSession?, userActivity: NSUserActivity?, options: Scene.ActivationRequestOptions?,
        errorHandler: ((any Error) -> Void)? = nil
    ) {
        let request =
            if let sceneSession {
                SceneSessionActivationRequest(session: sceneSession, userActivity: userActivity, options: options)
            } else {
                SceneSessionActivationRequest(userActivity: userActivity, options: options)
            }
        activateSceneSession(for: request, errorHandler: errorHandler)
    }

    /// Without effect, which the app's log says: there is no picture of a scene that could be out of date.
    public func requestSceneSessionRefresh(_ sceneSession: SceneSession) {
        center?.logOnce("requestSceneSessionRefresh is without effect: nothing shows pictures of windows here")
    }

    /// Closes a scene for good. `errorHandler` is called with a ``SceneError``, on the main thread.
    public func requestSceneSessionDestruction(
        _ sceneSession: SceneSession, options: Scene.DestructionRequestOptions?,
        errorHandler: ((any Error) -> Void)? = nil
    ) {
        do throws(SceneError) {
            try scenes.destroy(sceneSession)
        } catch {
            errorHandler?(error)
        }
    }
}

extension Scene {
    /// How a scene is to be closed. There is nothing to choose.
    @preconcurrency @MainActor
    open class DestructionRequestOptions {
        public init() {}
    }
}

/// UIKit's name for it.
public typealias UISceneActivationConditions = SceneActivationConditions
/// UIKit's name for it.
public typealias UISceneSessionActivationRequest = SceneSessionActivationRequest
/// UIKit's name for it.
public typealias UISceneError = SceneError
/// UIKit's name for it.
public typealias UISceneDestructionRequestOptions = Scene.DestructionRequestOptions
