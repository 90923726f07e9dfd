// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import Handoff

/// Goes on with activities of the user's other devices. Called on the main thread; every method is optional.
///
/// Each `willContinueUserActivityWithType` is followed by exactly one of `continue` and `didFailToContinue…`.
@MainActor
public protocol HandoffApplicationDelegate: AnyObject {
    /// The user has accepted an activity of this type; its content is fetched when this returns. True if the app shows by
    /// itself that something is on its way.
    func application(_ application: HandoffApplication, willContinueUserActivityWithType userActivityType: String)
        -> Bool

    /// The content is here. True if the app goes on with it.
    ///
    /// `restorationHandler` may be called with objects that take part in restoring, now or later, on the main thread;
    /// each is given the activity.
    func application(
        _ application: HandoffApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool

    /// The content could not be had. `error` is a `CocoaError` of the codes 4608 to 4611, or `.userCancelled` if the user
    /// has turned to something else, which is no news for the user. Without this method the error is written to the
    /// standard error.
    func application(
        _ application: HandoffApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error)

    /// The app's own activity was saved and is about to be sent: the last place to add to it.
    func application(_ application: HandoffApplication, didUpdate userActivity: NSUserActivity)
}

extension HandoffApplicationDelegate {
    public func application(
        _ application: HandoffApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        false
    }

    public func application(
        _ application: HandoffApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        false
    }

    public func application(
        _ application: HandoffApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) {
        if (error as? CocoaError)?.code == .userCancelled { return }
        try? FileHandle.standardError.write(contentsOf: Data("\(error.localizedDescription)\n".utf8))
    }

    public func application(_ application: HandoffApplication, didUpdate userActivity: NSUserActivity) {}
}
