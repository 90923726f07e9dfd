// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Handoff

/// What is kept of a scene, also while it is not connected: how it is made, and what it showed.
@preconcurrency @MainActor
public final class UISceneSession: NSObject {
    /// What a scene is for.
    public struct Role: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// A window with the app's contents.
        public static let windowApplication = Self(rawValue: "UIWindowSceneSessionRoleApplication")
    }

    /// The same for as long as the user does not close the scene, also when the app was ended meanwhile.
    public let persistentIdentifier: String
    public let role: Role
    public internal(set) var configuration: UISceneConfiguration
    /// Nil while it is not connected.
    public internal(set) weak var scene: UIScene?

    /// What the scene showed when it was saved last. Setting it saves it: encrypted, for this user alone. The framework sets
    /// it to what the scene delegate's `stateRestorationActivity(for:)` gives.
    public var stateRestorationActivity: NSUserActivity? {
        get { savedActivity }
        set {
            savedActivity = newValue
            keeper?.changed(self)
        }
    }

    /// What else the app keeps with the scene: the types that an activity's `userInfo` may hold. Others are not saved,
    /// which the app's log says. Setting it saves it.
    public var userInfo: [String: Any]? {
        didSet { keeper?.changed(self) }
    }

    var savedActivity: NSUserActivity?
    /// When its scene was used last.
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
