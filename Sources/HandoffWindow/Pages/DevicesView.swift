// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel
internal import HandoffWire

@MainActor
final class DevicesView {
    let widget: GTKWidget = adw_preferences_page_new()
    private let daemon: WindowDaemonClient
    private let list: BoxedList<DeviceID, DeviceRow>
    private let group: UnsafeMutablePointer<AdwPreferencesGroup>
    private let window: GTKWidget
    private let recoveryKey: RecoveryKeyGroup

    init(_ daemon: WindowDaemonClient, over window: GTKWidget, addDevice: @escaping @MainActor () -> Void) {
        self.daemon = daemon
        self.window = window
        recoveryKey = RecoveryKeyGroup(daemon, over: window)
        list = BoxedList(label: daemon.strings[.devices])
        let made: GTKWidget = adw_preferences_group_new()
        group = made.cast(to: AdwPreferencesGroup.self)
        adw_preferences_group_set_title(group, daemon.strings[.devices])
        adw_preferences_group_set_header_suffix(
            group, makeButton(daemon.strings[.addDevice], styles: ["suggested-action"], addDevice))
        adw_preferences_group_add(group, list.widget)
        for group in [made, recoveryKey.widget] {
            adw_preferences_page_add(
                widget.cast(to: AdwPreferencesPage.self), group.cast(to: AdwPreferencesGroup.self))
        }
    }

    func show() {
        recoveryKey.show()
        let warnings = daemon.warnings.joined(separator: "\n\n")
        adw_preferences_group_set_description(group, warnings.isEmpty ? nil : escaped(warnings))
        list.show(
            daemon.deviceLines, id: { $0.id },
            make: { [unowned self] line in
                let row = DeviceRow(
                    line, daemon.strings, rename: { self.rename(line.id) },
                    notify: { self.daemon.setNotifications(of: line.id, on: $0) },
                    remove: { line.isThisDevice ? self.leave() : self.remove(line.id) })
                return (row, row.widget)
            }, fill: { $0.show($1) })
    }

    private func line(_ device: DeviceID) -> DeviceLine? {
        daemon.deviceLines.first { $0.id == device }
    }

    private func rename(_ device: DeviceID) {
        guard let line = line(device) else { return }
        let strings = daemon.strings
        let entry: GTKWidget = gtk_entry_new()
        gtk_editable_set_text(entry.opaque, line.plainName)
        gtk_entry_set_activates_default(entry.cast(to: GtkEntry.self), 1)
        describeGTKWidget(entry, as: strings[.newName])
        Question(
            heading: strings(.renameLabel, line.name), cancel: strings[.cancel], deed: strings[.rename], child: entry
        ).ask(over: window) { [daemon] in
            let name = gtk_editable_get_text(entry.opaque).map { String(cString: $0) } ?? ""
            if !name.isEmpty { daemon.rename(device, to: name) }
        }
    }

    private func leave() {
        let strings = daemon.strings
        let parts = [strings[.leaveBody]] + (daemon.isOnlyDevice ? [strings[.leaveLast]] : [])
        Question(
            heading: strings[.leaveHeading], body: parts.joined(separator: "\n\n"), cancel: strings[.cancel],
            deed: strings[.leave], isDestructive: true
        ).ask(over: window) { [daemon] in daemon.leaveAccount() }
    }

    private func remove(_ device: DeviceID) {
        daemon.considerRemoving(device) { [weak self] question in
            guard let self else { return }
            let strings = daemon.strings
            var dialog = Question(
                heading: question.heading, body: question.body, cancel: strings[.cancel], deed: strings[.remove],
                isDestructive: true)
            if question.offersAll {
                dialog.other = Question.Other(deed: strings[.removeAll]) { [daemon] in
                    daemon.remove(question.device, withAdmitted: true)
                }
            }
            dialog.ask(over: window) { [daemon] in daemon.remove(question.device) }
        }
    }
}

@MainActor
private struct DeviceRow {
    private let row: ActionRow
    private let bell: GTKWidget = gtk_toggle_button_new()
    private let rename: GTKWidget
    private let remove: GTKWidget
    private let strings: LocalizedStrings

    var widget: GTKWidget { row.widget }

    init(
        _ line: DeviceLine, _ strings: LocalizedStrings, rename: @escaping @MainActor () -> Void,
        notify: @escaping @MainActor (Bool) -> Void, remove: @escaping @MainActor () -> Void
    ) {
        self.strings = strings
        row = ActionRow(icon: line.icon)
        self.rename = makeButton(icon: .edit, label: strings(.renameLabel, line.name), rename)
        self.remove = makeButton(icon: line.isThisDevice ? .leave : .remove, label: "", remove)
        gtk_widget_add_css_class(bell, "flat")
        onGTKSignal("toggled", of: bell.raw) { [bell] _ in
            notify(gtk_toggle_button_get_active(bell.cast(to: GtkToggleButton.self)) != 0)
        }
        row.add(bell)
        row.add(self.rename)
        row.add(self.remove)
    }

    func show(_ line: DeviceLine) {
        row.show(title: line.name, details: line.details, icon: line.icon)
        gtk_widget_set_tooltip_text(row.widget, line.hint)
        gtk_widget_set_visible(bell, line.notifies == nil ? 0 : 1)
        if let notifies = line.notifies {
            gtk_button_set_icon_name(bell.cast(to: GtkButton.self), (notifies ? Icon.notifying : .silent).rawValue)
            gtk_toggle_button_set_active(bell.cast(to: GtkToggleButton.self), notifies ? 1 : 0)
        }
        let removal = line.isThisDevice ? strings[.leaveLabel] : strings(.removeLabel, line.name)
        let bellLabel = strings(.notificationsOf, line.name)
        for (button, label) in [(bell, bellLabel), (rename, strings(.renameLabel, line.name)), (remove, removal)] {
            gtk_widget_set_tooltip_text(button, label)
            describeGTKWidget(button, as: label)
        }
    }
}
