// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel
internal import HandoffWire

/// Shows the recovery key, and asks for its end, which proves that the user has it.
@MainActor
final class RecoveryKeyPane {
    let widget: GTKWidget
    private let key: String
    private let daemon: WindowDaemonClient
    var confirmed: @MainActor () -> Void = {}
    private let entry: GTKWidget = gtk_entry_new()
    private let mismatch: GTKWidget
    private var secret: Secret { Secret(text: key) }

    init(_ key: String, _ daemon: WindowDaemonClient, next: String) {
        self.key = key
        self.daemon = daemon
        let strings = daemon.strings
        mismatch = makeLabel(strings[.keyMismatch], styles: ["error"])
        gtk_widget_set_visible(mismatch, 0)
        // Not selectable: clipboard managers would keep what is copied from a selection.
        let shownKey = makeLabel(key.inRows, styles: ["title-3", "monospace"])
        describeGTKWidget(entry, as: strings[.keyLastGroup])
        gtk_entry_set_placeholder_text(entry.cast(to: GtkEntry.self), strings[.keyLastGroup])
        let content = makeBox(GTK_ORIENTATION_VERTICAL, spacing: 18, [makeLabel(strings[.keyBody]), shownKey])
        widget = clamped(content)
        let copy = makeButton(strings[.copy]) { [unowned self] in self.copy() }
        let save = makeButton(strings[.keySave]) { [unowned self] in self.save() }
        let confirm = makeButton(next, styles: ["pill", "suggested-action"]) { [unowned self] in self.confirm() }
        let print = makeButton(strings[.keyPrint]) { [unowned self] in self.print() }
        for part in [makeButtonRow([copy, save, print]), entry, mismatch, confirm] {
            gtk_box_append(content.cast(to: GtkBox.self), part)
        }
        onGTKSignal("activate", of: entry.raw) { [weak self] _ in self?.confirm() }
    }

    func focus() { gtk_widget_grab_focus(entry) }

    private func confirm() {
        let typed = gtk_editable_get_text(entry.opaque).map { String(cString: $0) } ?? ""
        guard !typed.isEmpty else { return focus() }
        guard AccountSummary.recoveryKey(key, endsWith: typed) else {
            gtk_widget_set_visible(mismatch, 1)
            gtk_editable_select_region(entry.opaque, 0, -1)
            return focus()
        }
        daemon.confirmKey(key)
        confirmed()
    }

    private func copy() {
        secret.copy(from: widget)
        daemon.said(daemon.strings[.copied])
    }

    private func save() {
        let strings = daemon.strings
        secret.save(as: "\(strings[.keyRow]) (Handoff).txt", title: strings[.keyRow], over: widget) { [daemon] error in
            daemon.said(error.map { strings(.keyNotSaved, $0) } ?? strings[.keySaved])
        }
    }

    private func print() {
        let strings = daemon.strings
        secret.print(title: "\(strings[.keyRow]) (Handoff)", over: widget) { [daemon] error in
            daemon.said(strings(.keyNotPrinted, error))
        }
    }
}

extension String {
    fileprivate var inRows: String {
        let groups = split(separator: "-")
        return stride(from: 0, to: groups.count, by: 2)
            .map { groups[$0..<min($0 + 2, groups.count)].joined(separator: "-") }.joined(separator: "\n")
    }
}
