// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Clients whose executables take long to read, in virtual time.
@Suite struct IdentifyingTests {
    private let fixture: DeviceFixture
    private let work: VirtualWork
    private let editor = DeviceFixture.app("editor")
    private let reader = DeviceFixture.app("reader")

    init() throws {
        fixture = try DeviceFixture("laptop", apps: [editor, reader])
        work = fixture.work
        fixture.catalog.work = work
    }

    /// It has sent its hello, and reading its executable takes that long.
    private func connect(_ app: InstalledApp, reading: Duration) -> TestClient {
        let client = fixture.listener.connect(executable: app.executable)
        client.hello(LocalHello(role: .app, bundle: app.bundle, name: app.name, receives: true))
        work.takes = reading
        fixture.settle()
        work.takes = .zero
        return client
    }

    private func isWelcome(_ client: TestClient) -> Bool {
        if case .welcome? = client.answers(to: 1).first { true } else { false }
    }

    @Test func aLargeExecutableHoldsUpItsOwnClientAlone() {
        let slow = connect(editor, reading: .seconds(5))
        #expect(slow.received.isEmpty)
        var rang: Instant?
        let alarm = fixture.time.makeAlarm { rang = fixture.time.now }
        let due = fixture.time.now.advanced(by: .seconds(1))
        alarm.set(due)
        // A script has no known executable; another app has its own.
        let script = fixture.script()
        #expect(isWelcome(script))
        #expect(fixture.answer(script, .launching(.listApps)) != nil)
        #expect(isWelcome(connect(reader, reading: .zero)))
        fixture.time.advance(by: .seconds(2))
        #expect(rang == due)
        #expect(slow.received.isEmpty && !slow.isClosed)
        fixture.time.advance(by: .seconds(3))
        #expect(isWelcome(slow))
        #expect(fixture.clients.clients.map(\.bundle) == [nil, reader.bundle, editor.bundle])
    }

    @Test func requestsDuringIdentificationKeepTheirOrder() {
        let slow = connect(editor, reading: .seconds(15))
        let requests = [
            slow.request(.launching(.listApps)), slow.request(.hello(LocalHello(role: .app, name: editor.name))),
        ]
        // Longer than the time limit for a hello, which it has sent.
        fixture.time.advance(by: .seconds(14))
        #expect(slow.received.isEmpty && !slow.isClosed)
        fixture.time.advance(by: .seconds(2))
        #expect(slow.received.map(\.answer) == [1] + requests)
        // The second hello is refused as always.
        #expect(slow.answers(to: requests[1]) == [.failure(Failure(.malformed, ""))])
        #expect(slow.isClosed)
    }

    @Test func tooManyRequestsDuringIdentificationCloseTheClient() {
        let slow = connect(editor, reading: .seconds(5))
        for _ in 0..<ClientLimits().heldFrames { slow.request(.launching(.listApps)) }
        fixture.settle()
        #expect(!slow.isClosed)
        slow.request(.launching(.listApps))
        fixture.settle()
        #expect(slow.received.map(\.message) == [.failure(Failure(.limitReached, ""))])
        #expect(slow.isClosed)
        fixture.time.advance(by: .seconds(6))
        #expect(fixture.clients.clients.isEmpty)
    }

    @Test func clientThatClosesDuringIdentificationIsForgotten() {
        let slow = connect(editor, reading: .seconds(5))
        slow.request(.launching(.listApps))
        slow.close()
        fixture.time.advance(by: .seconds(6))
        #expect(fixture.clients.clients.isEmpty)
        #expect(slow.received.isEmpty)
        #expect(fixture.apps.all.count == 2)
    }

    // Shows T09.
    @Test func alteredAppIsRefusedOnceItsCheckFinishes() {
        fixture.catalog.altered = [editor.bundle]
        let slow = connect(editor, reading: .seconds(5))
        #expect(!slow.isClosed)
        fixture.time.advance(by: .seconds(5))
        #expect(slow.answers(to: 1) == [.failure(Failure(.notAllowed, ""))])
    }

    /// The executable is compared with the apps installed at that time.
    @Test func clientIsIdentifiedByTheAppsInstalledAfterTheCheck() {
        let slow = connect(editor, reading: .seconds(5))
        fixture.catalog.installed = [reader]
        let script = fixture.script()
        #expect(fixture.answer(script, .launching(.reloadApps)) == .done(accepted: true))
        fixture.time.advance(by: .seconds(5))
        #expect(isWelcome(slow))
        #expect(fixture.clients.clients.map(\.audience) == [.control, .script])
    }

    @Test func aRestartIsAnotherClient() {
        let first = connect(editor, reading: .seconds(5))
        first.close()
        let second = connect(editor, reading: .seconds(1))
        fixture.time.advance(by: .seconds(2))
        #expect(isWelcome(second) && first.received.isEmpty)
        fixture.time.advance(by: .seconds(5))
        #expect(fixture.clients.clients.map(\.bundle) == [editor.bundle])
        #expect(first.received.isEmpty)
    }

