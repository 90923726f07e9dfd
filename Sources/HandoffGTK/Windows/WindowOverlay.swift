// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import HandoffGTKCalls

/// Over a window's content: progress at the bottom, a message at the top.
@MainActor
final class WindowOverlay {
    private unowned let owner: GTKWindow
    private let overlay: GTKWidget = gtk_overlay_new()
    private let progress: (revealer: GTKWidget, spinner: OpaquePointer, label: OpaquePointer)
    private let message: (revealer: GTKWidget, label: OpaquePointer)

    init(in owner: GTKWindow) {
        self.owner = owner
        Self.style
        progress = Self.progressPart()
        let close: GTKWidget = gtk_button_new_from_icon_name("window-close-symbolic")
        message = Self.messagePart(close)
        g_object_ref_sink(overlay.raw)
        // libadwaita's content includes the title bar, which must stay accessible.
        if property == "content" { gtk_widget_set_valign(message.revealer, GTK_ALIGN_END) }
        for part in [progress.revealer, message.revealer] { gtk_overlay_add_overlay(overlay.opaque, part) }
        onGTKSignal("clicked", of: close.raw) { [weak self] _ in self?.showMessage(nil) }
    }

    isolated deinit { g_object_unref(overlay.raw) }

    // MARK: Content

    var content: GTKWidget? {
        get { isInPlace ? gtk_overlay_get_child(overlay.opaque) : windowContent }
        set {
            takeContent()
            gtk_overlay_set_child(overlay.opaque, newValue)
        }
    }

    /// The focus does not change.
    func takeContent() {
        guard !isInPlace else { return }
        let focus = gtk_window_get_focus(owner.window)
        let content = windowContent
        if let content { g_object_ref(content.raw) }
        windowContent = nil
        gtk_overlay_set_child(overlay.opaque, content)
        if let content { g_object_unref(content.raw) }
        windowContent = overlay
        if let focus { gtk_window_set_focus(owner.window, focus) }
    }

    private var isInPlace: Bool { windowContent == overlay }

    /// libadwaita's windows reject a child.
    private var property: String { hasProperty("content", owner.window.raw) ? "content" : "child" }

    private var windowContent: GTKWidget? {
        get {
            var value = GValue()
            g_value_init(&value, gtk_widget_get_type())
            defer { g_value_unset(&value) }
            g_object_get_property(owner.window.cast(to: GObject.self), property, &value)
            return g_value_get_object(&value).map {
                UnsafeMutableRawPointer($0).assumingMemoryBound(to: GtkWidget.self)
            }
        }
        set { setProperty(property, of: owner.window.raw, to: newValue) }
    }

    // MARK: Display

    func showProgress(_ text: String?) {
        takeContent()
        if let text {
            gtk_label_set_text(progress.label, text)
            gtk_spinner_start(progress.spinner)
        } else {
            gtk_spinner_stop(progress.spinner)
        }
        gtk_revealer_set_reveal_child(progress.revealer.opaque, text == nil ? 0 : 1)
    }

    func showMessage(_ text: String?) {
        takeContent()
        if let text { gtk_label_set_text(message.label, text) }
        gtk_revealer_set_reveal_child(message.revealer.opaque, text == nil ? 0 : 1)
    }

    // MARK: Parts

    private static func progressPart() -> (revealer: GTKWidget, spinner: OpaquePointer, label: OpaquePointer) {
        let (spinner, label): (GTKWidget, GTKWidget) = (gtk_spinner_new(), gtk_label_new(""))
        let revealer = part([spinner, label], GTK_REVEALER_TRANSITION_TYPE_CROSSFADE, style: "handoff-progress")
        gtk_widget_set_halign(revealer, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(revealer, GTK_ALIGN_END)
        // The content stays usable.
        gtk_widget_set_can_target(revealer, 0)
        return (revealer, spinner.opaque, label.opaque)
    }

    private static func messagePart(_ close: GTKWidget) -> (revealer: GTKWidget, label: OpaquePointer) {
        let label: GTKWidget = gtk_label_new("")
        gtk_label_set_wrap(label.opaque, 1)
        gtk_label_set_xalign(label.opaque, 0)
        gtk_widget_set_hexpand(label, 1)
        gtk_widget_add_css_class(close, "flat")
        describeGTKWidget(close, as: "Close the message")
        let revealer = part([label, close], GTK_REVEALER_TRANSITION_TYPE_SLIDE_DOWN, style: "handoff-message")
        gtk_widget_set_valign(revealer, GTK_ALIGN_START)
        return (revealer, label.opaque)
    }

    private static func part(_ children: [GTKWidget], _ transition: GtkRevealerTransitionType, style: String)
        -> GTKWidget
    {
        let (revealer, box): (GTKWidget, GTKWidget) = (gtk_revealer_new(), gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12))
        for child in children { gtk_box_append(box.cast(to: GtkBox.self), child) }
        gtk_widget_add_css_class(box, style)
        gtk_revealer_set_transition_type(revealer.opaque, transition)
        gtk_revealer_set_child(revealer.opaque, box)
        return revealer
    }

    /// Readable on every theme.
    private static let style: Void = {
        let sheet = """
            .handoff-progress { margin: 18px; padding: 12px 24px; border-radius: 24px;
                background-color: rgba(0, 0, 0, 0.8); color: white; font-weight: bold; }
            .handoff-message { padding: 6px 12px; background-color: #f5c211; color: black; }
            """
        let provider = gtk_css_provider_new()
        gtk_css_provider_load_from_data(provider, sheet, -1)
        gtk_style_context_add_provider_for_display(
            gdk_display_get_default(), provider?.opaque, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    }()
}
#endif
