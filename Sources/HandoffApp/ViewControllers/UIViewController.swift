// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Controls a view, and perhaps others that are its children or that it presents. The view itself is the toolkit's, which
/// tells through ``HandoffToolkit`` when it appeared and when it left the screen.
@preconcurrency @MainActor
open class UIViewController: UIResponder {
    weak var holdingWindow: UIWindow?
    var presence = ViewPresence.hidden
    private var loadedView: UIView?
    private var isLoading = false

    /// Shown to the user by the toolkit.
    open var title: String?

    /// In no tree and no window.
    public override init() { super.init() }

    /// As UIKit and AppKit have it. There are no nibs on Linux: both arguments are without effect.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

    // MARK: The view

    /// What stands for what the toolkit draws. Asking for it loads it.
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set {
            if loadedView?.viewController === self { loadedView?.viewController = nil }
            loadedView = newValue
            newValue?.viewController = self
            isViewLoaded = true
        }
    }

    /// Nil while it is not loaded.
    public final var viewIfLoaded: UIView? { loadedView }

    /// Whether `viewDidLoad()` was called, or `view` was set.
    public private(set) final var isViewLoaded = false

    /// Loads it before it appears for the first time.
    public final func loadViewIfNeeded() {
        guard !isViewLoaded, !isLoading else { return }
        isLoading = true
        loadView()
        isLoading = false
        isViewLoaded = true
        viewDidLoad()
    }

    /// Makes the view and sets `view`. The default makes a plain one.
    open func loadView() { view = UIView() }
    /// Called once, before the view appears for the first time.
    open func viewDidLoad() {}
    /// The view is about to come on the screen; a transition may be running.
    open func viewWillAppear(_ animated: Bool) {}
    /// The view is on the screen.
    open func viewDidAppear(_ animated: Bool) {}
    /// The view is about to leave the screen.
    open func viewWillDisappear(_ animated: Bool) {}
    /// The view has left the screen.
    open func viewDidDisappear(_ animated: Bool) {}

    /// Whether the view is on the screen, and no transition of it is running.
    public final var isViewShown: Bool { presence == .shown }

    // MARK: The tree

    /// Whose child it is. Not retained.
    public private(set) final weak var parent: UIViewController?
    /// The last one is in front.
    public private(set) final var children: [UIViewController] = []

    /// Puts the controller in front of the other children. It leaves the parent that it had. One that this controller itself
    /// is below of is not taken.
    open func addChild(_ child: UIViewController) {
        guard child.parent !== self, !isBelow(child) else { return }
        child.removeFromParent()
        child.willMove(toParent: self)
        child.parent = self
        children.append(child)
        shownBy?.viewsChanged()
    }

    /// Ends being a child, and is off the screen as far as activities go.
    open func removeFromParent() {
        guard let parent else { return }
        let toolkit = shownBy
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
        toolkit?.viewsChanged()
    }

    /// Called by `addChild(_:)`; the app calls it with nil before it takes the controller from its parent.
    open func willMove(toParent parent: UIViewController?) {}
    /// Called by `removeFromParent()`; the app calls it when the controller came to its parent.
    open func didMove(toParent parent: UIViewController?) {}

    // MARK: Presenting

    /// What this one presents.
    public private(set) final var presentedViewController: UIViewController?
    /// Who presents this one.
    public private(set) final weak var presentingViewController: UIViewController?

    /// Presents the controller in front of this one, unless this one presents another already. Bringing its view on the
    /// screen is the toolkit's: a subclass does it, then calls super.
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {
        guard presentedViewController == nil, viewControllerToPresent.presentingViewController == nil,
            !isBelow(viewControllerToPresent)
        else { return }
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = self
        shownBy?.viewsChanged()
        completion?()
    }

    /// Ends what this one presents; where it presents nothing, its own presentation.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        guard let presented = presentedViewController else {
            guard let presentingViewController else { return }
            return presentingViewController.dismiss(animated: flag, completion: completion)
        }
        presented.presentingViewController = nil
        presentedViewController = nil
        shownBy?.viewsChanged()
        completion?()
    }

    // MARK: Where it is

    /// The window that it is in: its own, or that of its parent or of who presents it.
    public final var window: UIWindow? {
        var seen: Set<ObjectIdentifier> = []
        var controller: UIViewController? = self
        while let current = controller, seen.insert(ObjectIdentifier(current)).inserted {
            if let window = current.holdingWindow { return window }
            controller = current.parent ?? current.presentingViewController
        }
        return nil
    }

    /// What was set, else its parent, else who presents it, else its window.
    open override var next: UIResponder? {
        assignedNext ?? parent ?? presentingViewController ?? holdingWindow
    }

    override var shownBy: HandoffToolkit? { window?.shownBy }

    /// Whether `other` is this one, or stands above it.
    private func isBelow(_ other: UIViewController) -> Bool {
        var seen: Set<ObjectIdentifier> = []
        var above: [UIViewController] = [self]
        while let controller = above.popLast() {
            if controller === other { return true }
            guard seen.insert(ObjectIdentifier(controller)).inserted else { continue }
            above += [controller.parent, controller.presentingViewController].compactMap { $0 }
        }
        return false
    }
}
