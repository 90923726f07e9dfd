// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import HandoffGTKCalls
public import Foundation
internal import HandoffApp

extension GTKWindow {
    /// The purpose of choosing a file.
    public enum FileChoice: Sendable, Hashable {
        case open
        /// With a suggested name.
        case save(name: String)
    }

    /// Shows the desktop's file dialog. `done` is called once; nil: no file was chosen.
    public func chooseFile(_ purpose: FileChoice, done: @escaping @MainActor (URL?) -> Void) {
        let (action, label) =
            purpose == .open ? (GTK_FILE_CHOOSER_ACTION_OPEN, "Open") : (GTK_FILE_CHOOSER_ACTION_SAVE, "Save")
        guard let chooser = gtk_file_chooser_native_new(label, window, action, label, "Cancel") else {
            return done(nil)
        }
        if case .save(let name) = purpose { gtk_file_chooser_set_current_name(chooser, name) }
        let dialog = chooser.raw.assumingMemoryBound(to: GtkNativeDialog.self)
        gtk_native_dialog_set_modal(dialog, 1)
        onGTKSignal("response", of: chooser.raw) { values in
            let isChosen = values.integer(0) == Int(GTK_RESPONSE_ACCEPT.rawValue)
            let url = isChosen ? Self.chosen(in: chooser) : nil
            // The signal's own reference outlives this call.
            gtk_native_dialog_destroy(dialog)
            g_object_unref(chooser.raw)
            done(url)
        }
        gtk_native_dialog_show(dialog)
    }

    private static func chosen(in chooser: OpaquePointer) -> URL? {
        guard let file = gtk_file_chooser_get_file(chooser) else { return nil }
        defer { g_object_unref(file.raw) }
        guard let path = g_file_get_path(file) else { return nil }
        defer { g_free(path) }
        return URL(filePath: String(cString: path))
    }
}
#endif
