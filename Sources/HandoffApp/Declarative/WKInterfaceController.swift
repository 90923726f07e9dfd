// SPDX-License-Identifier: Apache-2.0

public import Handoff

/// A screen of a small client that offers activities and continues none, as WatchKit has it. What it offers goes by way of
/// this device to the user's others.
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
open class WKInterfaceController: UIViewController {
    // MARK: Its life, as a toolkit tells it of the view

    /// Called once, before it appears for the first time; `context` is nil, as no storyboard presents it.
    open func awake(withContext context: Any?) {}
    /// It is about to be seen.
    open func willActivate() {}
    /// It is on the screen.
    open func didAppear() {}
    /// It is about to leave the screen.
    open func willDisappear() {}
    /// It has left the screen.
    open func didDeactivate() {}

    /// Sets `title`.
    public final func setTitle(_ title: String?) { self.title = title }

    open override func viewDidLoad() {
        super.viewDidLoad()
        awake(withContext: nil)
    }

    open override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        willActivate()
    }

    open override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        didAppear()
    }

    open override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        willDisappear()
    }

    open override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        didDeactivate()
    }

    // MARK: Its activity

    /// Offers the activity in the place of the one before, which ends. In a window it is current while the controller is what
    /// counts there (``HandoffCurrentActivityRule``); a client without windows has it current at once. It is retained, and ends with
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
