// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel

@MainActor
func makeBox(_ orientation: GtkOrientation, spacing: Int = 0, _ children: [GTKWidget]) -> GTKWidget {
    let box: GTKWidget = gtk_box_new(orientation, gint(spacing))
    for child in children { gtk_box_append(box.cast(to: GtkBox.self), child) }
    return box
}

/// `styles`: libadwaita's classes.
@MainActor
func makeLabel(_ text: String = "", styles: [String] = []) -> GTKWidget {
    let label: GTKWidget = gtk_label_new(text)
    gtk_label_set_wrap(label.opaque, 1)
    gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
    gtk_label_set_justify(label.opaque, GTK_JUSTIFY_CENTER)
    for style in styles { gtk_widget_add_css_class(label, style) }
    return label
}

@MainActor
func makeButton(
    _ title: String, styles: [String] = [], _ pressed: @escaping @MainActor () -> Void
) -> GTKWidget {
    let button: GTKWidget = gtk_button_new_with_label(title)
    for style in styles { gtk_widget_add_css_class(button, style) }
    onGTKSignal("clicked", of: button.raw) { _ in pressed() }
    return button
}

/// `label`: tooltip and accessible name.
@MainActor
func makeButton(icon: Icon, label: String, _ pressed: @escaping @MainActor () -> Void) -> GTKWidget {
    let button: GTKWidget = gtk_button_new_from_icon_name(icon.rawValue)
    gtk_widget_add_css_class(button, "flat")
    gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
    gtk_widget_set_tooltip_text(button, label)
    describeGTKWidget(button, as: label)
    onGTKSignal("clicked", of: button.raw) { _ in pressed() }
    return button
}

@MainActor
func clamped(_ content: GTKWidget, to width: Int = 400) -> GTKWidget {
    let clamp: GTKWidget = adw_clamp_new()
    adw_clamp_set_maximum_size(clamp.opaque, gint(width))
    adw_clamp_set_child(clamp.opaque, content)
    for set in [gtk_widget_set_margin_start, gtk_widget_set_margin_end, gtk_widget_set_margin_top] { set(clamp, 12) }
    gtk_widget_set_margin_bottom(clamp, 24)
    return clamp
}

/// Side by side, or below each other if the width is too small.
@MainActor
func makeButtonRow(_ buttons: [GTKWidget]) -> GTKWidget {
    let row: GTKWidget = gtk_flow_box_new()
    gtk_flow_box_set_selection_mode(row.opaque, GTK_SELECTION_NONE)
    gtk_flow_box_set_max_children_per_line(row.opaque, guint(buttons.count))
    gtk_flow_box_set_column_spacing(row.opaque, 6)
    gtk_flow_box_set_row_spacing(row.opaque, 6)
    gtk_flow_box_set_homogeneous(row.opaque, 1)
    for button in buttons {
        gtk_flow_box_insert(row.opaque, button, -1)
        // Only the button takes the focus, not its place.
        gtk_widget_set_focusable(gtk_widget_get_parent(button), 0)
    }
    return row
}

@MainActor
func makeStatusPage(_ title: String, _ text: String, icon: Icon?, child: GTKWidget? = nil) -> GTKWidget {
    let page: GTKWidget = adw_status_page_new()
    adw_status_page_set_title(page.opaque, title)
    adw_status_page_set_description(page.opaque, escaped(text))
    if let icon { adw_status_page_set_icon_name(page.opaque, icon.rawValue) }
    if let child { adw_status_page_set_child(page.opaque, child) }
    gtk_widget_set_vexpand(page, 1)
    return page
}

func escaped(_ text: String) -> String {
    guard let escaped = g_markup_escape_text(text, -1) else { return "" }
    defer { g_free(escaped) }
    return String(cString: escaped)
}

/// Shows one named child. The others are hidden too: GTK 4.8 reports them to screen readers.
@MainActor
func turn(_ stack: GTKWidget, to name: String, of names: [String]) {
    for other in names {
        guard let child = gtk_stack_get_child_by_name(stack.opaque, other) else { continue }
        gtk_widget_set_visible(child, other == name ? 1 : 0)
    }
    gtk_stack_set_visible_child_name(stack.opaque, name)
}
