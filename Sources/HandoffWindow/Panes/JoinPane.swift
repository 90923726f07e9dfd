// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel
internal import HandoffWire

@MainActor
final class JoinPane {
    enum Kind { case code, recoveryKey }

    let widget: GTKWidget
    private let daemon: WindowDaemonClient
    private let kind: Kind
    private let secret: GTKWidget = adw_entry_row_new()
    private let address: GTKWidget = adw_entry_row_new()
    private let entries: GTKWidget = gtk_list_box_new()
    private let nearby: GTKWidget
    private let invites: BoxedList<String, NearbyRow>
    private let searching: GTKWidget
    /// A change of the nearby devices changes neither the message about the typed code nor a button that is being pressed.
    private var shown: Joining.Standing?
    private let trouble = makeLabel(styles: ["error"])
    private let button: GTKWidget
    private let body: GTKWidget
    private let progress: GTKWidget = adw_bin_new()

    init(_ daemon: WindowDaemonClient, _ kind: Kind) {
        self.daemon = daemon
        self.kind = kind
        let strings = daemon.strings
        body = makeLabel(strings[kind == .code ? .joinBody : .recoverBody])
        invites = BoxedList(label: strings[.joinHeading])
        searching = waiting(strings[.nearbyNone])
        nearby = makeBox(GTK_ORIENTATION_VERTICAL, spacing: 0, kind == .code ? [invites.widget, searching] : [])
        button = gtk_button_new_with_label(strings[kind == .code ? .join : .recover])
        for style in ["pill", "suggested-action"] { gtk_widget_add_css_class(button, style) }
        gtk_list_box_set_selection_mode(entries.opaque, GTK_SELECTION_NONE)
        gtk_widget_add_css_class(entries, "boxed-list")
        widget = clamped(
            makeBox(
                GTK_ORIENTATION_VERTICAL, spacing: 18,
                [
                    makeLabel(strings[kind == .code ? .joinHeading : .recoverHeading], styles: ["title-2"]), nearby,
                    body, entries, trouble, button, progress,
                ]))
        add(secret, strings[kind == .code ? .code : .recoverHeading])
        if kind == .code { add(address, strings[.address]) }
        for (widget, signal) in [(button, "clicked"), (secret, "entry-activated"), (address, "entry-activated")] {
            onGTKSignal(signal, of: widget.raw) { [weak self] _ in self?.send() }
        }
        onGTKSignal("changed", of: secret.raw) { [weak self] _ in self?.typed() }
        show()
    }

    private func add(_ entry: GTKWidget, _ title: String) {
        adw_preferences_row_set_title(entry.cast(to: AdwPreferencesRow.self), title)
        describeGTKWidget(entry, as: title)
        gtk_list_box_append(entries.opaque, entry)
    }

    private func text(_ entry: GTKWidget) -> String {
        gtk_editable_get_text(entry.opaque).map { String(cString: $0) } ?? ""
    }

    private var typedSecret: TypedSecret {
        TypedSecret(text(secret), as: kind == .code ? .inviteCode : .recoveryKey)
    }

    private func typed() { say(typedSecret.mistake(isComplete: false, daemon.strings) ?? "", about: secret) }

    /// `entry`: the one with the mistake.
    private func say(_ sentence: String, about entry: GTKWidget? = nil) {
        gtk_label_set_text(trouble.opaque, sentence)
        gtk_widget_set_visible(trouble, sentence.isEmpty ? 0 : 1)
        gtk_widget_remove_css_class(secret, "error")
        if let entry, !sentence.isEmpty { gtk_widget_add_css_class(entry, "error") }
    }

    private func send() {
        let typed = typedSecret
        if let mistake = typed.mistake(isComplete: true, daemon.strings) {
            say(mistake, about: secret)
            gtk_widget_grab_focus(secret)
            let place = typed.mistypedPlace
            gtk_editable_select_region(secret.opaque, gint(place?.lowerBound ?? 0), gint(place?.upperBound ?? -1))
            return
        }
        switch kind {
        case .code: daemon.join(code: text(secret), address: text(address))
        case .recoveryKey: daemon.recover(key: text(secret))
        }
        // Typing has hidden it, and the same mistake changes nothing.
        if case .typing(let failure?) = daemon.joining.standing { say(daemon.strings.trouble(failure).text) }
    }

    func focus() { gtk_widget_grab_focus(secret) }

    func show() {
        if kind == .code { showNearby() }
        guard daemon.joining.standing != shown else { return }
        shown = daemon.joining.standing
        let strings = daemon.strings
        var isTyping = false
        var said = ""
        var below: GTKWidget?
        switch daemon.joining.standing {
        case .typing(let failure):
            isTyping = true
            said = failure.map { strings.trouble($0).text } ?? ""
        case .looking: below = waiting(kind == .code ? strings[.looking] : "")
        case .comparing(let number, with: nil):
            below = makeBox(
                GTK_ORIENTATION_VERTICAL, spacing: 12,
                [
                    makeLabel(number.inHalves, styles: ["title-1", "numeric"]), makeLabel(strings[.compareHere]),
                    waiting(""),
                ])
        case .comparing(let number, with: let name?):
            below = makeBox(
                GTK_ORIENTATION_VERTICAL, spacing: 12,
                [
                    makeLabel(number.inHalves, styles: ["title-1", "numeric"]),
                    makeLabel(strings(.compareBoth, name.text)),
                    makeButton(strings[.admit], styles: ["pill", "suggested-action"]) { [daemon] in
                        daemon.confirmNumber(matches: true)
                    },
                    makeButton(strings[.decline], styles: ["pill"]) { [daemon] in daemon.confirmNumber(matches: false)
                    },
                ])
        case .joined: break
        }
        say(said)
        for part in [entries, button, body, nearby] { gtk_widget_set_visible(part, isTyping ? 1 : 0) }
        adw_bin_set_child(progress.cast(to: AdwBin.self), below)
    }

    private func showNearby() {
        let listed = daemon.joining.nearby
        gtk_widget_set_visible(searching, listed.isEmpty ? 1 : 0)
        invites.show(
            listed, id: { $0.code },
            make: { [daemon] invite in
                let row = NearbyRow { [daemon] in
                    if let now = daemon.joining.nearby.first(where: { $0.code == invite.code }) { daemon.join(now) }
                }
                return (row, row.widget)
            }, fill: { [strings = daemon.strings] row, invite in row.show(invite, strings) })
    }
}

@MainActor
private struct NearbyRow {
    private let row = ActionRow(icon: DeviceLine.icon(.unspecified))
    private let arrow: GTKWidget

    var widget: GTKWidget { row.widget }

    init(_ chosen: @escaping @MainActor () -> Void) {
        arrow = makeButton(icon: .forward, label: "", chosen)
        row.add(arrow)
    }

    func show(_ invite: NearbyInvite, _ strings: LocalizedStrings) {
        row.show(title: invite.name.text, details: invite.address, icon: DeviceLine.icon(invite.kind))
        row.activate(arrow, label: strings(.joinNearby, invite.name.text))
    }
}
