// SPDX-License-Identifier: Apache-2.0

/// A controller's view in the responder chain. The toolkit draws it.
@preconcurrency @MainActor
open class UIView: UIResponder {
    /// The toolkit's object, such as a widget.
    open var content: Any?

    /// Not retained.
    public internal(set) final weak var viewController: UIViewController?

    public override init() { super.init() }

    /// Creates a view with the toolkit's object.
    public init(content: Any?) {
        self.content = content
        super.init()
    }

    /// The controller's window.
    public final var window: UIWindow? { viewController?.window }

    /// The assigned next responder, or else the controller.
    open override var next: UIResponder? { assignedNext ?? viewController }

    override var shownBy: HandoffToolkit? { window?.shownBy }
}

/// AppKit's name.
public typealias NSView = UIView
