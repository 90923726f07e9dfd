// SPDX-License-Identifier: Apache-2.0

internal import Handoff
internal import HandoffClient
internal import HandoffSystem

/// The application delegate's `restorationHandler`. It may be called now, later or never; calls after the first are
/// ignored.
final class Restoration: Sendable {
    private let activity: NSUserActivity
    private let application: UIApplication
    private let isUsed = Lock(false)

    init(of activity: NSUserActivity, in application: UIApplication) {
        self.activity = activity
        self.application = application
    }

    /// On another thread, it continues on the main thread. Each object receives the activity, even if the activity has
    /// ended.
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
