// SPDX-License-Identifier: Apache-2.0

internal import HandoffClient
package import HandoffIcons
package import HandoffStrings
package import HandoffWire

extension WindowDaemonClient {
    package var canPause: Bool { status?.policy.canBePaused == true }
    package var isPaused: Bool { status?.policy.pausedUntil != nil }

    package func pause(_ pause: Pause) { change(status?.policy.pausing(pause, at: .now) ?? []) }
    package func resume() { change(status?.policy.resuming ?? []) }

    private func change(_ changes: [PolicyChange]) {
        for one in changes { change(.policy(.setPolicy(one))) }
        refreshStatus()
    }

    package func turn(_ line: SwitchLine, on: Bool) {
        if let message = line.turned(on: on) { change(message) }
    }

    package func choose(_ index: Int, for site: SiteLine) {
        if let message = site.chose(index) { change(message) }
    }

    package func choose(_ index: Int, for programs: PreferredProgramLine) {
        if let message = programs.chose(index) { change(message) }
    }

    package func choose(_ index: Int, for line: ChoiceLine) {
        guard let value = line.chose(index) else { return }
        settle(preferencesFile.set(line.key, to: value))
    }

    package func setNotifications(of id: DeviceID, on: Bool) {
        guard let device = devices.first(where: { $0.device == id }), preferences.notifies(of: device) != on else {
            return
        }
        settle(preferencesFile.setNotifications(of: device, on: on))
    }

    package func distrust(_ team: DeveloperTeam) { change(.teams(.distrustTeam(team.key))) }

    // MARK: Requests

    package func refreshSettings() {
        let questions: [LocalMessage] = [
            .policy(.showPolicy()), .launching(.listApps), .teams(.listTeams), .webLinks(.listSites),
            .webChoices(.listWebChoices),
        ]
        for question in questions {
            link.request(question) { [weak self] answer in
                guard let self, case .success(let message) = answer else { return }
                let before = settings
                settings.heard(message)
                pictures.installed(settings.installed ?? [])
                guard settings != before else { return }
                changed(.settings)
                if settings.installed != before.installed { updateApps() }
            }
        }
        refreshPreferences()
    }

    private func refreshPreferences() {
        let before = preferences
        preferences = preferencesFile.read()
        guard preferences != before else { return }
        changed(.settings)
        changed(.devices)
    }

    /// After a change of the file. `problem`: an error message.
    func settle(_ problem: String?) {
        if let problem { said(strings(.settingsNotWritten, problem)) }
        preferences = preferencesFile.read()
        // Resets a selection after a failure.
        changed(.settings)
        changed(.devices)
    }

    /// Requests the new state after the change was made or refused.
    func change(_ message: LocalMessage) {
        link.request(message) { [weak self] answer in
            guard let self else { return }
            if case .failure(let failure) = answer { said(explain(failure).text) }
            refreshSettings()
            // Resets a switch after a failure.
            changed(.settings)
        }
    }

    // MARK: Browsers

    package func lookForBrowsers() { browsers.look() }

    /// Nil: not known yet.
    package var browserLines: [BrowserLine]? {
        guard let status else { return nil }
        return browsers.found.map { BrowserLine.lines($0, connected: status.browsers, strings) }
    }

    package func picture(of app: BundleID) -> AppPicture? { pictures[app] }

    /// `then` is called if that is done.
    package func setUp(_ line: BrowserLine, then: @escaping @MainActor () -> Void) {
        browsers.register(line.id) { [weak self] problem in
            guard let self else { return }
            switch problem {
            case nil: then()
            case .noProgram(let path)?: said(strings(.browserHostMissing, path))
            case .failure(let failure)?: said(explain(failure).text)
            }
        }
    }
}
