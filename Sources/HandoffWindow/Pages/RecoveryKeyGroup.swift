// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel
internal import HandoffWire

/// Shows the recovery key until it is confirmed, and replaces it.
@MainActor
final class RecoveryKeyGroup {
    let widget: GTKWidget = adw_preferences_group_new()
    private let daemon: WindowDaemonClient
    private let window: GTKWidget
    private let row = ActionRow(icon: .key)
    private let shows: GTKWidget

    init(_ daemon: WindowDaemonClient, over window: GTKWidget) {
        self.daemon = daemon
        self.window = window
        shows = makeButton(daemon.strings[.keyShow], styles: ["suggested-action"]) {}
        row.add(shows)
        row.add(makeButton(daemon.strings[.keyReplace]) { [weak self] in self?.replace() })
        adw_preferences_group_add(widget.cast(to: AdwPreferencesGroup.self), row.widget)
        onGTKSignal("clicked", of: shows.raw) { [weak self] _ in
            self?.daemon.showKey { self?.present($0) }
        }
    }

    func show() {
        let (title, details, icon) = daemon.recoveryKey.row
        row.show(title: daemon.strings[title], details: daemon.strings[details], icon: icon)
        gtk_widget_set_visible(shows, daemon.recoveryKey == .unconfirmed ? 1 : 0)
    }

    private func replace() {
        let strings = daemon.strings
        let hasOthers = !daemon.isOnlyDevice
        Question(
            heading: strings[.keyReplaceHeading], body: strings[hasOthers ? .keyReplaceOthers : .keyReplaceBody],
            cancel: strings[.cancel], deed: strings[.replace], isDestructive: true
        ).ask(over: window) { [weak self] in
            self?.daemon.replaceKey(evenWithOthers: hasOthers) { self?.present($0) }
        }
    }

    private func present(_ key: String) {
        let strings = daemon.strings
        let pane = RecoveryKeyPane(key, daemon, next: strings[.done])
        // The pane lives as long as its dialog.
        let dialog = PaneDialog.show(strings[.keyHeading], pane.widget, over: window) { withExtendedLifetime(pane) {} }
        pane.confirmed = { gtk_window_close(dialog.cast(to: GtkWindow.self)) }
        pane.focus()
    }
}

extension RecoveryKeyState {
    fileprivate var row: (title: Word, details: Word, Icon) {
        switch self {
        case .confirmed: (.keyRow, .keyRowDetail, .key)
        case .unconfirmed: (.keyUnconfirmed, .keyUnconfirmedDetail, .warning)
        case .lost: (.keyLost, .keyLostDetail, .warning)
        }
    }
}
