// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Observers are notified once of each change of apps, with the kind of change.
@Suite struct AppsServiceTests {
    private let notes = DeviceFixture.app("notes")
    private let other = DeviceFixture.app("other", team: .made("OTHERTEAM1"))
    private let fixture: DeviceFixture

    init() throws { fixture = try DeviceFixture("laptop", apps: [notes]) }

    private func changes(_ work: () -> Void) -> (apps: [AppsChange], launching: [LaunchingChange]) {
        var (apps, again, launching) = ([AppsChange](), [AppsChange](), [LaunchingChange]())
        fixture.apps.onChange { apps.append($0) }
        fixture.apps.onChange { again.append($0) }
        fixture.launching.onChange { launching.append($0) }
        work()
        fixture.settle()
        #expect(apps == again)
        return (apps, launching)
    }

    @Test func installedAndRemovedAppsAreReportedOnce() {
        let told = changes { fixture.install(other) }
        #expect(told.apps == [.installed([notes.bundle, other.bundle])])
        #expect(told.launching == [.apps(.installed([notes.bundle, other.bundle]))])
    }

    @Test func aReplacedAppIsReported() {
        var newer = notes
        newer.version = "2"
        #expect(changes { fixture.install(newer) }.apps == [.installed([notes.bundle])])
    }

    @Test func unchangedAppsAreNotReported() {
        let told = changes { fixture.install(notes) }
        #expect(told.apps.isEmpty && told.launching.isEmpty)
    }

    @Test func trustChangesNameTheAffectedApps() {
        fixture.install(notes, other)
        #expect(changes { fixture.teams.distrust(.made("OTHERTEAM1")) }.apps == [.trust([other.bundle])])
        #expect(changes { fixture.teams.distrust(.made("STRANGER99")) }.apps == [])
    }

    @Test func runningAppsAndSwitchesAreNotAppChanges() {
        fixture.install(notes, other)
        let told = changes {
            _ = fixture.run(notes)
            fixture.rules.policy = AdministratorPolicy(off: [PolicySubject(.receiving)])
            fixture.launching.used(notes.bundle)
        }
        #expect(told.apps.isEmpty)
        #expect(told.launching == [.running(notes.bundle), .switches, .used(notes.bundle)])
    }
}
