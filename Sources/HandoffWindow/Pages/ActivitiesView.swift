// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel
internal import HandoffWire

@MainActor
final class ActivitiesView {
    let widget: GTKWidget = gtk_stack_new()
    private let daemon: WindowDaemonClient
    private let sent: BoxedList<ActivityLine.ID, ActivityRow>
    private let list: BoxedList<ActivityLine.ID, ActivityRow>
    private let own: BoxedList<ActivityID, SendingRow>
    private let waiting: BoxedList<ActivityID, WaitingRow>
    private let group: GTKWidget = adw_preferences_group_new()
    private let sentGroup: GTKWidget = adw_preferences_group_new()
    private let ownGroup: GTKWidget = adw_preferences_group_new()
    private let waitingGroup: GTKWidget = adw_preferences_group_new()
    private let nothing: GTKWidget
    private let adding: GTKWidget
    private let participants: ParticipantsView
    private let page: ScrolledPage
    private let follower = FocusFollower<ActivityLine.ID>()
    private var pointer = RestingPointer()
    /// While the pointer keeps the rows in place.
    private var rest: Repeating?

    init(_ daemon: WindowDaemonClient, over window: GTKWidget, addDevice: @escaping @MainActor () -> Void) {
        self.daemon = daemon
        let strings = daemon.strings
        sent = BoxedList(label: strings[.sentHere])
        list = BoxedList(label: strings[.popupHeading])
        own = BoxedList(label: strings[.onThisDevice])
        waiting = BoxedList(label: strings[.notSentYet])
        adding = makeButton(strings[.addDevice], styles: ["pill", "suggested-action"], addDevice)
        gtk_widget_set_halign(adding, GTK_ALIGN_CENTER)
        participants = ParticipantsView(daemon, over: window)
        let below = makeBox(GTK_ORIENTATION_VERTICAL, spacing: 24, [adding, participants.widget])
        nothing = makeStatusPage(strings[.nothing], "", icon: .handoff, child: clamped(below, to: 600))
        gtk_widget_add_css_class(nothing, "compact")
        let groups = [
            (sentGroup, strings[.sentHere], sent.widget), (waitingGroup, strings[.notSentYet], waiting.widget),
            (group, strings[.popupHeading], list.widget), (ownGroup, strings[.onThisDevice], own.widget),
        ]
        for (group, title, list) in groups {
            let group = group.cast(to: AdwPreferencesGroup.self)
            adw_preferences_group_set_title(group, title)
            adw_preferences_group_add(group, list)
        }
        page = ScrolledPage(groups.map(\.0))
        gtk_stack_add_named(widget.opaque, page.widget, "list")
        gtk_stack_add_named(widget.opaque, nothing, "nothing")
        page.pressed = { [weak self] in self?.letRowsMove() }
        page.moved = { [weak self] in self?.show() }
        for list in [sent.widget, list.widget] { watchPointer(over: list) }
        follower.watch(page.widget)
        onGTKSignal("map", of: page.widget.raw) { [weak self] _ in self?.show() }
    }

    // MARK: The pointer

    private func watchPointer(over list: GTKWidget) {
        guard let motion = gtk_event_controller_motion_new() else { return }
        for signal in ["enter", "motion"] {
            onGTKSignal(signal, of: motion.raw) { [weak self] _ in self?.pointerMoved() }
        }
        onGTKSignal("leave", of: motion.raw) { [weak self] _ in self?.pointerLeft() }
        gtk_widget_add_controller(list, motion)
    }

    private func pointerMoved() {
        pointer.moved(at: .now)
        guard rest == nil else { return }
        daemon.pointed(true)
        rest = Repeating(seconds: 1) { [weak self] in
            if let self, pointer.hasRested(at: .now), !page.isPointerOnPill { letRowsMove() }
        }
    }

