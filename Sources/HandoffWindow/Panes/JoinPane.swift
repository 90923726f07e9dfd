// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel

@MainActor
final class JoinPane {
    enum Kind { case code, recoveryKey }

    let widget: GTKWidget
    private let daemon: WindowDaemonClient
    private let kind: Kind
    private let secret: GTKWidget = adw_entry_row_new()
    private let address: GTKWidget = adw_entry_row_new()
    private let entries: GTKWidget = gtk_list_box_new()
    private let trouble = makeLabel(styles: ["error"])
    private let button: GTKWidget
    private let progress: GTKWidget = adw_bin_new()

    init(_ daemon: WindowDaemonClient, _ kind: Kind) {
        self.daemon = daemon
        self.kind = kind
        let strings = daemon.strings
        button = gtk_button_new_with_label(strings[kind == .code ? .join : .recover])
        for style in ["pill", "suggested-action"] { gtk_widget_add_css_class(button, style) }
        gtk_list_box_set_selection_mode(entries.opaque, GTK_SELECTION_NONE)
        gtk_widget_add_css_class(entries, "boxed-list")
        widget = clamped(
            makeBox(
                GTK_ORIENTATION_VERTICAL, spacing: 18,
                [
                    makeLabel(strings[kind == .code ? .joinHeading : .recoverHeading], styles: ["title-1"]),
                    makeLabel(strings[kind == .code ? .joinBody : .recoverBody]), entries, trouble, button, progress,
                ]))
        add(secret, strings[kind == .code ? .code : .recoverHeading])
        if kind == .code { add(address, strings[.address]) }
        for (widget, signal) in [(button, "clicked"), (secret, "entry-activated"), (address, "entry-activated")] {
            onGTKSignal(signal, of: widget.raw) { [weak self] _ in self?.send() }
        }
        show()
    }

    private func add(_ entry: GTKWidget, _ title: String) {
        adw_preferences_row_set_title(entry.cast(to: AdwPreferencesRow.self), title)
        describeGTKWidget(entry, as: title)
        gtk_list_box_append(entries.opaque, entry)
    }

    private func send() {
        func text(_ entry: GTKWidget) -> String {
            gtk_editable_get_text(entry.opaque).map { String(cString: $0) } ?? ""
        }
        switch kind {
        case .code: daemon.join(code: text(secret), address: text(address))
        case .recoveryKey: daemon.recover(key: text(secret))
        }
    }

    func focus() { gtk_widget_grab_focus(secret) }

    func show() {
        let strings = daemon.strings
        var isTyping = false
        var said = ""
        var below: GTKWidget?
        switch daemon.joining.standing {
        case .typing(let failure):
            isTyping = true
            said = failure.map { strings.trouble($0).text } ?? ""
        case .looking: below = waiting(kind == .code ? strings[.looking] : "")
        case .comparing(let number):
            below = makeBox(
                GTK_ORIENTATION_VERTICAL, spacing: 12,
                [
                    makeLabel(number.inHalves, styles: ["title-1", "numeric"]), makeLabel(strings[.compareHere]),
                    waiting(""),
                ])
        case .joined: break
        }
        gtk_label_set_text(trouble.opaque, said)
        gtk_widget_set_visible(trouble, said.isEmpty ? 0 : 1)
        for part in [entries, button] { gtk_widget_set_visible(part, isTyping ? 1 : 0) }
        adw_bin_set_child(progress.cast(to: AdwBin.self), below)
    }
}
