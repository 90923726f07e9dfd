// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel
internal import HandoffWire

@MainActor
final class SwitchRow<Line: Switchable> {
    private let row = ActionRow()
    private let control: GTKWidget = gtk_switch_new()
    private var line: Line?

    var widget: GTKWidget { row.widget }

    init(turned: @escaping @MainActor (Line, Bool) -> Void) {
        row.add(control)
        row.activate(control, label: "")
        onGTKSignal("notify::active", of: control.raw) { [weak self] _ in
            guard let self, let line else { return }
            let isOn = gtk_switch_get_active(control.opaque) != 0
            if isOn != line.isOn { turned(line, isOn) }
        }
    }

    func show(_ line: Line) {
        self.line = line
        row.show(title: line.title, details: line.details)
        name(control, line.title)
        gtk_switch_set_active(control.opaque, line.isOn ? 1 : 0)
        gtk_widget_set_sensitive(control, line.isChangeable ? 1 : 0)
    }
}

@MainActor
final class AppRow {
    let widget: GTKWidget = adw_expander_row_new()
    private let switches: [HandoffDirection: SwitchRow<SwitchLine>]

    init(turned: @escaping @MainActor (SwitchLine, Bool) -> Void) {
        switches = Dictionary(uniqueKeysWithValues: HandoffDirection.allCases.map { ($0, SwitchRow(turned: turned)) })
        adw_preferences_row_set_use_markup(widget.cast(to: AdwPreferencesRow.self), 0)
        for direction in HandoffDirection.allCases {
            if let row = switches[direction] {
                adw_expander_row_add_row(widget.cast(to: AdwExpanderRow.self), row.widget)
            }
        }
    }

    func show(_ app: AppSummary, _ settings: SettingsPage, _ strings: LocalizedStrings) {
        let details = settings.details(of: app, strings)
        adw_preferences_row_set_title(widget.cast(to: AdwPreferencesRow.self), app.name.text)
        adw_expander_row_set_subtitle(widget.cast(to: AdwExpanderRow.self), details)
        name(widget, details.isEmpty ? app.name.text : "\(app.name.text), \(details)")
        for (direction, row) in switches { row.show(settings.line(direction, of: app.bundle, strings)) }
    }
}
