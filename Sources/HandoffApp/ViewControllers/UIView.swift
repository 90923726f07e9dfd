// SPDX-License-Identifier: Apache-2.0

/// A view controller's view, with its position in the responder chain. The toolkit draws; its object may be stored in
/// `content`.
@preconcurrency @MainActor
open class UIView: UIResponder {
    /// The toolkit's object, such as a widget.
    open var content: Any?

    /// The controller of the view. Not retained.
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
