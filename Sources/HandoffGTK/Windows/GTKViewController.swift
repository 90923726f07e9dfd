// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import HandoffGTKCalls
public import HandoffApp

/// A view controller for a widget, with what is in it.
///
/// While the focus is in the widget, or in what is in it, the controller is the window's first responder: with its
/// `userActivity` the framework begins to look for the one that is current. When the widget comes on the screen and when it
/// leaves it, as a page of a stack or with its window, the controller hears of it.
///
/// A subclass makes the widget in `loadView()` and sets `widget`, or the controller is made for one that is there.
@preconcurrency @MainActor
open class GTKViewController: UIViewController {
    private static let key = "handoff-view-controller"
    /// Retained.
    private var followed: GTKWidget?

    /// Its widget is made by `loadView()`.
    public override init() { super.init() }

    /// For this widget. `viewDidLoad()` is not called for it.
    public convenience init(_ widget: GTKWidget) {
        self.init()
        self.widget = widget
    }

    isolated deinit { follow(nil) }

    /// Stands for the widget, which is its `content`.
    open override var view: UIView! {
        get { super.view }
        set {
            super.view = newValue
            follow(newValue?.content as? GTKWidget)
        }
    }

    /// The content of `view`, loaded. An empty one where `loadView()` has made none.
    public final var widget: GTKWidget {
        get {
            if let widget = view.content as? GTKWidget { return widget }
            let empty: GTKWidget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            view = UIView(content: empty)
            return empty
        }
        set { view = UIView(content: newValue) }
    }

    /// The controller of the widget, or the nearest one around it.
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
        // Whoever has the widget later may be another controller.
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
