// SPDX-License-Identifier: Apache-2.0

/// One of the app's connected scenes, as far as the choice of the scene for an activity looks at it.
struct SceneCandidate<ID: Hashable & Sendable>: Hashable, Sendable {
    var id: ID
    /// By its activation conditions, for what the activity is about.
    var prefers: Bool
    var can: Bool
    var isActive: Bool
    /// The highest was used last. Every scene has its own.
    var lastUse: UInt64
}

/// Where an activity goes.
enum SceneChoice<ID: Hashable & Sendable>: Hashable, Sendable {
    case existing(ID)
    case new
}

extension SceneChoice {
    /// For an activity of another device: the scene that its user will look at.
    ///
    /// One that prefers it, else one that can take it, else a new one. Of several, the active one, else the one used last.
    /// An app that may not have another scene has the one that it has take it, whatever the conditions say.
    static func forContinuation(among scenes: [SceneCandidate<ID>], mayOpenAnother: Bool) -> Self {
        if let scene = scenes.filter(\.prefers).nearest() ?? scenes.filter(\.can).nearest() {
            return .existing(scene.id)
        }
        guard !mayOpenAnother, let scene = scenes.nearest() else { return .new }
        return .existing(scene.id)
    }

    /// For the app's own wish to have an activity opened: the scene that prefers it, which is where it is open already, else
    /// a new one.
    static func forRequest(among scenes: [SceneCandidate<ID>], mayOpenAnother: Bool) -> Self {
        if let scene = scenes.filter(\.prefers).nearest() { return .existing(scene.id) }
        guard !mayOpenAnother, let scene = scenes.nearest() else { return .new }
        return .existing(scene.id)
    }
}

extension Collection {
    /// The scene that the user was at last.
    fileprivate func nearest<ID>() -> Element? where Element == SceneCandidate<ID> {
        self.max { ($0.isActive ? 1 : 0, $0.lastUse) < ($1.isActive ? 1 : 0, $1.lastUse) }
    }
}
