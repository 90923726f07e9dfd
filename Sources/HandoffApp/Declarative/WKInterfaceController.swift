// SPDX-License-Identifier: Apache-2.0

public import Handoff

/// A screen that offers activities but continues none, as in WatchKit.
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
    // MARK: View lifecycle, as reported by the toolkit

    /// Called once, before the view first appears. `context` is nil: Linux has no storyboards.
    open func awake(withContext context: Any?) {}
    /// The view is about to appear.
    open func willActivate() {}
    /// The view has appeared.
    open func didAppear() {}
    /// The view is about to disappear.
    open func willDisappear() {}
    /// The view has disappeared.
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

    // MARK: Activity

    /// Offers the activity in place of the previous one, which ends. Retained. In a window, it is current while
    /// ``HandoffCurrentActivityRule`` selects the controller; without windows, at once.
    open func update(_ userActivity: NSUserActivity) {
        // First, so that other devices see no gap.
        if window == nil { userActivity.becomeCurrent() }
        self.userActivity = userActivity
    }

    /// Ends the activity, also for its other owners.
    open func invalidateUserActivity() {
        let activity = userActivity
        userActivity = nil
        activity?.invalidate()
    }
}
