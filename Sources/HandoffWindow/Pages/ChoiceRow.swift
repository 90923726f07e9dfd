// SPDX-License-Identifier: Apache-2.0

import CAdwaita
import CGTK
import HandoffGTKCalls
import HandoffWindowModel

@MainActor
final class ChoiceRow {
    let widget: GTKWidget = adw_combo_row_new()
    private var line: ChoiceLine
    private var isShowing = false

    init(_ line: ChoiceLine, chose: @escaping @MainActor (ChoiceLine, Int) -> Void) {
        self.line = line
        adw_preferences_row_set_use_markup(widget.cast(to: AdwPreferencesRow.self), 0)
        adw_action_row_set_subtitle_lines(widget.cast(to: AdwActionRow.self), 0)
        if let titles = gtk_string_list_new(nil) {
            for title in line.titles { gtk_string_list_append(titles, title) }
            isShowing = true
            adw_combo_row_set_model(combo, titles)
            isShowing = false
            g_object_unref(titles.raw)
        }
        onGTKSignal("notify::selected", of: widget.raw) { [weak self] _ in
            guard let self, !isShowing else { return }
            chose(self.line, Int(adw_combo_row_get_selected(combo)))
        }
    }

    private var combo: UnsafeMutablePointer<AdwComboRow> { widget.cast(to: AdwComboRow.self) }

    func show(_ line: ChoiceLine) {
        self.line = line
        adw_preferences_row_set_title(widget.cast(to: AdwPreferencesRow.self), line.title)
        isShowing = true
        adw_combo_row_set_selected(combo, line.selected.map { guint($0) } ?? GTK_INVALID_LIST_POSITION)
        isShowing = false
        let chosen = line.selected.map { line.titles[$0] }
        // Beside the title, a value would be cut in a narrow window.
        adw_combo_row_set_use_subtitle(combo, 1)
        adw_action_row_set_subtitle(
            widget.cast(to: AdwActionRow.self),
            [chosen, line.details].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n"))
        name(
            widget, [line.title, chosen, line.details].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", "))
        ChosenItem.passOver(in: widget)
        gtk_widget_set_sensitive(widget, line.isChangeable ? 1 : 0)
    }
}

/// In GTK 4.8 a combo row's selection takes the focus in addition to the row, but has no name.
@MainActor
enum ChosenItem {
    static func passOver(in row: GTKWidget) {
        var next = gtk_widget_get_first_child(row)
        while let child = next {
            next = gtk_widget_get_next_sibling(child)
            guard let type = g_type_name_from_instance(child.cast(to: GTypeInstance.self)).map({ String(cString: $0) })
            else { continue }
            // Takes the focus while it is open.
            if type.hasSuffix("Popover") { continue }
            if type == "GtkListItemWidget" { gtk_widget_set_focusable(child, 0) }
            passOver(in: child)
        }
    }
}
