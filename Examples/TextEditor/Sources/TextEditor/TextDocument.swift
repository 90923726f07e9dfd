// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffGTK

/// A text with or without a file, and its window. While that is the main window, the user can continue the text on
/// another device.
final class TextDocument: NSDocument {
    static let activityType = "com.example.texteditor.editing"
    /// The name of the type in the bundle's Info.plist.
    static let kind = "Text"

    let editor = EditorController()
    /// The same on every device that continues it.
    private(set) var id = UUID()
    /// The title until the document has a file.
    private var name = "Untitled"

    // MARK: Reading and writing

    /// The largest file that is opened, in bytes: GTK is too slow for more.
    static let fileBytes = 64 * 1024 * 1024

    override func read(from data: Data, ofType typeName: String) throws {
        guard data.count <= Self.fileBytes else { throw CocoaError(.fileReadTooLarge) }
        guard let text = String(validating: data, as: UTF8.self), Draft.isShowable(text) else {
            throw CocoaError(.fileReadInapplicableStringEncoding)
        }
        editor.text = text
        updateChangeCount(.changeCleared)
    }

    override func data(ofType typeName: String) throws -> Data { Data(editor.text.utf8) }

    /// Saves when the window closes. If the document has no file, the user is asked.
    override class var autosavesInPlace: Bool { true }

    override func updateChangeCount(_ change: ChangeType) {
        super.updateChangeCount(change)
        showName()
    }

    /// True if the document was never used.
    var isBlank: Bool { fileURL == nil && !isDocumentEdited && editor.text.isEmpty }

    override var displayName: String { fileURL?.lastPathComponent ?? name }

    // MARK: Window

    override func makeWindowControllers() {
        let window = GTKWindow()
        window.rootViewController = editor
        gtk_window_set_default_size(window.window, 760, 560)
        gtk_window_set_titlebar(window.window, Self.header())
        window.addAction("save", keys: ["<Control>s"]) { [weak self, weak window] in
            if let self { window?.save(self) }
        }
        window.addAction("close", keys: ["<Control>w"]) { [weak window] in window?.close() }
        addWindowController(NSWindowController(window: window))

        editor.edited = { [weak self] in
            self?.updateChangeCount(.changeDone)
            self?.userActivity?.needsSave = true
        }
        editor.moved = { [weak self] in self?.userActivity?.needsSave = true }
        let activity = NSUserActivity(activityType: Self.activityType)
        activity.needsSave = true
        // From here on the framework makes it current, requests its state and ends it.
        userActivity = activity
        showName()
    }

    private func showName() {
        userActivity?.title = displayName
        windowControllers.first?.window?.title = (isDocumentEdited ? "• " : "") + displayName
    }

    private static func header() -> GTKWidget {
        let header: GTKWidget = gtk_header_bar_new()
        for (action, icon, label) in [
            ("app.open", "document-open-symbolic", "Open"), ("app.new", "document-new-symbolic", "New"),
            ("win.save", "document-save-symbolic", "Save"),
        ] {
            let button: GTKWidget = gtk_button_new_from_icon_name(icon)
            gtk_actionable_set_action_name(button.opaque, action)
            gtk_widget_set_tooltip_text(button, label)
            describeGTKWidget(button, as: label)
            gtk_header_bar_pack_start(header.opaque, button)
        }
        return header
    }

    // MARK: Transfer between devices

    override func updateUserActivityState(_ userActivity: NSUserActivity) {
        // A text and three numbers can always be encoded.
        try? userActivity.setTypedPayload(
            Draft(document: id, name: displayName, text: editor.text, place: editor.place))
        super.updateUserActivityState(userActivity)
    }

    override func restoreUserActivityState(_ userActivity: NSUserActivity) {
        super.restoreUserActivityState(userActivity)
        guard let draft = try? userActivity.typedPayload(Draft.self), draft.isSensible else { return }
        editor.place = draft.place
        windowControllers.first?.window?.makeFirstResponder(editor)
    }

    /// Takes over a draft. It belongs to the file if the file is the same here; otherwise it is unsaved.
    func goOn(with text: String, of draft: Draft, at url: URL?) {
        (id, name) = (draft.document, draft.name)
        if editor.text != text { editor.replace(with: text) }
        if fileURL == nil, let url, Self.holds(url, text) {
            fileURL = url
            updateChangeCount(.changeCleared)
        }
        showName()
    }

    /// Reads only a file of that length, because the path is from another device.
    private static func holds(_ url: URL, _ text: String) -> Bool {
        guard let found = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path),
            found[.type] as? FileAttributeType == .typeRegular, found[.size] as? Int == text.utf8.count
        else { return false }
        return (try? Data(contentsOf: url)) == Data(text.utf8)
    }
}
