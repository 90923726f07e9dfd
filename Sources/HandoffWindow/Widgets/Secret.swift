// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import HandoffGTKCalls

@MainActor
struct Secret {
    let text: String

    /// Until the widget is hidden. Offers KDE's hint for clipboard managers: GDK 4.8 does not deliver data of a type
    /// without a slash, so only managers that look at the offered types do not keep the text.
    func copy(from widget: GTKWidget) {
        var value = GValue()
        g_value_init(&value, FundamentalType.string)
        g_value_set_string(&value, text)
        let content = gdk_content_provider_new_for_value(&value)
        g_value_unset(&value)
        let hint = "secret"
        let bytes = g_bytes_new(hint, gsize(hint.utf8.count))
        var providers = [content, gdk_content_provider_new_for_bytes("x-kde-passwordManagerHint", bytes)]
        g_bytes_unref(bytes)
        let union = gdk_content_provider_new_union(&providers, gsize(providers.count))
        let clipboard = gtk_widget_get_clipboard(widget)
        gdk_clipboard_set_content(clipboard, union)
        onGTKSignal("unmap", of: widget.raw) { _ in
            if gdk_clipboard_get_content(clipboard) == union { gdk_clipboard_set_content(clipboard, nil) }
        }
        g_object_unref(union)
    }

    /// As a file that only its user can read. `done` is called with the error, localized, unless the user cancels.
    func save(as name: String, title: String, over widget: GTKWidget, done: @escaping @MainActor (String?) -> Void) {
        chooseGTKFile(GTK_FILE_CHOOSER_ACTION_SAVE, title: title, name: name, over: window(of: widget)) { file in
            if let file { write(to: file, done) }
        }
    }

    private func write(to file: OpaquePointer, _ done: @escaping @MainActor (String?) -> Void) {
        let content = text + "\n"
        let bytes = g_bytes_new(content, gsize(content.utf8.count))
        g_file_replace_contents_bytes_async(
            file, bytes, nil, 0, GFileCreateFlags(G_FILE_CREATE_PRIVATE.rawValue), nil, GTKAnswer.callback,
            GTKAnswer.data { result in
                var error: UnsafeMutablePointer<GError>?
                let isWritten = g_file_replace_contents_finish(file, result, nil, &error) != 0
                g_object_unref(file.raw)
                done(isWritten ? nil : error.map { String(cString: $0.pointee.message) } ?? "")
                if let error { g_error_free(error) }
            })
        g_bytes_unref(bytes)
    }

    /// On one page. `failed` is called with the error, localized.
    func print(title: String, over widget: GTKWidget, failed: @escaping @MainActor (String) -> Void) {
        guard let operation = gtk_print_operation_new() else { return }
        gtk_print_operation_set_n_pages(operation, 1)
        gtk_print_operation_set_job_name(operation, title)
        gtk_print_operation_set_allow_async(operation, 1)
        onGTKSignal("draw-page", of: operation.raw) { values in
            if let context = values.object(0).map({ OpaquePointer($0) }) { draw("\(title)\n\n\(text)", in: context) }
        }
        onGTKSignal("done", of: operation.raw) { _ in
            var error: UnsafeMutablePointer<GError>?
            gtk_print_operation_get_error(operation, &error)
            if let error {
                failed(String(cString: error.pointee.message))
                g_error_free(error)
            }
            g_object_unref(operation.raw)
        }
        gtk_print_operation_run(operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG, window(of: widget), nil)
    }

    private func draw(_ page: String, in context: OpaquePointer) {
        guard let layout = gtk_print_context_create_pango_layout(context) else { return }
        let font = pango_font_description_from_string("Monospace 14")
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        pango_layout_set_text(layout, page, -1)
        pango_cairo_show_layout(gtk_print_context_get_cairo_context(context), layout)
        g_object_unref(layout.raw)
    }

    private func window(of widget: GTKWidget) -> UnsafeMutablePointer<GtkWindow>? {
        gtk_widget_get_root(widget).map { $0.raw.assumingMemoryBound(to: GtkWindow.self) }
    }
}
