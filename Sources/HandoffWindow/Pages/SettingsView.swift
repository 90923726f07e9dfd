// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import CGTK
internal import HandoffGTKCalls
internal import HandoffWindowModel
internal import HandoffWire
internal import HandoffWords

@MainActor
final class SettingsView {
    let widget: GTKWidget = adw_preferences_page_new()
    private let desk: WindowDesk
    private let window: GTKWidget
    private let device: BoxedList<PolicySubject, SwitchRow>
    private let general: BoxedList<String, ChoiceRow>
    private let apps: BoxedList<BundleID, AppRow>
    private let teams: BoxedList<DeveloperTeam, ActionRow>
    private let sites: BoxedList<SiteLine, ChoiceRow>
    private var groups: [(group: UnsafeMutablePointer<AdwPreferencesGroup>, description: () -> String?)] = []

    init(_ desk: WindowDesk, over window: GTKWidget) {
        self.desk = desk
        self.window = window
        let words = desk.words
        device = BoxedList(label: words[.onThisDevice])
        general = BoxedList(label: words[.general])
        apps = BoxedList(label: words[.apps])
        teams = BoxedList(label: words[.teams])
        sites = BoxedList(label: words[.sites])
        add(device.widget, words[.onThisDevice]) { nil }
        add(general.widget, words[.general]) { [desk] in desk.preferences.problem(words) }
        add(apps.widget, words[.apps]) { [desk] in desk.settings.apps.isEmpty ? words[.noApps] : nil }
        add(teams.widget, words[.teams]) { [desk] in desk.settings.teams.isEmpty ? words[.noTeams] : nil }
        add(sites.widget, words[.sites]) { [desk] in
            desk.settings.sites.isEmpty && desk.settings.choices.isEmpty ? words[.noSites] : nil
        }
    }

    /// `description`: the text below the title, if any.
    private func add(_ list: GTKWidget, _ title: String, _ description: @escaping () -> String?) {
        let made: GTKWidget = adw_preferences_group_new()
        let group = made.cast(to: AdwPreferencesGroup.self)
        adw_preferences_group_set_title(group, title)
        adw_preferences_group_add(group, list)
        adw_preferences_page_add(widget.cast(to: AdwPreferencesPage.self), group)
        groups.append((group, description))
    }

    func show() {
        let (words, settings) = (desk.words, desk.settings)
        device.show(
            HandoffDirection.allCases.map { settings.line($0, words) }, id: { $0.subject },
            make: { [desk] _ in
                let row = SwitchRow { desk.turn($0, on: $1) }
                return (row, row.widget)
            }, fill: { $0.show($1) })
        general.show(
            desk.preferences.lines(words), id: { $0.key },
            make: { [desk] line in
                let row = ChoiceRow(line) { desk.choose($1, for: $0) }
                return (row, row.widget)
            }, fill: { $0.show($1) })
        apps.show(
            settings.apps, id: { $0.bundle },
            make: { [desk] _ in
                let row = AppRow { desk.turn($0, on: $1) }
                return (row, row.widget)
            }, fill: { $0.show($1, settings, words) })
        teams.show(
            settings.teams, id: { $0.team },
            make: { [unowned self] team in
                let row = ActionRow()
                row.add(
                    makeButton(icon: .remove, label: words(.distrustLabel, team.name.text)) {
                        self.distrust(team)
                    })
                return (row, row.widget)
            },
            fill: { row, team in
                row.show(title: team.name.text, details: words(.teamDetail, team.team.description, "\(team.apps)"))
            })
        sites.show(
            settings.siteLines(words), id: { $0 },
            make: { [desk] line in
                let row = ChoiceRow(line.choice) { desk.choose($1, for: line) }
                return (row, row.widget)
            }, fill: { $0.show($1.choice) })
        for (group, description) in groups {
            adw_preferences_group_set_description(group, description().map(escaped))
        }
    }

    private func distrust(_ team: TeamSummary) {
        let words = desk.words
        Question(
            heading: words(.distrustHeading, team.name.text), body: words[.distrustBody], cancel: words[.cancel],
            deed: words[.distrust], isDestructive: true
        ).ask(over: window) { [desk] in desk.distrust(team.team) }
    }
}
