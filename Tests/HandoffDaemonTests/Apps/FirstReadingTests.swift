// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The daemon starts before it has read the installed apps.
@Suite struct FirstReadingTests {
    private let notes = DeviceFixture.claimant("notes", "activitycontinuation:example.com")

    private func isWelcome(_ client: TestClient) -> Bool {
        if case .welcome? = client.answers(to: 1).first { true } else { false }
    }

    private func listed(_ fixture: DeviceFixture) -> (apps: [BundleID], problems: [String]) {
        guard
            case .launching(.appList(let apps, let problems))? = fixture.answer(fixture.script(), .launching(.listApps))
        else { return ([], ["no answer"]) }
        return (apps.map(\.bundle), problems)
    }

    @Test func programsWaitUntilTheAppsAreRead() throws {
        let fixture = try DeviceFixture("laptop", apps: [notes], readingApps: .seconds(1))
        let app = fixture.run(notes)
        let script = fixture.script()
        let request = script.request(.launching(.listApps))
        fixture.time.advance(by: .milliseconds(900))
        #expect(app.received.isEmpty && script.received.isEmpty)
        fixture.time.advance(by: .milliseconds(100))
        fixture.settle()
        #expect(isWelcome(app) && isWelcome(script))
        #expect(fixture.clients.clients.compactMap(\.bundle) == [notes.bundle])
        guard case .launching(.appList(let apps, [])) = script.answers(to: request).first else {
            Issue.record("no list without problems")
            return
        }
        #expect(apps.map(\.bundle) == [notes.bundle])
    }

    /// As the report nemo 3515: a mount that hangs delays the start.
    @Test func diskThatDoesNotRespondDelaysProgramsForTheirPatienceAlone() throws {
        let fixture = try DeviceFixture("laptop", apps: [notes], readingApps: .seconds(20))
        let app = fixture.run(notes)
        fixture.time.advance(by: AppsService.patience)
        #expect(listed(fixture).apps.isEmpty)
        #expect(
            listed(fixture).problems == ["the installed apps are still being read: a disk is slow or does not respond"])
        #expect(app.received.isEmpty, "which app it is, only its executable tells")
        fixture.time.advance(by: .seconds(18))
        #expect(isWelcome(app))
        #expect(listed(fixture) == ([notes.bundle], []))
    }

    @Test func sitesAreKeptUntilTheAppsThatClaimThemAreRead() throws {
        let store = MemoryStateStore()
        let before = try DeviceFixture("laptop", apps: [notes], store: store)
        before.put(DeviceFixture.file(listing: "ABCDE12345.com.example.notes"), on: "example.com")
        before.pass()
        #expect(before.approved("example.com") == ["com.example.notes"])
        let after = try DeviceFixture("laptop", apps: [notes], readingApps: .seconds(20), store: store)
        after.rules.policy = AdministratorPolicy(off: [PolicySubject(.receiving)])
        after.rules.policy = AdministratorPolicy()
        after.time.advance(by: .seconds(19))
        #expect(after.approved("example.com") == [])
        after.time.advance(by: .seconds(1))
        #expect(after.approved("example.com") == ["com.example.notes"])
        #expect(after.sites.asked.isEmpty)
    }

    @Test func unclaimedSitesAreForgottenWithoutInstalledApps() throws {
        let store = MemoryStateStore()
        let before = try DeviceFixture("laptop", apps: [notes], store: store)
        before.put(DeviceFixture.file(listing: "ABCDE12345.com.example.notes"), on: "example.com")
        before.pass()
        let kept = store.files
        let after = try DeviceFixture("laptop", readingApps: .seconds(1), store: store)
        #expect(store.files == kept)
        after.time.advance(by: .seconds(1))
        #expect(store.files.count == kept.count - 1)
    }
}
