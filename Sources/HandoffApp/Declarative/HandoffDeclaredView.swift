// SPDX-License-Identifier: Apache-2.0

/// A view of a declarative toolkit, as far as activities go: which one it is, and for how long it is there. Whatever conforms
/// has SwiftUI's modifiers for activities and events from outside; a ``UIWindow`` does.
///
/// A declarative toolkit makes its views anew with each change, and keeps a node for each of them. The node conforms, and the
/// modifiers are applied to it again each time the view is made anew: what the same view declares with the same type takes the
/// place of what it declared before.
///
/// ```swift
/// final class Node: HandoffDeclaredView {
///     let viewIdentity: AnyHashable
///     let viewLifetime: HandoffViewLifetime
///
///     init(_ identity: AnyHashable, in window: UIWindow) {
///         viewIdentity = identity
///         viewLifetime = HandoffViewLifetime(in: window)
///     }
/// }
/// ```
@preconcurrency @MainActor
public protocol HandoffDeclaredView {
    /// Tells the view from others of the same lifetime, and is the same for as long as it is the same view.
    var viewIdentity: AnyHashable { get }
    /// For how long the view is there, and in which window. Views that come and go together may share one.
    var viewLifetime: HandoffViewLifetime { get }
}

/// For how long one or several views are there, and in which window. Whoever keeps the views keeps it; when it is let go of,
/// or its window is closed, what the views have declared is over. An action that holds on to it, or to the node that keeps
/// it, keeps it there until the window is closed.
@preconcurrency @MainActor
public final class HandoffViewLifetime {
    /// What is declared while there is no window.
    private var unplaced = WindowHooks.Table()
    private var isOver = false

    /// The window that the views are in. Not retained. Without one, as before the toolkit has placed them, what they declare
    /// waits; it goes along from one window to another.
    public weak var window: UIWindow? {
        didSet {
            guard oldValue !== window, !isOver else { return }
            let declared = oldValue?.hooks.take(from: self) ?? unplaced
            unplaced = window == nil ? declared : WindowHooks.Table()
            window?.hooks.add(declared)
        }
    }

    /// Begins now.
    public init(in window: UIWindow? = nil) { self.window = window }

    isolated deinit { end() }

    /// The views are gone. What they declare after this has no effect. Letting go of the lifetime does the same.
    public func end() {
        isOver = true
        let unplaced = unplaced
        self.unplaced = WindowHooks.Table()
        withExtendedLifetime((unplaced, window?.hooks.take(from: self))) {}
    }

    /// `type`: what the change advertises, or advertises no more.
    func change(advertising type: String? = nil, _ body: (inout WindowHooks.Table) -> Void) {
        guard !isOver else { return }
        if let window { return window.hooks.change(advertising: type, body) }
        let before = unplaced
        var declared = before
        body(&declared)
        unplaced = declared
        // What goes with an action of before may be a view's lifetime, which looks at the table.
        withExtendedLifetime(before) {}
    }
}

/// One view among all of a window.
struct ViewReference: Hashable {
    let lifetime: ObjectIdentifier
    let identity: AnyHashable

    @MainActor
    init(_ view: some HandoffDeclaredView) {
        lifetime = ObjectIdentifier(view.viewLifetime)
        identity = view.viewIdentity
    }
}

/// A window is there as a view until it is closed. What is declared of one that is not open waits until it is opened.
extension UIWindow: HandoffDeclaredView {
    public final var viewIdentity: AnyHashable { ObjectIdentifier(self) }
    public final var viewLifetime: HandoffViewLifetime { hooks.ownLifetime }
}
