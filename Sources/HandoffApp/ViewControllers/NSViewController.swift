// SPDX-License-Identifier: Apache-2.0

/// A view controller whose hooks lack `animated`, as in AppKit.
@preconcurrency @MainActor
open class NSViewController: UIViewController {
    /// The view is about to appear.
    open func viewWillAppear() {}
    /// The view has appeared.
    open func viewDidAppear() {}
    /// The view is about to disappear.
    open func viewWillDisappear() {}
    /// The view has disappeared.
    open func viewDidDisappear() {}

    /// The presented controller, if any.
    public final var presentedViewControllers: [NSViewController]? {
        (presentedViewController as? NSViewController).map { [$0] }
    }

    /// Ends this controller's presentation.
    open func dismiss(_ sender: Any?) {
        presentingViewController?.dismiss(animated: false)
    }

    /// Ends the presentation of `viewController` by this controller.
    open func dismiss(_ viewController: NSViewController) {
        if presentedViewController === viewController { dismiss(animated: false) }
    }

    /// Calls AppKit's hook, like the three methods below.
    public final override func viewWillAppear(_ animated: Bool) { viewWillAppear() }
    public final override func viewDidAppear(_ animated: Bool) { viewDidAppear() }
    public final override func viewWillDisappear(_ animated: Bool) { viewWillDisappear() }
    public final override func viewDidDisappear(_ animated: Bool) { viewDidDisappear() }
}
