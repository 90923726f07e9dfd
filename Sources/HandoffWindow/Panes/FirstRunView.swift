// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel

@MainActor
final class FirstRunView {
    let widget: GTKWidget = adw_bin_new()
    private let daemon: WindowDaemonClient
    private var shown: FirstRun.Step?
    private var joining: JoinPane?
    private var inviting: InvitePane?
    private var keyPane: RecoveryKeyPane?

    init(_ daemon: WindowDaemonClient) { self.daemon = daemon }

    var canGoBack: Bool { daemon.firstRun.step == .joining || daemon.firstRun.step == .recovering }

    func show() {
        joining?.show()
        guard daemon.firstRun.step != shown else { return }
        shown = daemon.firstRun.step
        inviting?.close()
        (joining, inviting, keyPane) = (nil, nil, nil)
        let scroller: GTKWidget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(scroller.opaque, content())
        adw_bin_set_child(widget.cast(to: AdwBin.self), scroller)
        joining?.focus()
        keyPane?.focus()
    }

    /// Invalidates the displayed code.
    func close() { inviting?.close() }

    private func content() -> GTKWidget {
        switch daemon.firstRun.step {
        case .welcome(let failure): return welcome(failure.map { daemon.strings.trouble($0) })
        case .creating, .over: return makeStatusPage("", "", icon: nil, child: waiting(""))
        case .key(let key):
            let pane = RecoveryKeyPane(key, daemon, next: daemon.strings[.next])
            pane.confirmed = { [daemon] in daemon.step { $0.sawKey() } }
            keyPane = pane
            let later = makeButton(daemon.strings[.later], styles: ["flat"]) { [daemon] in
                daemon.step { $0.sawKey() }
            }
            return page(daemon.strings[.keyHeading], [pane.widget, centred(later)])
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
        let heading = title.map { [makeLabel($0, styles: ["title-2"])] } ?? []
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
        row.activateAsAWhole(arrow, label: title)
        gtk_list_box_append(list.opaque, row.widget)
    }
}
