// SPDX-License-Identifier: Apache-2.0

import HandoffGTK

/// The text on the screen, with selection and scroll position.
final class EditorController: GTKViewController {
    /// Called when the user has typed.
    var edited: @MainActor () -> Void = {}
    /// Called when the selection or the scroll position has changed.
    var moved: @MainActor () -> Void = {}

    private let textView: GTKWidget = gtk_text_view_new()
    private var gtkTextView: UnsafeMutablePointer<GtkTextView> { textView.cast(to: GtkTextView.self) }
    private var buffer: UnsafeMutablePointer<GtkTextBuffer> { gtk_text_view_get_buffer(gtkTextView) }

    override func loadView() {
        gtk_text_view_set_wrap_mode(gtkTextView, GTK_WRAP_WORD_CHAR)
        gtk_text_view_set_pixels_above_lines(gtkTextView, 4)
        gtk_text_view_set_left_margin(gtkTextView, 24)
        gtk_text_view_set_right_margin(gtkTextView, 24)
        describeGTKWidget(textView, as: "Text")
        let scrolled: GTKWidget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_child(scrolled.opaque, textView)
        gtk_widget_set_vexpand(scrolled, 1)
        widget = scrolled

        onGTKSignal("changed", of: buffer.raw) { [weak self] _ in self?.edited() }
        for change in ["notify::cursor-position", "notify::has-selection"] {
            onGTKSignal(change, of: buffer.raw) { [weak self] _ in self?.moved() }
        }
        onGTKSignal("value-changed", of: gtk_scrolled_window_get_vadjustment(scrolled.opaque).raw) { [weak self] _ in
            self?.moved()
        }
    }

    var text: String {
        get {
            var (start, end) = (GtkTextIter(), GtkTextIter())
            gtk_text_buffer_get_bounds(buffer, &start, &end)
            guard let text = gtk_text_buffer_get_text(buffer, &start, &end, 1) else { return "" }
            defer { g_free(text) }
            return String(cString: text)
        }
        set {
            // Undo must not return to the previous text.
            gtk_text_buffer_begin_irreversible_action(buffer)
            gtk_text_buffer_set_text(buffer, newValue, gint(newValue.utf8.count))
            gtk_text_buffer_end_irreversible_action(buffer)
            place = Place()
        }
    }

    /// Replaces the text in one step, which can be undone.
    func replace(with text: String) {
        gtk_text_buffer_begin_user_action(buffer)
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(buffer, &start, &end)
        gtk_text_buffer_delete(buffer, &start, &end)
        gtk_text_buffer_insert(buffer, &start, text, gint(text.utf8.count))
        gtk_text_buffer_end_user_action(buffer)
    }

    var place: Place {
        get {
            var (seen, top) = (GdkRectangle(), GtkTextIter())
            gtk_text_view_get_visible_rect(gtkTextView, &seen)
            gtk_text_view_get_iter_at_location(gtkTextView, &top, seen.x, seen.y)
            return Place(
                cursor: offset(of: gtk_text_buffer_get_insert(buffer)),
                anchor: offset(of: gtk_text_buffer_get_selection_bound(buffer)),
                top: Int(gtk_text_iter_get_offset(&top)))
        }
        set {
            var (cursor, anchor, top) = (position(newValue.cursor), position(newValue.anchor), position(newValue.top))
            gtk_text_buffer_select_range(buffer, &cursor, &anchor)
            // Takes effect when the text has been laid out, which may be later.
            let mark = gtk_text_buffer_create_mark(buffer, "top", &top, 1)
            gtk_text_view_scroll_to_mark(gtkTextView, mark, 0, 1, 0, 0)
        }
    }

    private func offset(of mark: UnsafeMutablePointer<GtkTextMark>?) -> Int {
        var position = GtkTextIter()
        gtk_text_buffer_get_iter_at_mark(buffer, &position, mark)
        return Int(gtk_text_iter_get_offset(&position))
    }

    private func position(_ offset: Int) -> GtkTextIter {
        var position = GtkTextIter()
        gtk_text_buffer_get_iter_at_offset(buffer, &position, gint(clamping: max(0, offset)))
        return position
    }
}
