// SPDX-License-Identifier: Apache-2.0

/// A view of a declarative toolkit, with its identity and lifetime. Conforming types have SwiftUI's modifiers for
/// activities and external events; a ``UIWindow`` conforms.
///
/// A declarative toolkit rebuilds its views after each change and keeps a node for each of them. The node conforms, and
/// the modifiers are applied to it each time the view is rebuilt. A new declaration of the same view and type replaces
/// the previous one.
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
    /// Distinguishes the view from others of the same lifetime. It must not change while the view exists.
    var viewIdentity: AnyHashable { get }
    /// The lifetime and the window of the view. Views that appear and disappear together may share one.
    var viewLifetime: HandoffViewLifetime { get }
}

/// The lifetime of one or more views, and their window. The owner of the views retains it. When it is released or its
/// window is closed, the views' declarations end. An action that retains it, or retains the node that does, keeps it
/// alive until the window is closed.
@preconcurrency @MainActor
public final class HandoffViewLifetime {
    /// Declarations without a window.
    private var unplaced = WindowHooks.Table()
    private var isOver = false

    /// The window that contains the views. Not retained. Without a window, for example before the toolkit has placed
    /// the views, declarations wait. They move with the views to another window.
    public weak var window: UIWindow? {
        didSet {
            guard oldValue !== window, !isOver else { return }
            let declared = oldValue?.hooks.take(from: self) ?? unplaced
            unplaced = window == nil ? declared : WindowHooks.Table()
            window?.hooks.add(declared)
        }
    }

    /// Begins the lifetime.
    public init(in window: UIWindow? = nil) { self.window = window }

    isolated deinit { end() }

    /// Ends the lifetime, as releasing it does. Later declarations of its views have no effect.
    public func end() {
        isOver = true
        let unplaced = unplaced
        self.unplaced = WindowHooks.Table()
        withExtendedLifetime((unplaced, window?.hooks.take(from: self))) {}
    }

    /// `type`: the type that the change starts or stops advertising.
    func change(advertising type: String? = nil, _ body: (inout WindowHooks.Table) -> Void) {
        guard !isOver else { return }
        if let window { return window.hooks.change(advertising: type, body) }
        let before = unplaced
        var declared = before
        body(&declared)
        unplaced = declared
        // An old action may own a view's lifetime, whose `deinit` reads the table.
        withExtendedLifetime(before) {}
    }
}

struct ViewReference: Hashable {
    let lifetime: ObjectIdentifier
    let identity: AnyHashable

    @MainActor
    init(_ view: some HandoffDeclaredView) {
        lifetime = ObjectIdentifier(view.viewLifetime)
        identity = view.viewIdentity
    }
}

/// A window acts as a view until it is closed. Declarations wait until it is opened.
extension UIWindow: HandoffDeclaredView {
    public final var viewIdentity: AnyHashable { ObjectIdentifier(self) }
    public final var viewLifetime: HandoffViewLifetime { hooks.ownLifetime }
}
