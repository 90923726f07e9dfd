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
        var suggested: String?
        if case .save(let name) = purpose { suggested = name }
        chooseGTKFile(action, title: label, labels: (label, "Cancel"), name: suggested, over: window) { file in
            defer { if let file { g_object_unref(file.raw) } }
            done(file.flatMap(Self.url))
        }
    }

    private static func url(of file: OpaquePointer) -> URL? {
        guard let path = g_file_get_path(file) else { return nil }
        defer { g_free(path) }
        return URL(filePath: String(cString: path))
    }
}
#endif
