// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// A scene's configuration and saved state, which also exist while it is not connected.
@preconcurrency @MainActor
public final class UISceneSession: NSObject {
    /// The purpose of a scene.
    public struct Role: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// A window with the app's contents.
        public static let windowApplication = Self(rawValue: "UIWindowSceneSessionRoleApplication")
    }

    /// Constant across runs of the app, until the user closes the scene.
    public let persistentIdentifier: String
    public let role: Role
    public internal(set) var configuration: UISceneConfiguration
    /// Nil unless connected.
    public internal(set) weak var scene: UIScene?

    /// The last saved state, from `stateRestorationActivity(for:)` of the scene's delegate. Setting it saves it,
    /// encrypted and readable by this user only.
    public var stateRestorationActivity: NSUserActivity? {
        get { savedActivity }
        set {
            savedActivity = newValue
            keeper?.changed(self)
        }
    }

    /// The app's own data about the scene, of types allowed in an activity's `userInfo`; others are logged, not saved.
    /// Setting it saves it.
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