    @Test func fullWorkQueueRefusesTheClient() {
        var limits = WorkLimits()
        limits.waiting = 0
        fixture.catalog.work = VirtualWork(time: fixture.time, limits: limits)
        let client = connect(editor, reading: .zero)
        #expect(client.answers(to: 1) == [.failure(Failure(.limitReached, ""))])
        #expect(client.isClosed)
    }

    @Test func aDaemonThatStopsLeavesNothingBehind() {
        let slow = connect(editor, reading: .seconds(5))
        fixture.clients.stop()
        fixture.launching.stop()
        work.stop()
        fixture.time.advance(by: .seconds(6))
        #expect(!isWelcome(slow))
        #expect(fixture.clients.clients.isEmpty)
    }

    // MARK: Apps that are checked before the start

    private final class Outcome { var results: [Result<any Client, Failure>] = [] }

    private func ensureRunning(reading: Duration, deadline: Duration = .seconds(3)) -> Outcome {
        work.takes = reading
        defer { work.takes = .zero }
        let outcome = Outcome()
        fixture.launching.ensureRunning(editor.bundle, for: DeviceFixture.editing, activation: nil, deadline: deadline)
        {
            outcome.results.append($0)
        }
        return outcome
    }

    @Test func anAppIsStartedOnceItIsKnownToBeIntact() {
        let outcome = ensureRunning(reading: .seconds(1))
        fixture.time.advance(by: .milliseconds(999))
        #expect(fixture.launcher.launches.isEmpty)
        fixture.time.advance(by: .seconds(1))
        #expect(fixture.launcher.launches.count == 1)
        #expect(outcome.results.count == 1)
    }

    @Test func expiredStartRequestLaunchesNoApp() {
        let outcome = ensureRunning(reading: .seconds(5))
        fixture.time.advance(by: .seconds(3))
        #expect(outcome.results.count == 1)
        fixture.time.advance(by: .seconds(3))
        #expect(fixture.launcher.launches.isEmpty)
    }

    @Test func anAppThatConnectsDuringTheReadIsNotStartedAgain() {
        let outcome = ensureRunning(reading: .seconds(2))
        _ = connect(editor, reading: .milliseconds(1))
        #expect(outcome.results.count == 1)
        fixture.time.advance(by: .seconds(3))
        #expect(fixture.launcher.launches.isEmpty)
        #expect(outcome.results.count == 1)
    }

    @Test func aVersionInstalledDuringTheReadIsStarted() {
        let outcome = ensureRunning(reading: .seconds(1))
        var newer = editor
        newer.version = "2"
        fixture.catalog.installed = [newer, reader]
        fixture.apps.reload { _ in }
        fixture.time.advance(by: .seconds(2))
        #expect(fixture.launcher.launches.map(\.app.version) == ["2"])
        #expect(outcome.results.count == 1)
    }

    @Test func anAppRemovedDuringTheReadIsNotStarted() {
        let outcome = ensureRunning(reading: .seconds(1))
        fixture.catalog.installed = [reader]
        fixture.apps.reload { _ in }
        fixture.time.advance(by: .seconds(2))
        #expect(fixture.launcher.launches.isEmpty)
        guard case .failure(let failure)? = outcome.results.first else {
            Issue.record("\(outcome.results)")
            return
        }
        #expect(failure == Failure(.appDidNotStart, "") && outcome.results.count == 1)
    }

    @Test func anAppThatCannotBeCheckedIsNotStarted() {
        var limits = WorkLimits()
        limits.waiting = 0
        fixture.catalog.work = VirtualWork(time: fixture.time, limits: limits)
        let outcome = ensureRunning(reading: .zero)
        #expect(fixture.launcher.launches.isEmpty)
        guard case .failure(let failure)? = outcome.results.first else {
            Issue.record("\(outcome.results)")
            return
        }
        #expect(failure == Failure(.appDidNotStart, ""))
    }

    @Test func fullWorkQueueRefusesAReload() {
        let script = fixture.script()
        var limits = WorkLimits()
        limits.waiting = 0
        fixture.catalog.work = VirtualWork(time: fixture.time, limits: limits)
        #expect(fixture.answer(script, .launching(.reloadApps)) == .failure(Failure(.limitReached, "")))
    }

    @Test func aReloadIsAnsweredOnceAllIsRead() {
        let script = fixture.script()
        fixture.catalog.installed.append(DeviceFixture.app("notes"))
        work.takes = .seconds(2)
        let request = script.request(.launching(.reloadApps))
        fixture.settle()
        work.takes = .zero
        // A client that connects in the meantime is compared with the apps installed afterwards.
        let notes = connect(DeviceFixture.app("notes"), reading: .zero)
        #expect(script.answers(to: request).isEmpty && notes.received.isEmpty)
        #expect(fixture.apps.all.count == 2)
        fixture.time.advance(by: .seconds(2))
        #expect(script.answers(to: request) == [.done(accepted: true)])
        #expect(isWelcome(notes))
        #expect(fixture.clients.clients.last?.bundle == DeviceFixture.app("notes").bundle)
    }
}
