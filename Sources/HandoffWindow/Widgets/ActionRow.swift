// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffWindowModel

/// Texts are not markup.
@MainActor
struct ActionRow {
    let widget: GTKWidget
    private let image: GTKWidget?

    init(title: String = "", details: String = "", icon: Icon? = nil) {
        self.init(prefix: nil, image: icon.map { gtk_image_new_from_icon_name($0.rawValue) })
        show(title: title, details: details)
    }

    init(prefix: GTKWidget) { self.init(prefix: prefix, image: nil) }

    private init(prefix: GTKWidget?, image: GTKWidget?) {
        widget = adw_action_row_new()
        self.image = image
        adw_preferences_row_set_use_markup(row, 0)
        adw_action_row_set_subtitle_lines(action, 0)
        if let first = prefix ?? image { adw_action_row_add_prefix(action, first) }
    }

    private var row: UnsafeMutablePointer<AdwPreferencesRow> { widget.cast(to: AdwPreferencesRow.self) }
    private var action: UnsafeMutablePointer<AdwActionRow> { widget.cast(to: AdwActionRow.self) }

    func show(title: String, details: String, icon: Icon? = nil) {
        adw_preferences_row_set_title(row, title)
        adw_action_row_set_subtitle(action, details)
        name(widget, details.isEmpty ? title : "\(title), \(details)")
        if let icon, let image { gtk_image_set_from_icon_name(image.opaque, icon.rawValue) }
    }

    func add(_ end: GTKWidget) {
        gtk_widget_set_valign(end, GTK_ALIGN_CENTER)
        adw_action_row_add_suffix(action, end)
    }

    func activateNothing() { adw_action_row_set_activatable_widget(action, nil) }

    /// The focus is on the row, not on a small button in it.
    func activateAsAWhole(_ target: GTKWidget, label: String) {
        activate(target, label: label)
        gtk_widget_set_focusable(target, 0)
    }

    /// `label`: the accessible name.
    func activate(_ target: GTKWidget, label: String) {
        adw_action_row_set_activatable_widget(action, target)
        name(target, label)
    }
}

/// The complete accessible name: libadwaita would add the row's title, which would be read twice.
@MainActor
func name(_ widget: GTKWidget, _ label: String) {
    gtk_accessible_reset_relation(widget.opaque, GTK_ACCESSIBLE_RELATION_LABELLED_BY)
    describeGTKWidget(widget, as: label)
}
