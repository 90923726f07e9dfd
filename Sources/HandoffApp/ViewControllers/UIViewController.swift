// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Controls a view, child controllers and a presented controller. The toolkit draws the view and reports through
/// ``HandoffToolkit`` when it appears.
@preconcurrency @MainActor
open class UIViewController: UIResponder {
    weak var holdingWindow: UIWindow?
    var presence = ViewPresence.hidden
    private var loadedView: UIView?
    private var isLoading = false

    /// Displayed by the toolkit.
    open var title: String?

    /// Creates a controller without a parent or window.
    public override init() { super.init() }

    /// The arguments have no effect, because Linux has no nibs.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

    // MARK: The view

    /// Represents the toolkit's view. Reading it loads the view.
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

    /// Nil until the view is loaded.
    public final var viewIfLoaded: UIView? { loadedView }

    /// Whether `viewDidLoad()` was called or `view` was set.
    public private(set) final var isViewLoaded = false

    /// Called before the view first appears.
    public final func loadViewIfNeeded() {
        guard !isViewLoaded, !isLoading else { return }
        isLoading = true
        loadView()
        isLoading = false
        isViewLoaded = true
        viewDidLoad()
    }

    /// Sets `view`; by default to a plain ``UIView``.
    open func loadView() { view = UIView() }
    /// Called once, before the view first appears.
    open func viewDidLoad() {}
    /// The view is about to appear.
    open func viewWillAppear(_ animated: Bool) {}
    /// The view has appeared.
    open func viewDidAppear(_ animated: Bool) {}
    /// The view is about to disappear.
    open func viewWillDisappear(_ animated: Bool) {}
    /// The view has disappeared.
    open func viewDidDisappear(_ animated: Bool) {}

    /// Whether the view is visible, with no transition running.
    public final var isViewShown: Bool { presence == .shown }

    // MARK: The tree

    /// Not retained.
    public private(set) final weak var parent: UIViewController?
    /// The last child is in front.
    public private(set) final var children: [UIViewController] = []

    /// Adds the controller in front of the other children; it leaves its previous parent. Ancestors are ignored.
    open func addChild(_ child: UIViewController) {
        guard child.parent !== self, !isBelow(child) else { return }
        child.removeFromParent()
        child.willMove(toParent: self)
        child.parent = self
        children.append(child)
        shownBy?.viewsChanged()
    }

    /// Leaves the parent. For activities, the controller is then hidden.
    open func removeFromParent() {
        guard let parent else { return }
        let toolkit = shownBy
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
        toolkit?.viewsChanged()
    }

    /// Called by `addChild(_:)`. Call it with nil before removal.
    open func willMove(toParent parent: UIViewController?) {}
    /// Called by `removeFromParent()`. Call it after addition.
    open func didMove(toParent parent: UIViewController?) {}

    // MARK: Presenting

    /// Retained.
    public private(set) final var presentedViewController: UIViewController?
    /// Not retained.
    public private(set) final weak var presentingViewController: UIViewController?

    /// Presents a controller, unless this already presents another. To show it in a toolkit, override this and call
    /// super.
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

    /// Ends the presentation by this controller, or else its own.
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

    // MARK: Window

    /// Its own window, or that of its parent or presenter.
    public final var window: UIWindow? {
        var seen: Set<ObjectIdentifier> = []
        var controller: UIViewController? = self
        while let current = controller, seen.insert(ObjectIdentifier(current)).inserted {
            if let window = current.holdingWindow { return window }
            controller = current.parent ?? current.presentingViewController
        }
        return nil
    }

    /// The assigned next responder, or else the parent, presenter or window.
    open override var next: UIResponder? {
        assignedNext ?? parent ?? presentingViewController ?? holdingWindow
    }

    override var shownBy: HandoffToolkit? { window?.shownBy }

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
