// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Apps with desktop entries: their starts and identities.
// Shows L02.
@Suite struct EntryLaunchTests {
    private let fixture: DeviceFixture
    private let notes = DeviceFixture.entry("notes")

    init() throws { fixture = try DeviceFixture("laptop", apps: [notes]) }

    private final class Outcome { var results: [Result<any Client, Failure>] = [] }

    private func ensureRunning(activation: ActivationToken? = nil, deadline: Duration = .seconds(10)) -> Outcome {
        let outcome = Outcome()
        fixture.launching.ensureRunning(
            notes.bundle, for: DeviceFixture.editing, activation: activation, deadline: deadline
        ) {
            outcome.results.append($0)
        }
        return outcome
    }

    private func failure(_ outcome: Outcome) -> Failure? {
        guard case .failure(let failure)? = outcome.results.first else { return nil }
        return failure
    }

    /// A program that the bus started: without a token, identified by its bus name.
    private func call(names: [String], by door: String = DeviceFixture.busDoor) -> TestClient {
        let client = fixture.listener.connect(executable: door)
        let caller = BusCaller(processID: 7, file: .init(path: "/usr/bin/python3", device: 0, inode: 0), names: names)
        client.hello(
            LocalHello(role: .app, bundle: notes.bundle, name: notes.name, receives: true, caller: caller))
        fixture.settle()
        return client
    }

    @Test func activationTokenIsPassedToTheLaunch() throws {
        let token = try ActivationToken("window-7")
        _ = ensureRunning(activation: token)
        #expect(fixture.launcher.launches.map(\.activation) == [token])
    }

    @Test func anAppThatTheBusStartedSettlesTheWaitByItsName() {
        fixture.launcher.standard = .silent
        let outcome = ensureRunning()
        #expect(fixture.launcher.launches.count == 1)
        _ = call(names: ["org.example.other"])
        #expect(outcome.results.isEmpty, "it shows nothing")
        _ = call(names: ["com.example.notes"])
        #expect((try? outcome.results.first?.get())?.bundle == notes.bundle)
        #expect(outcome.results.count == 1)
    }

    /// Shows T09.
    @Test func onlyTheBusExecutableReportsOwnedNames() {
        _ = call(names: ["com.example.notes"], by: "/usr/bin/python3")
        #expect(fixture.clients.clients.isEmpty)
    }

    @Test func theWaitForAnAppThatTheBusStartedIsBounded() {
        fixture.launcher.standard = .silent
        let outcome = ensureRunning(deadline: .seconds(3))
        fixture.time.advance(by: .seconds(4))
        #expect(failure(outcome) == Failure(.appDidNotStart, ""))
        #expect(failure(outcome)?.reason == "notes did not say hello in time")
    }

    @Test func theReasonForAFailedStartIsReported() {
        fixture.launcher.standard = .ends(.notStarted(reason: "cannot start /opt/notes: No such file"), after: .zero)
        let outcome = ensureRunning()
        fixture.settle()
        #expect(failure(outcome)?.reason == "notes could not be started: cannot start /opt/notes: No such file")
    }

    // MARK: Changed entries

    @Test func changedEntryIsReadAgainBeforeTheLaunch() {
        var changed = notes
        changed.entry?.way = .command(AppCommand(executable: "/usr/bin/notes"))
        fixture.catalog.installed = [changed]
        fixture.catalog.outdated = [notes.bundle]
        _ = ensureRunning()
        fixture.settle()
        #expect(fixture.launcher.launches.map(\.app) == [changed])
    }

    @Test func anEntryThatIsGoneStartsNothing() {
        fixture.catalog.installed = []
        fixture.catalog.outdated = [notes.bundle]
        let outcome = ensureRunning()
        fixture.settle()
        #expect(fixture.launcher.launches.isEmpty)
        #expect(failure(outcome)?.code == .appDidNotStart)
        #expect(failure(outcome)?.reason.hasPrefix("com.example.notes is no longer installed") == true)
    }

    @Test func entryThatKeepsChangingIsNotLaunched() {
        fixture.catalog.staysOutdated = true
        fixture.catalog.outdated = [notes.bundle]
        let outcome = ensureRunning()
        fixture.settle()
        #expect(fixture.launcher.launches.isEmpty)
        #expect(failure(outcome)?.reason == "the desktop entry of notes changed while it was read")
    }

    @Test func aListedAppSaysItsEntry() throws {
        let client = fixture.listener.connect(executable: "/usr/bin/handoff")
        client.hello(LocalHello(role: .control, name: DisplayText(cleaning: "handoff")))
        let request = client.request(.launching(.listApps))
        fixture.settle()
        guard case .launching(.appList(let apps, _))? = client.answers(to: request).first else {
            Issue.record("no list")
            return
        }
        #expect(apps.map(\.entry) == [notes.path])
        #expect(apps.map(\.isInDevelopment) == [false])
        #expect(apps.map(\.team) == [DeviceFixture.personal])
    }
}
