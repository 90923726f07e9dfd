// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel

/// Shown without an account.
@MainActor
final class FirstRunView {
    let widget: GTKWidget = adw_bin_new()
    private let daemon: WindowDaemonClient
    private var shown: FirstRun.Step?
    private var joining: JoinPane?
    private var inviting: InvitePane?
    private var keyEntry: GTKWidget?

    init(_ daemon: WindowDaemonClient) { self.daemon = daemon }

    var canGoBack: Bool { daemon.firstRun.step == .joining || daemon.firstRun.step == .recovering }

    func show() {
        joining?.show()
        guard daemon.firstRun.step != shown else { return }
        shown = daemon.firstRun.step
        inviting?.close()
        (joining, inviting, keyEntry) = (nil, nil, nil)
        let scroller: GTKWidget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(scroller.opaque, content())
        adw_bin_set_child(widget.cast(to: AdwBin.self), scroller)
        joining?.focus()
        if let keyEntry { gtk_widget_grab_focus(keyEntry) }
    }

    /// Invalidates the displayed code.
    func close() { inviting?.close() }

    private func content() -> GTKWidget {
        switch daemon.firstRun.step {
        case .welcome(let failure): return welcome(failure.map { daemon.strings.trouble($0) })
        case .creating, .over: return makeStatusPage("", "", icon: nil, child: waiting(""))
        case .key(let key, let isMistyped): return recoveryKey(key, isMistyped)
        case .inviting:
            let pane = InvitePane(daemon)
            pane.done = { [daemon] in daemon.step { $0.finished() } }
            inviting = pane
            let later = makeButton(daemon.strings[.later], styles: ["flat"]) { [daemon] in daemon.step { $0.finished() }
            }
            pane.changed = { isShowingCode in gtk_widget_set_visible(later, isShowingCode ? 1 : 0) }
            return page(daemon.strings[.addDevice], [pane.widget, centred(later)])
        case .joining, .recovering:
            let pane = JoinPane(daemon, daemon.firstRun.step == .joining ? .code : .recoveryKey)
            joining = pane
            return page(nil, [pane.widget])
        }
    }

    private func page(_ title: String?, _ parts: [GTKWidget]) -> GTKWidget {
        let heading = title.map { [makeLabel($0, styles: ["title-1"])] } ?? []
        let box = makeBox(GTK_ORIENTATION_VERTICAL, spacing: 12, heading + parts)
        gtk_widget_set_margin_top(box, 24)
        gtk_widget_set_valign(box, GTK_ALIGN_CENTER)
        return box
    }

    private func centred(_ widget: GTKWidget) -> GTKWidget {
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        return widget
    }

    private func welcome(_ trouble: Trouble?) -> GTKWidget {
        let strings = daemon.strings
        let choices: GTKWidget = gtk_list_box_new()
        gtk_list_box_set_selection_mode(choices.opaque, GTK_SELECTION_NONE)
        gtk_widget_add_css_class(choices, "boxed-list")
        add(to: choices, strings[.firstDevice], strings[.firstDeviceDetail], .add) { [daemon] in
            daemon.chooseFirstDevice()
        }
        add(to: choices, strings[.joinChoice], strings[.joinChoiceDetail], .join) { [daemon] in
            daemon.step { $0.choseToJoin() }
        }
        add(to: choices, strings[.recoverChoice], strings[.recoverChoiceDetail], .key) { [daemon] in
            daemon.step { $0.choseToRecover() }
        }
        let error = trouble.map { [makeLabel($0.text, styles: ["error"])] } ?? []
        let content = clamped(makeBox(GTK_ORIENTATION_VERTICAL, spacing: 12, error + [choices]))
        return makeStatusPage(
            strings[.welcomeHeading], strings[.welcomeBody], icon: .handoffInColour, child: content)
    }

    private func add(
        to list: GTKWidget, _ title: String, _ details: String, _ icon: Icon, _ chosen: @escaping @MainActor () -> Void
    ) {
        let row = ActionRow(title: title, details: details, icon: icon)
        let arrow = makeButton(icon: .forward, label: title, chosen)
        row.add(arrow)
        row.activate(arrow, label: title)
        gtk_list_box_append(list.opaque, row.widget)
    }

    private func recoveryKey(_ key: String, _ isMistyped: Bool) -> GTKWidget {
        let strings = daemon.strings
        let shownKey = makeLabel(key.inRows, styles: ["title-3", "monospace"])
        gtk_label_set_selectable(shownKey.opaque, 1)
        let entry: GTKWidget = gtk_entry_new()
        describeGTKWidget(entry, as: strings[.keyLastGroup])
        gtk_entry_set_placeholder_text(entry.cast(to: GtkEntry.self), strings[.keyLastGroup])
        keyEntry = entry
        let confirm: @MainActor () -> Void = { [daemon] in
            let typed = gtk_editable_get_text(entry.opaque).map { String(cString: $0) } ?? ""
            if !typed.isEmpty { daemon.step { $0.confirmed(typed) } }
        }
        onGTKSignal("activate", of: entry.raw) { _ in confirm() }
        let copy = makeButton(strings[.copy], styles: ["pill"]) { [daemon, widget] in
            gdk_clipboard_set_text(gtk_widget_get_clipboard(widget), key)
            daemon.said(strings[.copied])
        }
        let error = isMistyped ? [makeLabel(strings[.keyMismatch], styles: ["error"])] : []
        let parts = [makeLabel(strings[.keyBody]), shownKey, centred(copy), entry]
        let next = makeButton(strings[.next], styles: ["pill", "suggested-action"], confirm)
        let content = makeBox(GTK_ORIENTATION_VERTICAL, spacing: 18, parts + error + [next])
        return page(strings[.keyHeading], [clamped(content)])
    }
}

extension String {
    fileprivate var inRows: String {
        let groups = split(separator: "-")
        return stride(from: 0, to: groups.count, by: 2)
            .map { groups[$0..<min($0 + 2, groups.count)].joined(separator: "-") }.joined(separator: "\n")
    }
}
