// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import HandoffGTKCalls
public import HandoffApp

/// A view controller for a widget and its descendants.
///
/// While the widget has the focus, the controller is the window's first responder, and its `userActivity` the first
/// choice. It is notified when the widget appears and disappears.
///
/// A subclass creates the widget in `loadView()` and sets `widget`; or pass an existing widget.
@preconcurrency @MainActor
open class GTKViewController: UIViewController {
    private static let key = "handoff-view-controller"
    /// Retained.
    private var followed: GTKWidget?

    /// `loadView()` creates the widget.
    public override init() { super.init() }

    /// Uses this widget. `viewDidLoad()` is not called.
    public convenience init(_ widget: GTKWidget) {
        self.init()
        self.widget = widget
    }

    isolated deinit { follow(nil) }

    /// Represents the widget, its `content`.
    open override var view: UIView! {
        get { super.view }
        set {
            super.view = newValue
            follow(newValue?.content as? GTKWidget)
        }
    }

    /// The content of `view`, loaded if necessary. Empty if `loadView()` creates none.
    public final var widget: GTKWidget {
        get {
            if let widget = view.content as? GTKWidget { return widget }
            let empty: GTKWidget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            view = UIView(content: empty)
            return empty
        }
        set { view = UIView(content: newValue) }
    }

    /// The widget's, or its nearest ancestor's.
    static func controller(of widget: GTKWidget?) -> GTKViewController? {
        var widget = widget
        while let current = widget {
            if let controller = g_object_get_data(current.cast(to: GObject.self), key) {
                return Unmanaged<GTKViewController>.fromOpaque(controller).takeUnretainedValue()
            }
            widget = gtk_widget_get_parent(current)
        }
        return nil
    }

    private func follow(_ widget: GTKWidget?) {
        guard followed != widget else { return }
        if let followed {
            if Self.controller(of: followed) === self {
                g_object_set_data(followed.cast(to: GObject.self), Self.key, nil)
            }
            g_object_unref(followed.raw)
        }
        followed = widget
        guard let widget else { return }
        g_object_ref_sink(widget.raw)
        g_object_set_data(widget.cast(to: GObject.self), Self.key, Unmanaged.passUnretained(self).toOpaque())
        // The widget may have another controller later.
        onGTKSignal("map", of: widget.raw) { [weak self] _ in
            guard let self, followed == widget else { return }
            UIApplication.shared.toolkit.viewDidAppear(self)
        }
        onGTKSignal("unmap", of: widget.raw) { [weak self] _ in
            guard let self, followed == widget else { return }
            UIApplication.shared.toolkit.viewDidDisappear(self)
        }
    }
}
#endif
