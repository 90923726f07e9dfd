// SPDX-License-Identifier: Apache-2.0

import CAdwaita
import CGTK
import HandoffGTKCalls
import HandoffStrings
import HandoffWindowModel
import HandoffWire

@MainActor
final class ActivitiesView {
    let widget: GTKWidget = gtk_stack_new()
    private let daemon: WindowDaemonClient
    private let list: BoxedList<ActivityLine.ID, ActivityRow>
    private let own: BoxedList<ActivityID, SendingRow>
    private let waiting: BoxedList<ActivityID, WaitingRow>
    private let group: GTKWidget = adw_preferences_group_new()
    private let ownGroup: GTKWidget = adw_preferences_group_new()
    private let waitingGroup: GTKWidget = adw_preferences_group_new()
    private let nothing: GTKWidget
    private var hasFocused = false
    private var pointer = RestingPointer()
    /// While the pointer keeps the rows in place.
    private var rest: Repeating?

    init(_ daemon: WindowDaemonClient, addDevice: @escaping @MainActor () -> Void) {
        self.daemon = daemon
        let strings = daemon.strings
        list = BoxedList(label: strings[.popupHeading])
        own = BoxedList(label: strings[.onThisDevice])
        waiting = BoxedList(label: strings[.notSentYet])
        let button = makeButton(strings[.addDevice], styles: ["pill", "suggested-action"], addDevice)
        gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
        nothing = makeStatusPage(strings[.nothing], "", icon: .handoff, child: button)

        let page: GTKWidget = adw_preferences_page_new()
        for (group, title, list) in [
            (waitingGroup, strings[.notSentYet], waiting.widget), (group, strings[.popupHeading], list.widget),
            (ownGroup, strings[.onThisDevice], own.widget),
        ] {
            let group = group.cast(to: AdwPreferencesGroup.self)
            adw_preferences_group_set_title(group, title)
            adw_preferences_group_add(group, list)
            adw_preferences_page_add(page.cast(to: AdwPreferencesPage.self), group)
        }
        gtk_stack_add_named(widget.opaque, page, "list")
        gtk_stack_add_named(widget.opaque, nothing, "nothing")
        watchPointer()
        onGTKSignal("map", of: list.widget.raw) { [weak self] _ in self?.show() }
    }

    private func watchPointer() {
        guard let motion = gtk_event_controller_motion_new() else { return }
        for signal in ["enter", "motion"] {
            onGTKSignal(signal, of: motion.raw) { [weak self] _ in self?.pointerMoved() }
        }
        onGTKSignal("leave", of: motion.raw) { [weak self] _ in self?.letRowsMove() }
        gtk_widget_add_controller(list.widget, motion)
    }

    private func pointerMoved() {
        pointer.moved(at: .now)
        guard rest == nil else { return }
        daemon.pointed(true)
        rest = Repeating(seconds: 1) { [weak self] in
            if let self, pointer.hasRested(at: .now) { letRowsMove() }
        }
    }

    private func letRowsMove() {
        rest = nil
        daemon.pointed(false)
    }

    func show() {
        let lines = daemon.activityLines(at: .now)
        list.show(
            lines, id: { $0.id },
            make: { [daemon] line in
                let row = ActivityRow(
                    daemon.strings, pressed: { daemon.press(line.id) }, dismissed: { daemon.dismiss(line.id) })
                return (row, row.widget)
            }, fill: { $0.show($1) })
        let receivers = SendingList.receivers(daemon.devices)
        let ownLines = daemon.sending.lines(to: receivers, daemon.strings, at: .now)
        own.show(
            ownLines, id: { $0.id },
            make: { [daemon] line in
                let row = SendingRow(daemon.strings) { daemon.send(line.id, to: $0) }
                return (row, row.widget)
            }, fill: { $0.show($1, to: receivers) })
        gtk_widget_set_visible(ownGroup, ownLines.isEmpty ? 0 : 1)
        let waitingLines = daemon.waiting.lines(daemon.strings)
        waiting.show(
            waitingLines, id: { $0.id },
            make: { [daemon] line in
                let row = WaitingRow(daemon.strings) { daemon.takeBack(line.id) }
                return (row, row.widget)
            }, fill: { $0.show($1) })
        gtk_widget_set_visible(waitingGroup, waitingLines.isEmpty ? 0 : 1)
        guard daemon.hasList else { return }
        let emptiness = daemon.emptiness
        if lines.isEmpty {
            adw_status_page_set_description(nothing.opaque, emptiness?.sentence(daemon.strings) ?? "")
            if let child = adw_status_page_get_child(nothing.opaque) {
                gtk_widget_set_visible(child, emptiness == .alone ? 1 : 0)
            }
        }
        // If the page has other content, the reason is above it.
        adw_preferences_group_set_description(
            group.cast(to: AdwPreferencesGroup.self), lines.isEmpty ? emptiness?.sentence(daemon.strings) : nil)
        let isEmpty = lines.isEmpty && ownLines.isEmpty && waitingLines.isEmpty
        turn(widget, to: isEmpty ? "nothing" : "list", of: ["nothing", "list"])
        // Once, so that Return continues the newest activity; later, the focus is the user's.
        if !hasFocused, !lines.isEmpty, gtk_widget_get_mapped(list.widget) != 0 {
            hasFocused = true
            gtk_widget_child_focus(list.widget, GTK_DIR_TAB_FORWARD)
        }
    }
}

/// A send that is not delivered yet; the button takes it back.
@MainActor
struct WaitingRow {
    private let row = ActionRow(icon: .send)
    private let button: GTKWidget
    private let strings: LocalizedStrings

    var widget: GTKWidget { row.widget }

    init(_ strings: LocalizedStrings, tookBack: @escaping @MainActor () -> Void) {
        self.strings = strings
        button = makeButton(strings[.takeBack], tookBack)
        row.add(button)
    }

    func show(_ line: WaitingSends.Line) {
        row.show(title: line.title, details: line.details, icon: line.isRefused ? .warning : .send)
        gtk_button_set_label(button.cast(to: GtkButton.self), strings[line.isRefused ? .dismiss : .takeBack])
        name(button, line.buttonLabel)
    }
}
