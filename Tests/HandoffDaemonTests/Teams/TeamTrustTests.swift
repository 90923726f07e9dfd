// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The effects of a team's key and the user's trust, on two devices of one account. Shows B03, X10.
@Suite struct TeamTrustTests {
    private let laptop: DeviceFixture
    private let desktop: DeviceFixture
    private let team = DeveloperTeam.made("ABCDE12345")
    private let editor = DeviceFixture.app("editor")

    init() throws {
        laptop = try DeviceFixture("laptop", apps: [DeviceFixture.app("editor")])
        desktop = try DeviceFixture("desktop", number: 2, time: laptop.time, apps: [DeviceFixture.app("editor")])
        laptop.join(desktop)
    }

    /// Shows T08, B03: the same bundle, the same Team ID, the same type, another key.
    @Test func teamsOfOneTeamIDAndTwoKeysNeverMeet() throws {
        let stranger = try DeviceFixture(
            "tablet", number: 3, time: laptop.time,
            apps: [DeviceFixture.app("editor", team: .made("ABCDE12345", key: 2))])
        laptop.join(stranger)
        laptop.publish(1, by: laptop.run(editor))
        #expect(desktop.list().activities == [DeviceFixture.activity(1)])
        #expect(stranger.list().isEmpty)
        let why =
            "editor supports this activity type but belongs to another team that also calls itself ABCDE12345, with a different key"
        #expect(stranger.list(all: true).map(\.target) == [.nothing(why)])
    }

    /// Shows B02: removed from boards immediately, without a message to the app.
    @Test func distrustingTakesTheTeamsActivitiesOffTheBoard() {
        let app = laptop.run(editor)
        laptop.publish(1, by: app)
        #expect(desktop.list().count == 1)
        laptop.teams.distrust(team)
        laptop.settle()
        #expect(desktop.list(all: true).isEmpty)
        #expect(laptop.list(all: true).isEmpty)
        #expect(laptop.publish(2, by: app) == .done(accepted: true))
        #expect(desktop.list(all: true).isEmpty)

        laptop.teams.trust(team)
        laptop.settle()
        #expect(desktop.list().activities == [DeviceFixture.activity(2)])
    }

    @Test func distrustingTakesTheTeamsActivitiesFromWhatIsShown() {
        laptop.publish(1, by: laptop.run(editor))
        let watched = desktop.watch()
        #expect(watched().last?.count == 1)
        desktop.teams.distrust(team)
        desktop.settle()
        #expect(watched().last?.isEmpty == true)
        let why = "editor supports this activity type, but team ABCDE12345 is not trusted on this device"
        #expect(desktop.list(all: true).map(\.target) == [.nothing(why)])

        desktop.teams.trust(team)
        desktop.settle()
        #expect(watched().last?.activities == [DeviceFixture.activity(1)])
    }

    @Test func appOfADistrustedTeamIsNotStarted() {
        desktop.teams.distrust(team)
        var failure: Failure?
        desktop.launching.ensureRunning(
            editor.bundle, for: DeviceFixture.editing, activation: nil, deadline: .seconds(1)
        ) {
            result in
            if case .failure(let found) = result { failure = found }
        }
        #expect(failure == Failure(.noApp, ""))
        #expect(desktop.launcher.launches.isEmpty)
    }

    @Test func distrustingLeavesOtherTeamsAlone() throws {
        let notes = DeviceFixture.app("notes", team: .made("NOTES12345", key: 2))
        laptop.catalog.installed.append(notes)
        _ = laptop.answer(laptop.script(), .launching(.reloadApps))
        laptop.publish(1, by: laptop.run(notes))
        laptop.publish(2, by: laptop.script(), type: DeviceFixture.reading)
        laptop.teams.distrust(team)
        laptop.settle()
        #expect(Set(desktop.list(all: true).activities) == [DeviceFixture.activity(1), DeviceFixture.activity(2)])
    }

    /// Shows X10: removing an app withdraws its offers, although its process lives on.
    @Test func removingAnAppTakesItsActivitiesOffTheBoard() {
        laptop.publish(1, by: laptop.run(editor))
        laptop.catalog.installed = []
        _ = laptop.answer(laptop.script(), .launching(.reloadApps))
        #expect(desktop.list(all: true).isEmpty)
    }

    /// Shows B03, L09: an app under development can exchange activities with the account's scripts only.
    @Test func appUnderDevelopmentIsOfThePersonalTeam() throws {
        let draft = DeviceFixture.app("draft", team: nil)
        let drafts = try DeviceFixture("tablet", number: 3, time: laptop.time, apps: [draft])
        laptop.join(drafts)
        laptop.publish(1, by: laptop.run(editor))
        laptop.publish(2, by: laptop.script())
        #expect(drafts.list().map(\.target) == [.app(draft.bundle)])
        #expect(drafts.list().activities == [DeviceFixture.activity(2)])

        drafts.publish(3, by: drafts.run(draft))
        #expect(laptop.list().map(\.target) == [.script])
        #expect(laptop.list().map(\.offer.isFromDevelopment) == [true])
    }
}
