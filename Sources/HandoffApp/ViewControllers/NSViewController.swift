// SPDX-License-Identifier: Apache-2.0

/// A view controller with AppKit's hooks, which are not told of animations.
@preconcurrency @MainActor
open class NSViewController: UIViewController {
    /// The view is about to come on the screen.
    open func viewWillAppear() {}
    /// The view is on the screen.
    open func viewDidAppear() {}
    /// The view is about to leave the screen.
    open func viewWillDisappear() {}
    /// The view has left the screen.
    open func viewDidDisappear() {}

    /// What it presents: one at most.
    public final var presentedViewControllers: [NSViewController]? {
        (presentedViewController as? NSViewController).map { [$0] }
    }

    /// Ends its own presentation.
    open func dismiss(_ sender: Any?) {
        presentingViewController?.dismiss(animated: false)
    }

    /// Ends the presentation of that one, if this one presents it.
    open func dismiss(_ viewController: NSViewController) {
        if presentedViewController === viewController { dismiss(animated: false) }
    }

    /// Calls the hook of AppKit, as the other three do.
    public final override func viewWillAppear(_ animated: Bool) { viewWillAppear() }
    public final override func viewDidAppear(_ animated: Bool) { viewDidAppear() }
    public final override func viewWillDisappear(_ animated: Bool) { viewWillDisappear() }
    public final override func viewDidDisappear(_ animated: Bool) { viewDidDisappear() }
}
