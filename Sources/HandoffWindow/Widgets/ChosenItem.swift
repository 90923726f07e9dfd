// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import HandoffGTKCalls

/// The part of a combo row that shows the selection. In GTK 4.8 it takes the focus in addition to the row, but has no
/// name, so it is skipped.
@MainActor
enum ChosenItem {
    static func passOver(in row: GTKWidget) {
        var next = gtk_widget_get_first_child(row)
        while let child = next {
            next = gtk_widget_get_next_sibling(child)
            guard let type = g_type_name_from_instance(child.cast(to: GTypeInstance.self)).map({ String(cString: $0) })
            else { continue }
            // The popover contains the options, and takes the focus while it is open.
            if type.hasSuffix("Popover") { continue }
            if type == "GtkListItemWidget" { gtk_widget_set_focusable(child, 0) }
            passOver(in: child)
        }
    }
}
