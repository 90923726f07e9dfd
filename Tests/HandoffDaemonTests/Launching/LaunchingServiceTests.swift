// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct LaunchingServiceTests {
    private let desk: Desk
    private let editor = Desk.app("editor")
    private let script = Desk.app("script", team: nil)

    init() throws { desk = try Desk("laptop", apps: [editor, script]) }

    private final class Outcome {
        var results: [Result<any Client, Failure>] = []
        var client: (any Client)? { try? results.first?.get() }
        var failure: Failure? {
            guard case .failure(let failure)? = results.first else { return nil }
            return failure
        }
    }

    private func target(_ offer: Offer, only bundle: BundleID? = nil) -> ListedActivity.Target {
        desk.launching.resolve(offer, wish: Resolution.Wish(app: bundle)).target
    }

    private func ensureRunning(
        _ bundle: BundleID, for activityType: ActivityType = Desk.editing, deadline: Duration = .seconds(10)
    ) -> Outcome {
        let outcome = Outcome()
        desk.launching.ensureRunning(bundle, for: activityType, activation: nil, deadline: deadline) {
            outcome.results.append($0)
        }
        return outcome
    }

    /// Shows B06.
    @Test func runningAppIsThereAtOnce() {
        _ = desk.run(editor)
        let outcome = ensureRunning(editor.bundle)
        #expect(outcome.client?.bundle == editor.bundle)
        #expect(desk.launcher.launches.isEmpty)
    }

    /// Shows B06, H10, L02.
    @Test func appThatDoesNotRunIsStartedOnce() {
        let first = ensureRunning(editor.bundle)
        let second = ensureRunning(editor.bundle, for: Desk.reading)
        #expect(first.results.isEmpty)
        desk.time.advance(by: .seconds(1))
        #expect(first.client?.bundle == editor.bundle)
        #expect(second.client === first.client)
        #expect(first.client?.launchToken == desk.launcher.launches.first?.token)
        #expect(desk.launcher.launches.map(\.activityType) == [Desk.editing])
    }

    @Test func newestProcessThatReceivesIsTaken() {
        _ = desk.run(editor)
        let newest = desk.run(editor)
        _ = desk.run(editor, receives: false)
        ensureRunning(editor.bundle).client?.send(
            .continuation(.wasContinued(Desk.activity(1), deviceName: desk.member.name)))
        desk.settle()
        #expect(newest.messages.contains(.continuation(.wasContinued(Desk.activity(1), deviceName: desk.member.name))))
    }

    /// Shows B22.
    @Test func processThatOnlyPublishesDoesNotCount() {
        _ = desk.run(editor, receives: false)
        _ = ensureRunning(editor.bundle)
        #expect(desk.launcher.launches.count == 1)
    }

    @Test func appThatNeverConnectsIsGivenUpAtTheDeadline() {
        desk.launcher.standard = .silent
        let outcome = ensureRunning(editor.bundle, deadline: .seconds(3))
        desk.time.advance(by: .milliseconds(2999))
        #expect(outcome.results.isEmpty)
        desk.time.advance(by: .milliseconds(1))
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
        desk.launcher.behaviours[editor.bundle] = .ends(exit, after: .milliseconds(5))
        let outcome = ensureRunning(editor.bundle)
        desk.time.advance(by: .milliseconds(5))
        #expect(outcome.failure == Failure(.appDidNotStart, ""))
        #expect(outcome.failure?.reason == reason)
    }

    @Test func appThatIsNotInstalledIsNotStarted() throws {
        #expect(ensureRunning(try BundleID("com.example.absent")).failure == Failure(.noApp, ""))
    }

    /// Shows T09.
    @Test func appThatWasAlteredIsNotStarted() {
        desk.catalog.altered = [editor.bundle]
        #expect(ensureRunning(editor.bundle).failure == Failure(.appDidNotStart, ""))
        #expect(desk.launcher.launches.isEmpty)
    }

    @Test func startedAppIsKnownByItsTokenThoughAnInterpreterRunsIt() {
        desk.launcher.standard = .silent
        let outcome = ensureRunning(script.bundle)
        let client = desk.listener.connect(executable: "/usr/bin/python3")
        client.hello(
            LocalHello(
                role: .app, bundle: script.bundle, name: script.name, launchToken: desk.launcher.launches[0].token,
                receives: true))
        desk.settle()
        #expect(outcome.client?.bundle == script.bundle)
        #expect(outcome.client?.team == Desk.personal)
    }

    @Test func orderOfUseSurvivesARestart() throws {
        desk.launching.used(script.bundle)
        desk.launching.used(editor.bundle)
        #expect(desk.store.files.isEmpty, "no continuation waits for the disk")
        desk.time.advance(by: .seconds(60))
        #expect(desk.store.files["apps-used"] == Array("com.example.editor\ncom.example.script\n".utf8))
    }

    @Test func orderOfUseIsWrittenAtTheEnd() {
        desk.launching.used(editor.bundle)
        desk.launching.stop()
        #expect(desk.store.files["apps-used"] == Array("com.example.editor\n".utf8))
    }

    /// A full disk costs only the order of use.
    @Test func fullDiskDoesNotStopLaunching() {
        desk.store.writeFailure = Failure(.stateNotWritable, "no space left")
        desk.launching.used(editor.bundle)
        desk.time.advance(by: .seconds(60))
        _ = ensureRunning(editor.bundle)
        desk.time.advance(by: .seconds(1))
        #expect(desk.launcher.launches.count == 1)
    }

    /// Shows B04, X10.
    @Test func offerGoesToTheAppUsedLast() {
        let notes = Desk.app("notes")
        desk.catalog.installed.append(notes)
        _ = desk.answer(desk.script(), .launching(.reloadApps))
        let offer = Offer(
            activity: Desk.activity(1), type: Desk.editing, appName: editor.name, team: Desk.team,
            since: desk.time.wallTime)
        #expect(target(offer) == .app(editor.bundle))
        desk.launching.used(notes.bundle)
        #expect(target(offer) == .app(notes.bundle))
        _ = desk.run(editor)
        #expect(target(offer) == .app(editor.bundle))
        #expect(target(offer, only: notes.bundle) == .app(notes.bundle))
    }

    /// Otherwise each published activity would resolve all offers again.
    @Test func useIsReportedOnlyIfAnotherAppCouldTakeTheOffer() throws {
        let alone = Desk.app("reader", types: [Desk.reading])
        let sites = ["shop", "news"].map { Desk.app($0, types: [], domains: ["applinks:example.com"]) }
        let desk = try Desk("desktop", apps: [editor, script, alone] + sites)
        var reported: [LaunchingChange] = []
        desk.launching.onChange { reported.append($0) }
        for app in [alone, editor, sites[0], script] { desk.launching.used(app.bundle) }
        #expect(reported == [editor, sites[0], script].map { .used($0.bundle) })
    }

    @Test func appsAreListedWithWhatRuns() {
        _ = desk.run(editor)
        guard case .launching(.appList(let apps, _))? = desk.answer(desk.script(), .launching(.listApps)) else {
            Issue.record("no list")
            return
        }
        #expect(apps.map(\.bundle) == [editor.bundle, script.bundle])
        #expect(apps.map(\.isRunning) == [true, false])
        #expect(apps.map(\.team) == [Desk.team, Desk.personal])
    }

    /// Shows Q04 in part.
    @Test func theListHasTheProblemsThatTheDaemonFound() {
        desk.catalog.problems = (1...70).map { "problem \($0)" }
        guard case .launching(.appList(let apps, let problems))? = desk.answer(desk.script(), .launching(.listApps))
        else {
            Issue.record("no list")
            return
        }
        #expect(apps.count == 2)
        #expect(problems.count == 65)
        #expect(problems.first == "problem 1")
        #expect(problems.last == "6 others, which are in the log of handoffd")
    }
}
