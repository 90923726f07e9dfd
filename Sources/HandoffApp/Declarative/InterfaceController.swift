// SPDX-License-Identifier: Apache-2.0

public import Handoff

/// A screen of a small client that offers activities and continues none, as WatchKit has it. What it offers goes by way of this
/// device to the user's others.
///
/// ```swift
/// final class RunController: WKInterfaceController {
///     func started(_ run: Run) {
///         let activity = NSUserActivity(activityType: "com.example.runs.running")
///         activity.userInfo = ["run": run.id]
///         update(activity)
///     }
/// }
/// ```
@preconcurrency @MainActor
open class InterfaceController: ViewController {
    /// Offers the activity in the place of the one before, which ends. In a window it is current while the controller is what
    /// counts there (``CurrentActivityRule``); a client without windows has it current at once. It is retained, and ends with
    /// the controller.
    open func update(_ userActivity: NSUserActivity) {
        // First, so that other devices see no gap.
        if window == nil { userActivity.becomeCurrent() }
        self.userActivity = userActivity
    }

    /// Ends the activity, at other owners too. No effect without one.
    open func invalidateUserActivity() {
        let activity = userActivity
        userActivity = nil
        activity?.invalidate()
    }
}

/// WatchKit's name for it.
public typealias WKInterfaceController = InterfaceController
