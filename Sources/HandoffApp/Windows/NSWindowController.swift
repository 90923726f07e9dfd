// SPDX-License-Identifier: Apache-2.0

/// Holds a window, and the document that is shown in it.
@preconcurrency @MainActor
open class NSWindowController: UIResponder {
    /// Retained. Nil until a subclass or the app made one.
    open var window: UIWindow? {
        didSet {
            guard oldValue !== window else { return }
            if oldValue?.windowController === self { oldValue?.windowController = nil }
            window?.windowController = self
        }
    }

    /// What the window shows. Not retained; the document retains its window controllers. Set by
    /// ``HandoffDocument/addWindowController(_:)``.
    public internal(set) final weak var document: HandoffDocument? {
        didSet { shownBy?.chainChanged() }
    }

    /// Without a window; it may get one later.
    public override init() { super.init() }

    /// With this window, whose controller it is from now on.
    public init(window: UIWindow?) {
        super.init()
        self.window = window
        // Observers are not called in an initializer.
        window?.windowController = self
    }

    /// The controller of all that is in the window.
    public final var contentViewController: UIViewController? {
        get { window?.rootViewController }
        set { window?.rootViewController = newValue }
    }

    /// Opens the window in front of the others.
    open func showWindow(_ sender: Any?) { window?.makeKeyAndOrderFront(sender) }

    /// Closes the window, and the document if it was its last one.
    open func close() {
        guard let window, window.isOpen else { return windowWasClosed() }
        window.close()
    }

    func windowWasClosed() { document?.windowWasClosed(of: self) }

    override var shownBy: HandoffToolkit? { window?.shownBy }
}
