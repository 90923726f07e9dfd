// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// The saved data of a scene, which also exists while the scene is not connected: its configuration and its state.
@preconcurrency @MainActor
public final class UISceneSession: NSObject {
    /// The purpose of a scene.
    public struct Role: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// A window with the app's contents.
        public static let windowApplication = Self(rawValue: "UIWindowSceneSessionRoleApplication")
    }

    /// Constant until the user closes the scene, also across runs of the app.
    public let persistentIdentifier: String
    public let role: Role
    public internal(set) var configuration: UISceneConfiguration
    /// Nil while the scene is not connected.
    public internal(set) weak var scene: UIScene?

    /// The scene's state when it was last saved. Setting it saves it, encrypted, for this user only. The framework sets
    /// it to the result of the scene delegate's `stateRestorationActivity(for:)`.
    public var stateRestorationActivity: NSUserActivity? {
        get { savedActivity }
        set {
            savedActivity = newValue
            keeper?.changed(self)
        }
    }

    /// More data of the app about the scene, with the types that an activity's `userInfo` may hold. Other types are not
    /// saved; the app's log says so. Setting it saves it.
    public var userInfo: [String: Any]? {
        didSet { keeper?.changed(self) }
    }

    var savedActivity: NSUserActivity?
    var lastUsed: Date
    weak var keeper: ConnectedScenes?

    init(
        persistentIdentifier: String = UUID().uuidString, role: Role = .windowApplication,
        configuration: UISceneConfiguration, lastUsed: Date
    ) {
        self.persistentIdentifier = persistentIdentifier
        self.role = role
        self.configuration = configuration
        self.lastUsed = lastUsed
        super.init()
    }
}
