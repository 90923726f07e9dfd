// SPDX-License-Identifier: Apache-2.0

/// A view of a declarative toolkit, with SwiftUI's modifiers for activities and external events. ``UIWindow`` conforms.
///
/// A toolkit applies the modifiers to a view's node, which conforms, at each rebuild. Declaring the same view and type
/// again replaces the declaration. For an example see <doc:DeclarativeHooks>.
@preconcurrency @MainActor
public protocol HandoffDeclaredView {
    /// Distinguishes the view from others of the same lifetime. Constant.
    var viewIdentity: AnyHashable { get }
    /// Views that appear and disappear together may share one.
    var viewLifetime: HandoffViewLifetime { get }
}

/// The lifetime of views, retained by their owner. The declarations end when it is released or its window is closed; an
/// action that retains it or its node delays the former.
@preconcurrency @MainActor
public final class HandoffViewLifetime {
    /// Without a window.
    private var unplaced = WindowHooks.Table()
    private var isOver = false

    /// Not retained. Declarations move with the views, and wait without a window.
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

    /// Ends the lifetime, as releasing it does. Later declarations have no effect.
    public func end() {
        isOver = true
        let unplaced = unplaced
        self.unplaced = WindowHooks.Table()
        withExtendedLifetime((unplaced, window?.hooks.take(from: self))) {}
    }

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

/// A window acts as a view until closed. Declarations wait until it is opened.
extension UIWindow: HandoffDeclaredView {
    public final var viewIdentity: AnyHashable { ObjectIdentifier(self) }
    public final var viewLifetime: HandoffViewLifetime { hooks.ownLifetime }
}
