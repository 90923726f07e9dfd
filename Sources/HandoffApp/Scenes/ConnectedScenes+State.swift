// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation
internal import Handoff
internal import HandoffWire

extension ConnectedScenes {
    // MARK: Restoring

    /// For scenes that were open when the app ended; the most recently used last.
    func keptSessions() -> [UISceneSession] {
        guard let archive = application.sceneArchive, let center = application.center else { return [] }
        return archive.load().compactMap { record in
            let role = UISceneSession.Role(rawValue: record.role)
            let session = UISceneSession(
                persistentIdentifier: record.identifier, role: role,
                configuration: UISceneConfiguration(name: record.configuration, sessionRole: role),
                lastUsed: Date(timeIntervalSinceReferenceDate: record.lastUsed))
            do throws(Failure) {
                session.savedActivity = try record.activity.map { state throws(Failure) in
                    try NSUserActivity(savedState: state, center: center)
                }
                if let bytes = record.userInfo {
                    let holder = ActivityState(type: Self.holderType, userInfo: bytes)
                    session.userInfo = try NSUserActivity(savedState: holder, center: center).userInfo as? [String: Any]
                }
            } catch {
                application.environment.log("the state of a window cannot be restored: \(error)")
            }
            session.keeper = self
            return session
        }
    }

    // MARK: Saving

    func save(_ scene: UIScene) {
        guard let activity = activityToKeep(of: scene) else { return }
        guard activity.needsSave else { return keep(activity, of: scene) }
        let isWaitedFor = activity.prepareToBeSaved { [application] in
            application.onMainThread { application.scenes.keepUpdated(activity, of: scene) }
        }
        if !isWaitedFor { keepUpdated(activity, of: scene) }
    }

    private func keepUpdated(_ activity: NSUserActivity, of scene: UIScene) {
        activity.updateOwners()
        keep(activity, of: scene)
    }

    /// Returns once the state is on disk. Does not wait for a will-save beyond its time limit.
    func saveAll() {
        for scene in connected {
            guard let activity = activityToKeep(of: scene) else { continue }
            if activity.needsSave { updateAtTheEnd(activity) }
            keep(activity, of: scene)
        }
        application.sceneArchive?.flush()
    }

    private func updateAtTheEnd(_ activity: NSUserActivity) {
        let saved = DispatchSemaphore(value: 0)
        let isWaitedFor = activity.prepareToBeSaved { saved.signal() }
        if isWaitedFor, saved.wait(timeout: .now() + willSaveAtTheEnd) == .timedOut {
            application.environment.log("an activity was not saved in time; its last state is kept")
        }
        activity.updateOwners()
    }

    private func activityToKeep(of scene: UIScene) -> NSUserActivity? {
        guard let delegate = scene.delegate else { return nil }
        scene.leavesState = false
        let activity = delegate.stateRestorationActivity(for: scene)
        if activity == nil, !scene.leavesState { scene.session.stateRestorationActivity = nil }
        return activity
    }

    private func keep(_ activity: NSUserActivity, of scene: UIScene) {
        // The scene was closed in the meantime.
        guard scene.application != nil else { return }
        scene.delegate?.scene(scene, didUpdate: activity)
        scene.session.stateRestorationActivity = activity
    }

    func changed(_ session: UISceneSession) {
        guard let archive = application.sceneArchive else { return }
        let record: SceneRecord
        do {
            record = SceneRecord(
                identifier: session.persistentIdentifier, role: session.role.rawValue,
                configuration: session.configuration.name,
                lastUsed: session.lastUsed.timeIntervalSinceReferenceDate,
                activity: try session.savedActivity?.savedState(), userInfo: try encoded(session.userInfo))
        } catch {
            return application.environment.log("the state of a window cannot be saved: \(error)")
        }
        if record.isWorthKeeping { archive.write(record) } else { archive.remove(record.identifier) }
    }

    func deleteActivities(_ saved: SavedActivities) {
        for session in sessions {
            guard let activity = session.stateRestorationActivity, saved.contains(activity.persistentIdentifier) else {
                continue
            }
            session.stateRestorationActivity = nil
        }
    }

    /// Encoded as in an activity, which allows the same types.
    private func encoded(_ userInfo: [String: Any]?) throws -> [UInt8]? {
        guard let userInfo, !userInfo.isEmpty, let center = application.center else { return nil }
        let holder = NSUserActivity(activityType: Self.holderType.name, center: center)
        try holder.setUserInfo(userInfo)
        return try holder.savedState().userInfo
    }

    /// Only encodes a session's `userInfo`; never leaves the app.
    private static let holderType = try! ActivityType("handoff.scene.userInfo")

    /// The activity is about to be sent.
    func didUpdate(_ activity: NSUserActivity) {
        guard isInUse else { return }
        for scene in connected where scene.shows(activity) { scene.delegate?.scene(scene, didUpdate: activity) }
    }
}

extension UIScene {
    fileprivate func shows(_ activity: NSUserActivity) -> Bool {
        activity.owners.contains { owner in
            switch (owner as? ActivitySlot)?.holder {
            case let responder as UIResponder: responder.chain.contains(self)
            case let hooks as WindowHooks: hooks.window?.chain.contains(self) ?? false
            case let document as HandoffDocument:
                document.windowControllers.contains { $0.window?.chain.contains(self) ?? false }
            default: false
            }
        }
    }
}
