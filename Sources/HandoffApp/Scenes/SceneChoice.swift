// SPDX-License-Identifier: Apache-2.0

struct SceneCandidate<ID: Hashable & Sendable>: Hashable, Sendable {
    var id: ID
    /// From the scene's activation conditions for the activity's target content.
    var prefers: Bool
    var can: Bool
    var isActive: Bool
    /// Unique; the highest value is the most recent use.
    var lastUse: UInt64
}

enum SceneChoice<ID: Hashable & Sendable>: Hashable, Sendable {
    case existing(ID)
    case new
}

extension SceneChoice {
    /// Selects the scene for an activity from another device.
    ///
    /// A scene that prefers it, or else one that can take it, or else a new one. Among several, the active or most
    /// recently used scene. If the app cannot open another scene, conditions are ignored.
    static func forContinuation(among scenes: [SceneCandidate<ID>], mayOpenAnother: Bool) -> Self {
        if let scene = scenes.filter(\.prefers).nearest() ?? scenes.filter(\.can).nearest() {
            return .existing(scene.id)
        }
        guard !mayOpenAnother, let scene = scenes.nearest() else { return .new }
        return .existing(scene.id)
    }

    /// Selects the scene for a request of the app: the scene that prefers the activity, because it already shows it, or
    /// else a new one.
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
