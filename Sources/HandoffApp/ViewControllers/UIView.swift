// SPDX-License-Identifier: Apache-2.0

/// What a view controller controls, as far as activities go: where it is. What is drawn is the toolkit's, and may be kept in
/// `content`.
@preconcurrency @MainActor
open class UIView: UIResponder {
    /// The toolkit's own, as a widget.
    open var content: Any?

    /// Whose view it is. Not retained.
    public internal(set) final weak var viewController: UIViewController?

    public override init() { super.init() }

    /// With what the toolkit draws.
    public init(content: Any?) {
        self.content = content
        super.init()
    }

    /// The window that its controller is in.
    public final var window: UIWindow? { viewController?.window }

    /// What was set, else its controller.
    open override var next: UIResponder? { assignedNext ?? viewController }

    override var shownBy: HandoffToolkit? { window?.shownBy }
}

/// AppKit's name for it.
public typealias NSView = UIView
