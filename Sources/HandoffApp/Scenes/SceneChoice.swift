// SPDX-License-Identifier: Apache-2.0

struct SceneCandidate<ID: Hashable & Sendable>: Hashable, Sendable {
    var id: ID
    /// From the scene's activation conditions.
    var prefers: Bool
    var can: Bool
    var isActive: Bool
    /// Unique. The highest is the most recent use.
    var lastUse: UInt64
}

enum SceneChoice<ID: Hashable & Sendable>: Hashable, Sendable {
    case existing(ID)
    case new
}

extension SceneChoice {
    /// For another device's activity: a scene that prefers it, or else can take it, or else a new scene. Among several,
    /// the active or most recently used. Conditions are ignored if no other scene may open.
    static func forContinuation(among scenes: [SceneCandidate<ID>], mayOpenAnother: Bool) -> Self {
        if let scene = scenes.filter(\.prefers).nearest() ?? scenes.filter(\.can).nearest() {
            return .existing(scene.id)
        }
        guard !mayOpenAnother, let scene = scenes.nearest() else { return .new }
        return .existing(scene.id)
    }

    /// For the app's request: the scene that prefers, and so shows, the activity, or else a new scene.
    static func forRequest(among scenes: [SceneCandidate<ID>], mayOpenAnother: Bool) -> Self {
        if let scene = scenes.filter(\.prefers).nearest() { return .existing(scene.id) }
        guard !mayOpenAnother, let scene = scenes.nearest() else { return .new }
        return .existing(scene.id)
    }
}

extension Collection {
    fileprivate func nearest<ID>() -> Element? where Element == SceneCandidate<ID> {
        self.max { ($0.isActive ? 1 : 0, $0.lastUse) < ($1.isActive ? 1 : 0, $1.lastUse) }
    }
}
