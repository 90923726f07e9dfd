// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct LaunchingServiceTests {
    private let fixture: DeviceFixture
    private let editor = DeviceFixture.app("editor")
    private let script = DeviceFixture.app("script", team: nil)

    init() throws { fixture = try DeviceFixture("laptop", apps: [editor, script]) }

    private final class Outcome {
        var results: [Result<any Client, Failure>] = []
        var client: (any Client)? { try? results.first?.get() }
        var failure: Failure? {
            guard case .failure(let failure)? = results.first else { return nil }
            return failure
        }
    }

    private func target(_ offer: Offer, only bundle: BundleID? = nil) -> ListedActivity.Target {
        fixture.launching.resolve(offer, wish: Resolution.Wish(app: bundle)).target
    }

    private func ensureRunning(
        _ bundle: BundleID, for activityType: ActivityType = DeviceFixture.editing, deadline: Duration = .seconds(10)
    ) -> Outcome {
        let outcome = Outcome()
        fixture.launching.ensureRunning(bundle, for: activityType, activation: nil, deadline: deadline) {
            outcome.results.append($0)
        }
        return outcome
    }

    /// Shows B06.
    @Test func runningAppIsThereAtOnce() {
        _ = fixture.run(editor)
        let outcome = ensureRunning(editor.bundle)
        #expect(outcome.client?.bundle == editor.bundle)
        #expect(fixture.launcher.launches.isEmpty)
    }

    /// Shows B06, H10, L02.
    @Test func appThatDoesNotRunIsStartedOnce() {
        let first = ensureRunning(editor.bundle)
        let second = ensureRunning(editor.bundle, for: DeviceFixture.reading)
        #expect(first.results.isEmpty)
        fixture.time.advance(by: .seconds(1))
        #expect(first.client?.bundle == editor.bundle)
        #expect(second.client === first.client)
        #expect(first.client?.launchToken == fixture.launcher.launches.first?.token)
        #expect(fixture.launcher.launches.map(\.activityType) == [DeviceFixture.editing])
    }

    @Test func newestProcessThatReceivesIsTaken() {
        _ = fixture.run(editor)
        let newest = fixture.run(editor)
        _ = fixture.run(editor, receives: false)
        ensureRunning(editor.bundle).client?.send(
            .continuation(.wasContinued(DeviceFixture.activity(1), deviceName: fixture.member.name)))
        fixture.settle()
        #expect(
            newest.messages.contains(
                .continuation(.wasContinued(DeviceFixture.activity(1), deviceName: fixture.member.name))))
    }

    /// Shows B22.
    @Test func processThatOnlyPublishesDoesNotCount() {
        _ = fixture.run(editor, receives: false)
        _ = ensureRunning(editor.bundle)
        #expect(fixture.launcher.launches.count == 1)
    }

    @Test func appThatNeverConnectsIsGivenUpAtTheDeadline() {
        fixture.launcher.standard = .silent
        let outcome = ensureRunning(editor.bundle, deadline: .seconds(3))
        fixture.time.advance(by: .milliseconds(2999))
        #expect(outcome.results.isEmpty)
        fixture.time.advance(by: .milliseconds(1))
        #expect(outcome.failure == Failure(.appDidNotStart, ""))
        #expect(outcome.failure?.reason == "editor did not say hello in time")
        #expect(outcome.results.count == 1)
    }

    @Test(arguments: [
        (AppExit.exited(code: 3), "editor ended with code 3 before it said hello"),
        (.signalled(11), "editor was ended by signal 11 before it said hello"),
        (.notStarted(reason: "no such file"), "editor could not be started: no such file"),
    ])
    func appThatEndsFirstIsGivenUpAtOnce(exit: AppExit, reason: String) {
        fixture.launcher.behaviours[editor.bundle] = .ends(exit, after: .milliseconds(5))
        let outcome = ensureRunning(editor.bundle)
        fixture.time.advance(by: .milliseconds(5))
        #expect(outcome.failure == Failure(.appDidNotStart, ""))
        #expect(outcome.failure?.reason == reason)
    }

    @Test func appThatIsNotInstalledIsNotStarted() throws {
        #expect(ensureRunning(try BundleID("com.example.absent")).failure == Failure(.noApp, ""))
    }

    /// Shows T09.
    @Test func appThatWasAlteredIsNotStarted() {
        fixture.catalog.altered = [editor.bundle]
        #expect(ensureRunning(editor.bundle).failure == Failure(.appDidNotStart, ""))
        #expect(fixture.launcher.launches.isEmpty)
    }

    @Test func startedAppIsKnownByItsTokenThoughAnInterpreterRunsIt() {
        fixture.launcher.standard = .silent
        let outcome = ensureRunning(script.bundle)
        let client = fixture.listener.connect(executable: "/usr/bin/python3")
        client.hello(
            LocalHello(
                role: .app, bundle: script.bundle, name: script.name, launchToken: fixture.launcher.launches[0].token,
                receives: true))
        fixture.settle()
        #expect(outcome.client?.bundle == script.bundle)
        #expect(outcome.client?.team == DeviceFixture.personal)
    }

    @Test func orderOfUseSurvivesARestart() throws {
        fixture.launching.used(script.bundle)
        fixture.launching.used(editor.bundle)
        #expect(fixture.store.files.isEmpty, "no continuation waits for the disk")
        fixture.time.advance(by: .seconds(60))
        #expect(fixture.store.files["apps-used"] == Array("com.example.editor\ncom.example.script\n".utf8))
    }

    @Test func orderOfUseIsWrittenAtTheEnd() {
        fixture.launching.used(editor.bundle)
        fixture.launching.stop()
        #expect(fixture.store.files["apps-used"] == Array("com.example.editor\n".utf8))
    }

    /// A full disk costs only the order of use.
    @Test func fullDiskDoesNotStopLaunching() {
        fixture.store.writeFailure = Failure(.stateNotWritable, "no space left")
        fixture.launching.used(editor.bundle)
        fixture.time.advance(by: .seconds(60))
        _ = ensureRunning(editor.bundle)
        fixture.time.advance(by: .seconds(1))
        #expect(fixture.launcher.launches.count == 1)
    }

    /// Shows B04, X10.
    @Test func offerGoesToTheAppUsedLast() {
        let notes = DeviceFixture.app("notes")
        fixture.catalog.installed.append(notes)
        _ = fixture.answer(fixture.script(), .launching(.reloadApps))
        let offer = Offer(
            activity: DeviceFixture.activity(1), type: DeviceFixture.editing, appName: editor.name,
            team: DeviceFixture.team,
            since: fixture.time.wallTime)
        #expect(target(offer) == .app(editor.bundle))
        fixture.launching.used(notes.bundle)
        #expect(target(offer) == .app(notes.bundle))
        _ = fixture.run(editor)
        #expect(target(offer) == .app(editor.bundle))
        #expect(target(offer, only: notes.bundle) == .app(notes.bundle))
    }

    /// Otherwise each published activity would resolve all offers again.
    @Test func useIsReportedOnlyIfAnotherAppCouldTakeTheOffer() throws {
        let alone = DeviceFixture.app("reader", types: [DeviceFixture.reading])
        let sites = ["shop", "news"].map { DeviceFixture.app($0, types: [], domains: ["applinks:example.com"]) }
        let fixture = try DeviceFixture("desktop", apps: [editor, script, alone] + sites)
        var reported: [LaunchingChange] = []
        fixture.launching.onChange { reported.append($0) }
        for app in [alone, editor, sites[0], script] { fixture.launching.used(app.bundle) }
        #expect(reported == [editor, sites[0], script].map { .used($0.bundle) })
    }

    @Test func appsAreListedWithWhatRuns() {
        _ = fixture.run(editor)
        guard case .launching(.appList(let apps, _))? = fixture.answer(fixture.script(), .launching(.listApps)) else {
            Issue.record("no list")
            return
        }
        #expect(apps.map(\.bundle) == [editor.bundle, script.bundle])
        #expect(apps.map(\.isRunning) == [true, false])
        #expect(apps.map(\.team) == [DeviceFixture.team, DeviceFixture.personal])
    }

    /// Shows Q04 in part.
    @Test func theListHasTheProblemsThatTheDaemonFound() {
        fixture.catalog.problems = (1...70).map { "problem \($0)" }
        guard
            case .launching(.appList(let apps, let problems))? = fixture.answer(fixture.script(), .launching(.listApps))
        else {
            Issue.record("no list")
            return
        }
        #expect(apps.count == 2)
        #expect(problems.count == 65)
        #expect(problems.first == "problem 1")
        #expect(problems.last == "6 others, which are in the log of handoffd")
    }

    /// Shows M01.
    @Test func preferenceHoldsForTheTypesOfTheAppAndSurvivesARestart() throws {
        let reader = DeviceFixture.app("reader", types: [DeviceFixture.reading])
        let rival = DeviceFixture.app("rival")
        let fixture = try DeviceFixture("desktop", apps: [editor, reader, rival])
        func prefer(_ app: InstalledApp, _ isPreferred: Bool = true) -> LocalMessage? {
            fixture.answer(fixture.script(), .launching(.preferApp(app.bundle, isPreferred: isPreferred)))
        }
        func preferred(in fixture: DeviceFixture) -> [BundleID] {
            guard case .launching(.appList(let apps, _))? = fixture.answer(fixture.script(), .launching(.listApps))
            else { return [] }
            return apps.filter(\.isPreferred).map(\.bundle)
        }
        for app in [editor, reader, rival] { #expect(prefer(app) == .done(accepted: true)) }
        #expect(preferred(in: fixture) == [reader.bundle, rival.bundle])
        fixture.store.writeFailure = Failure(.stateNotWritable, "full")
        #expect(prefer(editor) == .failure(Failure(.stateNotWritable, "full")))
        fixture.store.writeFailure = nil
        #expect(prefer(script) == .failure(Failure(.noApp, "com.example.script is not installed")))
        #expect(prefer(reader, false) == .done(accepted: true))
        let restarted = try DeviceFixture("desktop", apps: [editor, reader, rival], store: fixture.store)
        #expect(preferred(in: restarted) == [rival.bundle])
    }
}
