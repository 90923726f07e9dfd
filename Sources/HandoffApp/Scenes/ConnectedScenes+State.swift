// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff

// What scenes show, kept for the next run of the app.

extension ConnectedScenes {
    /// Asks the scene's delegate what it shows.
    func save(_ scene: Scene) {
        guard let delegate = scene.delegate else { return }
        scene.leavesState = false
        let activity = delegate.stateRestorationActivity(for: scene)
        guard !scene.leavesState else { return }
        if let activity { delegate.scene(scene, didUpdate: activity) }
        scene.session.stateRestorationActivity = activity
    }

    func saveAll() {
        for scene in connected { save(scene) }
    }

    func changed(_ session: SceneSession) {}

    /// An activity is about to be sent: the scene that it belongs to may add to it.
    func didUpdate(_ activity: NSUserActivity) {}
}
