// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
package import CGTK

/// `labels`: of the two buttons; nil: GTK's. `done` is called once, with a `GFile` that it must release, or nil.
@MainActor
package func chooseGTKFile(
    _ action: GtkFileChooserAction, title: String, labels: (accept: String, cancel: String)? = nil, name: String? = nil,
    over window: UnsafeMutablePointer<GtkWindow>?, done: @escaping @MainActor (OpaquePointer?) -> Void
) {
    guard let chooser = gtk_file_chooser_native_new(title, window, action, labels?.accept, labels?.cancel) else {
        return done(nil)
    }
    if let name { gtk_file_chooser_set_current_name(chooser, name) }
    let dialog = chooser.raw.assumingMemoryBound(to: GtkNativeDialog.self)
    gtk_native_dialog_set_modal(dialog, 1)
    onGTKSignal("response", of: chooser.raw) { values in
        let isChosen = values.integer(0) == Int(GTK_RESPONSE_ACCEPT.rawValue)
        let file = isChosen ? gtk_file_chooser_get_file(chooser) : nil
        // The signal's own reference outlives this call.
        gtk_native_dialog_destroy(dialog)
        g_object_unref(chooser.raw)
        done(file)
    }
    gtk_native_dialog_show(dialog)
}
#endif