    /// If it goes to the pill, rows stay until it leaves that too: otherwise a click there would hit a row below it.
    private func pointerLeft() {
        if page.isPillShown { pointer.moved(at: .now) } else { letRowsMove() }
    }

    private func letRowsMove() {
        rest = nil
        daemon.pointed(false)
    }

    // MARK: Showing

    func show() {
        let strings = daemon.strings
        let lines = daemon.activityLines(at: .now)
        show(lines.filter(\.isSent), in: sent, sentGroup)
        show(lines.filter { !$0.isSent }, in: list, group)
        let receivers = SendingList.receivers(daemon.devices, daemon.phones)
        let ownLines = daemon.sending.lines(to: receivers, strings, at: .now)
        own.show(
            ownLines, id: { $0.id },
            make: { [daemon] line in
                let row = SendingRow(daemon.strings) { daemon.send(line.id, to: $0) }
                return (row, row.widget)
            }, fill: { $0.show($1, to: receivers) })
        gtk_widget_set_visible(ownGroup, ownLines.isEmpty ? 0 : 1)
        let waitingLines = daemon.waiting.lines(strings)
        waiting.show(
            waitingLines, id: { $0.id },
            make: { [daemon] line in
                let row = WaitingRow(daemon.strings) { daemon.takeBack(line.id) }
                return (row, row.widget)
            }, fill: { $0.show($1) })
        gtk_widget_set_visible(waitingGroup, waitingLines.isEmpty ? 0 : 1)
        guard daemon.hasList else { return }
        explainEmptiness(lines.isEmpty, isPageEmpty: lines.isEmpty && ownLines.isEmpty && waitingLines.isEmpty)
        let isInSight = page.isAtTop && !daemon.activities.isHeld
        page.announce(lines, isInSight: isInSight, strings)
        if isInSight, let newest = lines.newest, gtk_widget_get_mapped(page.widget) != 0 {
            follower.follow(newest.id) { (newest.isSent ? sent : list).widget(of: newest.id) }
        }
    }

    private func show(
        _ lines: [ActivityLine], in list: BoxedList<ActivityLine.ID, ActivityRow>, _ group: GTKWidget
    ) {
        list.show(lines, daemon)
        gtk_widget_set_visible(group, lines.isEmpty ? 0 : 1)
    }

    private func explainEmptiness(_ isEmpty: Bool, isPageEmpty: Bool) {
        let emptiness = daemon.emptiness
        let reason = isEmpty ? emptiness?.sentence(daemon.strings) : nil
        if isEmpty {
            adw_status_page_set_description(nothing.opaque, escaped(reason ?? ""))
            gtk_widget_set_visible(adding, emptiness == .alone ? 1 : 0)
            gtk_widget_set_visible(group, 1)
        }
        // If the page has other content, the reason is above it.
        adw_preferences_group_set_description(group.cast(to: AdwPreferencesGroup.self), reason)
        if isPageEmpty || participants.isAwaitingBrowser { participants.show() }
        turn(widget, to: isPageEmpty ? "nothing" : "list", of: ["nothing", "list"])
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

/// Moves the focus to the newest row until the user moves it.
@MainActor
private final class FocusFollower<ID: Hashable> {
    private var isUsers = false
    private var followed: ID?

    func watch(_ page: GTKWidget) {
        guard let keys = gtk_event_controller_key_new(), let clicks = gtk_gesture_click_new() else { return }
        onGTKSignal("key-pressed", of: keys.raw) { [weak self] _ in self?.isUsers = true }
        onGTKSignal("pressed", of: clicks.raw) { [weak self] _ in self?.isUsers = true }
        for controller in [keys, clicks] {
            gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
            gtk_widget_add_controller(page, controller)
        }
    }

    func follow(_ newest: ID, _ row: () -> GTKWidget?) {
        guard !isUsers, newest != followed, let row = row(), gtk_widget_get_mapped(row) != 0 else { return }
        if gtk_widget_grab_focus(row) != 0 { followed = newest }
    }
}
