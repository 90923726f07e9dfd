// SPDX-License-Identifier: Apache-2.0

internal import Handoff
internal import HandoffClient
internal import HandoffSystem

/// The application delegate's `restorationHandler`, called late or never; further calls are ignored.
final class Restoration: Sendable {
    private let activity: NSUserActivity
    private let application: UIApplication
    private let isUsed = Lock(false)

    init(of activity: NSUserActivity, in application: UIApplication) {
        self.activity = activity
        self.application = application
    }

    /// Each object receives the activity, even if it has ended.
    func restore(_ objects: [any NSUserActivityRestoring]) {
        let isFirst = isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
        guard isFirst else {
            return activity.center.log("a restorationHandler was called again, which has no effect")
        }
        guard !MainThread.isCurrent else { return MainActor.assumeIsolated { restoreOnMainThread(objects) } }
        activity.center.log("a restorationHandler was called outside the main thread; it runs on the main thread")
        application.onMainThread { self.restoreOnMainThread(objects) }
    }

    @MainActor
    private func restoreOnMainThread(_ objects: [any NSUserActivityRestoring]) {
        for object in objects { object.restoreUserActivityState(activity) }
    }
}
