// SPDX-License-Identifier: Apache-2.0

/// Manages a window and the document shown in it.
@preconcurrency @MainActor
open class NSWindowController: UIResponder {
    /// Retained.
    open var window: UIWindow? {
        didSet {
            guard oldValue !== window else { return }
            if oldValue?.windowController === self { oldValue?.windowController = nil }
            window?.windowController = self
        }
    }

    /// Not retained; it retains its window controllers.
    public internal(set) final weak var document: HandoffDocument? {
        didSet { shownBy?.chainChanged() }
    }

    /// Creates a controller without a window.
    public override init() { super.init() }

    /// Creates the controller of this window.
    public init(window: UIWindow?) {
        super.init()
        self.window = window
        // `didSet` does not run in an initializer.
        window?.windowController = self
    }

    /// The window's root controller.
    public final var contentViewController: UIViewController? {
        get { window?.rootViewController }
        set { window?.rootViewController = newValue }
    }

    /// Opens the window in front of the others.
    open func showWindow(_ sender: Any?) { window?.makeKeyAndOrderFront(sender) }

    /// Closes the window, and the document with its last window.
    open func close() {
        guard let window, window.isOpen else { return windowWasClosed() }
        window.close()
    }

    func windowWasClosed() { document?.windowWasClosed(of: self) }

    override var shownBy: HandoffToolkit? { window?.shownBy }
}
