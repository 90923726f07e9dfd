// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Observers are notified once of each change of apps, with the kind of change.
@Suite struct AppsServiceTests {
    private let notes = Desk.app("notes")
    private let other = Desk.app("other", team: .made("OTHERTEAM1"))
    private let desk: Desk

    init() throws { desk = try Desk("laptop", apps: [notes]) }

    private func changes(_ work: () -> Void) -> (apps: [AppsChange], launching: [LaunchingChange]) {
        var (apps, again, launching) = ([AppsChange](), [AppsChange](), [LaunchingChange]())
        desk.apps.onChange { apps.append($0) }
        desk.apps.onChange { again.append($0) }
        desk.launching.onChange { launching.append($0) }
        work()
        desk.settle()
        #expect(apps == again)
        return (apps, launching)
    }

    @Test func appsThatCameOrWentAreToldOnce() {
        let told = changes { desk.install(other) }
        #expect(told.apps == [.installed([notes.bundle, other.bundle])])
        #expect(told.launching == [.apps(.installed([notes.bundle, other.bundle]))])
    }

    @Test func anAppThatWasReplacedIsTold() {
        var newer = notes
        newer.version = "2"
        #expect(changes { desk.install(newer) }.apps == [.installed([notes.bundle])])
    }

    @Test func unchangedAppsAreNotReported() {
        let told = changes { desk.install(notes) }
        #expect(told.apps.isEmpty && told.launching.isEmpty)
    }

    @Test func trustIsToldOfTheAppsThatItConcerns() {
        desk.install(notes, other)
        #expect(changes { desk.teams.distrust(.made("OTHERTEAM1")) }.apps == [.trust([other.bundle])])
        #expect(changes { desk.teams.distrust(.made("STRANGER99")) }.apps == [])
    }

    @Test func runningAppsAndSwitchesAreNotAppChanges() {
        desk.install(notes, other)
        let told = changes {
            _ = desk.run(notes)
            desk.rules.policy = AdministratorPolicy(off: [PolicySubject(.receiving)])
            desk.launching.used(notes.bundle)
        }
        #expect(told.apps.isEmpty)
        #expect(told.launching == [.running(notes.bundle), .switches, .used(notes.bundle)])
    }
}
