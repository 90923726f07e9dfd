// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel
internal import HandoffWire

@MainActor
final class SearchView {
    let bar: GTKWidget = gtk_search_bar_new()
    let widget: GTKWidget = gtk_stack_new()
    private let daemon: WindowDaemonClient
    private let field: GTKWidget = gtk_search_entry_new()
    private let activities: BoxedList<ActivityLine.ID, ActivityRow>
    private let entries: BoxedList<HistorySearch.Subject, HistoryRow>
    private let apps: BoxedList<HistorySearch.Subject, HistoryRow>
    private let groups: (activities: GTKWidget, entries: GTKWidget, apps: GTKWidget)
    private let nothing: GTKWidget

    init(_ daemon: WindowDaemonClient) {
        self.daemon = daemon
        let strings = daemon.strings
        activities = BoxedList(label: strings[.popupHeading])
        entries = BoxedList(label: strings[.earlierHere])
        apps = BoxedList(label: strings[.search])
        nothing = makeStatusPage(strings[.nothingFound], "", icon: .search)
        gtk_widget_add_css_class(nothing, "compact")
        groups = (adw_preferences_group_new(), adw_preferences_group_new(), adw_preferences_group_new())
        let parts = [
            (groups.activities, strings[.popupHeading], activities.widget),
            (groups.entries, strings[.earlierHere], entries.widget), (groups.apps, "", apps.widget),
        ]
        for (group, title, list) in parts {
            let group = group.cast(to: AdwPreferencesGroup.self)
            adw_preferences_group_set_title(group, title)
            adw_preferences_group_add(group, list)
        }
        gtk_stack_add_named(widget.opaque, ScrolledPage(parts.map(\.0)).widget, "list")
        gtk_stack_add_named(widget.opaque, nothing, "nothing")
        buildField()
    }

    private func buildField() {
        describeGTKWidget(field, as: daemon.strings[.search])
        setProperty("placeholder-text", of: field.raw, to: daemon.strings[.searchHint])
        let clamp: GTKWidget = adw_clamp_new()
        adw_clamp_set_child(clamp.opaque, field)
        gtk_widget_set_hexpand(clamp, 1)
        gtk_search_bar_set_child(bar.opaque, clamp)
        gtk_search_bar_connect_entry(bar.opaque, field.opaque)
        onGTKSignal("search-changed", of: field.raw) { [weak self] _ in self?.typed() }
        onGTKSignal("activate", of: field.raw) { [weak self] _ in self?.pressFirst() }
        onGTKSignal("notify::search-mode-enabled", of: bar.raw) { [weak self] _ in
            guard let self else { return }
            if isOpen { typed() } else { daemon.closeSearch() }
        }
    }

    var isOpen: Bool {
        get { gtk_search_bar_get_search_mode(bar.opaque) != 0 }
        set { gtk_search_bar_set_search_mode(bar.opaque, newValue ? 1 : 0) }
    }

    /// Typing in this window begins a search. Nil: not now.
    func listen(in window: GTKWidget?) { gtk_search_bar_set_key_capture_widget(bar.opaque, window) }

    /// `words`: instead of those in the field.
    func open(_ words: String? = nil) {
        isOpen = true
        if let words { gtk_editable_set_text(field.opaque, words) }
        gtk_widget_grab_focus(field)
    }

    private func typed() {
        guard isOpen, let text = gtk_editable_get_text(field.opaque) else { return }
        daemon.search(for: String(cString: text))
    }

    private func pressFirst() {
        // The field reports its words a moment later.
        typed()
        daemon.pressFirst()
    }

    func show() {
        guard daemon.search.isOpen else { return }
        let found = (daemon.foundActivities(at: .now), daemon.entryLines(at: .now), daemon.searchableApps)
        activities.show(found.0, daemon)
        show(found.1, in: entries)
        show(found.2, in: apps)
        for (group, isEmpty) in [
            (groups.activities, found.0.isEmpty), (groups.entries, found.1.isEmpty), (groups.apps, found.2.isEmpty),
        ] {
            gtk_widget_set_visible(group, isEmpty ? 0 : 1)
        }
        let isEmpty = found.0.isEmpty && found.1.isEmpty && found.2.isEmpty
        adw_status_page_set_description(nothing.opaque, escaped(daemon.search.trouble?.text ?? ""))
        turn(widget, to: isEmpty ? "nothing" : "list", of: ["nothing", "list"])
    }

    private func show(_ lines: [HistorySearch.Line], in list: BoxedList<HistorySearch.Subject, HistoryRow>) {
        list.show(
            lines, id: { $0.subject },
            make: { [daemon] line in
                let row = HistoryRow(daemon.strings) {
                    daemon.press(line.subject)
                } forgot: {
                    if case .entry(let number) = line.subject { daemon.forget(number) }
                }
                return (row, row.widget)
            }, fill: { $0.show($1) })
    }
}

@MainActor
final class HistoryRow {
    private let picture = PictureWithEmblem()
    private let row: ActionRow
    private let button: GTKWidget
    private let removal: GTKWidget
    private let spinner: GTKWidget = gtk_spinner_new()

    var widget: GTKWidget { row.widget }

    init(
        _ strings: LocalizedStrings, pressed: @escaping @MainActor () -> Void, forgot: @escaping @MainActor () -> Void
    ) {
        row = ActionRow(prefix: picture.widget)
        button = makeButton(icon: .forward, label: strings[.search], pressed)
        removal = makeButton(icon: .remove, label: strings[.search], forgot)
        for end in [spinner, removal, button] { row.add(end) }
    }

    func show(_ line: HistorySearch.Line) {
        picture.show(line.picture)
        row.show(title: line.title, details: line.details)
        row.activateAsAWhole(button, label: line.buttonLabel)
        gtk_widget_set_tooltip_text(button, line.buttonLabel)
        if let label = line.forgetLabel {
            name(removal, label)
            gtk_widget_set_tooltip_text(removal, label)
        }
        gtk_widget_set_visible(removal, line.forgetLabel == nil ? 0 : 1)
        gtk_widget_set_visible(spinner, line.isBusy ? 1 : 0)
        gtk_spinner_set_spinning(spinner.opaque, line.isBusy ? 1 : 0)
        gtk_widget_set_sensitive(button, line.isBusy ? 0 : 1)
    }
}
