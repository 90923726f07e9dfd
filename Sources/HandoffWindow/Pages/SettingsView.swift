// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffStrings
internal import HandoffWindowModel
internal import HandoffWire

@MainActor
final class SettingsView {
    let widget: GTKWidget = adw_preferences_page_new()
    private let daemon: WindowDaemonClient
    private let window: GTKWidget
    private let device: BoxedList<PolicySubject, SwitchRow<SwitchLine>>
    private let general: BoxedList<String, PreferenceRow>
    private let apps: BoxedList<BundleID, AppRow>
    private let programs: BoxedList<PolicySubject, SwitchRow<SwitchLine>>
    private let preferred: BoxedList<PreferredProgramLine, ChoiceRow>
    private let teams: BoxedList<DeveloperTeam, ActionRow>
    private let sites: BoxedList<SiteLine, ChoiceRow>
    private var groups: [(group: GTKWidget, description: () -> String?, isShown: () -> Bool)] = []

    init(_ daemon: WindowDaemonClient, over window: GTKWidget) {
        self.daemon = daemon
        self.window = window
        let strings = daemon.strings
        device = BoxedList(label: strings[.onThisDevice])
        general = BoxedList(label: strings[.general])
        apps = BoxedList(label: strings[.apps])
        programs = BoxedList(label: strings[.programs])
        preferred = BoxedList(label: strings[.continuesIn])
        teams = BoxedList(label: strings[.teams])
        sites = BoxedList(label: strings[.sites])
        add(device.widget, strings[.onThisDevice]) { nil }
        add(general.widget, strings[.general]) { [daemon] in daemon.preferences.problem(strings) }
        add(apps.widget, strings[.apps]) { [daemon] in daemon.settings.apps.isEmpty ? strings[.noApps] : nil }
        add(programs.widget, strings[.programs], isShown: { [daemon] in !daemon.settings.programs.isEmpty }) { nil }
        add(
            preferred.widget, strings[.continuesIn],
            isShown: { [daemon] in !daemon.settings.preferenceLines(strings).isEmpty }
        ) { nil }
        add(teams.widget, strings[.teams], isShown: { [daemon] in !daemon.settings.teams.isEmpty }) { nil }
        add(sites.widget, strings[.sites], isShown: { [daemon] in daemon.settings.hasSites }) { nil }
    }

    private func add(
        _ list: GTKWidget, _ title: String, isShown: @escaping () -> Bool = { true },
        _ description: @escaping () -> String?
    ) {
        let made: GTKWidget = adw_preferences_group_new()
        let group = made.cast(to: AdwPreferencesGroup.self)
        adw_preferences_group_set_title(group, title)
        adw_preferences_group_add(group, list)
        adw_preferences_page_add(widget.cast(to: AdwPreferencesPage.self), group)
        groups.append((made, description, isShown))
    }

    func show() {
        let (strings, settings) = (daemon.strings, daemon.settings)
        device.show(
            HandoffDirection.allCases.map { settings.line($0, strings) }, id: { $0.subject },
            make: { [daemon] _ in
                let row = SwitchRow { daemon.turn($0, on: $1) }
                return (row, row.widget)
            }, fill: { $0.show($1) })
        general.show(
            daemon.preferences.lines(strings), id: { $0.key },
            make: { [daemon] line in
                let row = PreferenceRow(line) { daemon.choose($1, for: $0) }
                return (row, row.widget)
            }, fill: { $0.show($1) })
        apps.show(
            settings.apps, id: { $0.bundle },
            make: { [daemon] _ in
                let row = AppRow { daemon.turn($0, on: $1) }
                return (row, row.widget)
            }, fill: { $0.show($1, settings, strings) })
        programs.show(
            settings.programLines(strings), id: { $0.subject },
            make: { [daemon] _ in
                let row = SwitchRow { daemon.turn($0, on: $1) }
                return (row, row.widget)
            }, fill: { $0.show($1) })
        preferred.show(
            settings.preferenceLines(strings), id: { $0 },
            make: { [daemon] line in
                let row = ChoiceRow(line.choice) { daemon.choose($1, for: line) }
                return (row, row.widget)
            }, fill: { $0.show($1.choice) })
        teams.show(
            settings.teams, id: { $0.team },
            make: { [unowned self] team in
                let row = ActionRow()
                row.add(
                    makeButton(icon: .remove, label: strings(.distrustLabel, team.name.text)) {
                        self.distrust(team)
                    })
                return (row, row.widget)
            },
            fill: { row, team in
                row.show(title: team.name.text, details: strings(.teamDetail, team.team.description, "\(team.apps)"))
            })
        sites.show(
            settings.siteLines(strings), id: { $0 },
            make: { [daemon] line in
                let row = ChoiceRow(line.choice) { daemon.choose($1, for: line) }
                return (row, row.widget)
            }, fill: { $0.show($1.choice) })
        for (group, description, isShown) in groups {
            adw_preferences_group_set_description(
                group.cast(to: AdwPreferencesGroup.self), description().map(escaped))
            gtk_widget_set_visible(group, isShown() ? 1 : 0)
        }
    }

    private func distrust(_ team: TeamSummary) {
        let strings = daemon.strings
        Question(
            heading: strings(.distrustHeading, team.name.text), body: strings[.distrustBody], cancel: strings[.cancel],
            deed: strings[.distrust], isDestructive: true
        ).ask(over: window) { [daemon] in daemon.distrust(team.team) }
    }
}

@MainActor
private enum PreferenceRow {
    case choice(ChoiceRow)
    case toggle(SwitchRow<ChoiceLine>)

    init(_ line: ChoiceLine, chose: @escaping @MainActor (ChoiceLine, Int) -> Void) {
        self = line.isSwitch ? .toggle(SwitchRow { chose($0, $1 ? 0 : 1) }) : .choice(ChoiceRow(line, chose: chose))
    }

    var widget: GTKWidget {
        switch self {
        case .choice(let row): row.widget
        case .toggle(let row): row.widget
        }
    }

    func show(_ line: ChoiceLine) {
        switch self {
        case .choice(let row): row.show(line)
        case .toggle(let row): row.show(line)
        }
    }
}
