// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import HandoffGTKCalls

/// Rows keep their widgets while their content changes, so that the focus and a pressed button stay.
@MainActor
final class BoxedList<ID: Hashable, Row> {
    let widget: GTKWidget = gtk_list_box_new()
    private var rows: [ID: (row: Row, widget: GTKWidget)] = [:]
    private var order: [ID] = []

    init(label: String) {
        gtk_list_box_set_selection_mode(widget.opaque, GTK_SELECTION_NONE)
        gtk_widget_add_css_class(widget, "boxed-list")
        describeGTKWidget(widget, as: label)
    }

    func widget(of id: ID) -> GTKWidget? { rows[id]?.widget }

    /// `make` is called for each new id.
    func show<Line>(
        _ lines: [Line], id: (Line) -> ID, make: (Line) -> (row: Row, widget: GTKWidget), fill: (Row, Line) -> Void
    ) {
        let wanted = lines.map(id)
        let isWanted = Set(wanted)
        for gone in order where !isWanted.contains(gone) {
            if let row = rows.removeValue(forKey: gone) { gtk_list_box_remove(widget.opaque, row.widget) }
        }
        order.removeAll { !isWanted.contains($0) }
        for (index, line) in lines.enumerated() {
            let key = wanted[index]
            let row = rows[key] ?? make(line)
            if rows[key] == nil {
                rows[key] = row
                gtk_list_box_insert(widget.opaque, row.widget, gint(index))
                order.insert(key, at: index)
            } else if order[index] != key {
                move(row.widget, to: index)
                order.removeAll { $0 == key }
                order.insert(key, at: index)
            }
            fill(row.row, line)
        }
        gtk_widget_set_visible(widget, lines.isEmpty ? 0 : 1)
    }

    private func move(_ row: GTKWidget, to index: Int) {
        g_object_ref(row.raw)
        gtk_list_box_remove(widget.opaque, row)
        gtk_list_box_insert(widget.opaque, row, gint(index))
        g_object_unref(row.raw)
    }
}
