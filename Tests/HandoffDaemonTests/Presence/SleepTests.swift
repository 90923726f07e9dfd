// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// A laptop that sleeps, among whole daemons. Shows Y02.
@Suite struct SleepTests {
    private let simulation: Simulation
    private let laptop: SimulatedDevice
    private let desktop: SimulatedDevice
    private let app: SimulatedApp
    private let letter: ActivityID
    private let watcher: TestClient

    init() throws {
        simulation = try Simulation.founded(seed: 12)
        (laptop, desktop) = (simulation.devices[0], simulation.devices[1])
        app = try #require(laptop.open(simulation.installed[0]))
        letter = .random(using: &simulation.random)
        let type = try #require(app.app.activityTypes.first)
        app.publish(Publication(activity: letter, type: type))
        watcher = laptop.control()
        simulation.time.advance(by: .seconds(20))
    }

    private var isAlone: Bool {
        laptop.connected.isEmpty && simulation.devices.dropFirst().allSatisfy { $0.connected.count == 1 }
    }
    private var isTogether: Bool { simulation.devices.allSatisfy { $0.connected.count == 2 } }

    /// How long the machine had to wait.
    private func prepare() throws -> Duration {
        let begin = simulation.time.now
        let request = watcher.request(.presence(.setSleep(true)))
        let isReady = simulation.time.run(until: { !watcher.answers(to: request).isEmpty }, within: .seconds(10))
        #expect(isReady && watcher.answers(to: request) == [.done(accepted: true)])
        return begin.duration(to: simulation.time.now)
    }

    private func wake() { watcher.send(.presence(.setSleep(false))) }

    @Test func savesAndSaysGoodbyeBeforeSleepAndIsBackAtOnce() throws {
        app.edit()
        simulation.time.advance(by: .milliseconds(20))
        #expect(try prepare() < .milliseconds(500))
        #expect(simulation.time.run(until: { isAlone }, within: .milliseconds(100)))
        let summary = try devices(on: desktop).first { $0.device == laptop.device }
        #expect(summary?.problem?.text == "the other device went to sleep")

        simulation.time.machineSleeps(for: .seconds(7200))
        wake()
        #expect(simulation.time.run(until: { isTogether }, within: .seconds(1)))
        #expect(try devices(on: desktop).allSatisfy { $0.problem == nil })
    }

    private func devices(on device: SimulatedDevice) throws -> [DeviceSummary] {
        guard case .identity(.deviceList(let list)) = try simulation.ask(device, .identity(.listDevices())) else {
            return []
        }
        return list
    }

    @Test func appIsAskedForWhatItChangedLast() throws {
        // Within the time in which it would not be asked again.
        app.edit()
        simulation.time.advance(by: .seconds(2))
        app.edit()
        simulation.time.advance(by: .milliseconds(10))
        let before = app.saves
        _ = try prepare()
        #expect(app.saves == before + 1)
    }

    @Test func appThatDoesNotAnswerDelaysTheSleepByTwoSeconds() throws {
        app.saving = .never
        app.edit()
        simulation.time.advance(by: .milliseconds(10))
        let delay = try prepare()
        #expect(delay >= SleepService.savingTime && delay < SleepService.savingTime + .milliseconds(100))
        #expect(simulation.time.run(until: { isAlone }, within: .milliseconds(100)))
        wake()
        #expect(simulation.time.run(until: { isTogether }, within: .seconds(1)))
    }

    @Test func lateAnswerOfAnEarlierSleepDoesNotEndThePreparation() throws {
        app.saving = .after(SleepService.savingTime + .milliseconds(500))
        app.edit()
        simulation.time.advance(by: .milliseconds(10))
        _ = try prepare()
        wake()
        app.saving = .never
        simulation.time.advance(by: .milliseconds(200))
        app.edit()
        simulation.time.advance(by: .milliseconds(10))
        let delay = try prepare()
        #expect(delay >= SleepService.savingTime)
    }

    @Test func floodOfReportsIsRefused() throws {
        app.saving = .never
        app.edit()
        simulation.time.advance(by: .milliseconds(10))
        let requests = (0..<1000).map { _ in watcher.request(.presence(.setSleep(true))) }
        simulation.time.advance(by: .seconds(1))
        #expect(
            requests.count { watcher.answers(to: $0) == [.done(accepted: false)] } == 1000 - SleepService.waitingReports
        )
        simulation.time.advance(by: SleepService.savingTime)
        #expect(requests.count { watcher.answers(to: $0) == [.done(accepted: true)] } == SleepService.waitingReports)
    }

    /// As elogind does (elogind#380): the second announcement must not release the lock early.
    @Test func sleepThatIsAnnouncedTwiceIsPreparedOnce() throws {
        app.saving = .never
        app.edit()
        simulation.time.advance(by: .milliseconds(10))
        let requests = (0..<2).map { _ in watcher.request(.presence(.setSleep(true))) }
        simulation.time.advance(by: SleepService.savingTime - .milliseconds(50))
        #expect(requests.allSatisfy { watcher.answers(to: $0).isEmpty } && isTogether)
        simulation.time.advance(by: .milliseconds(200))
        #expect(requests.allSatisfy { watcher.answers(to: $0) == [.done(accepted: true)] } && isAlone)
        for _ in 0..<2 { wake() }
        #expect(simulation.time.run(until: { isTogether }, within: .seconds(1)))
    }

    /// Only beacons, dials and sessions of the others reach it, and get no answer.
    @Test func nothingConnectsUntilItWakes() throws {
        _ = try prepare()
        simulation.time.advance(by: .seconds(50))
        #expect(isAlone)
    }

    @Test func sleepThatTakesNoTimeEndsAsOne() throws {
        _ = try prepare()
        wake()
        #expect(simulation.time.run(until: { isTogether }, within: .seconds(1)))
        // The order is reversed if the sleep is cancelled during the preparation.
        app.saving = .never
        app.edit()
        simulation.time.advance(by: .milliseconds(10))
        let request = watcher.request(.presence(.setSleep(true)))
        wake()
        simulation.time.advance(by: .seconds(5))
        #expect(watcher.answers(to: request) == [.done(accepted: true)])
        #expect(isTogether)
    }

    /// The program that reports sleep has crashed, or the machine did not sleep after all.
    @Test(arguments: [true, false]) func wakesWithoutAReport(isClosed: Bool) throws {
        _ = try prepare()
        if isClosed { watcher.close() } else { simulation.time.advance(by: SleepService.longestPreparation) }
        #expect(simulation.time.run(until: { isTogether }, within: .seconds(1)))
    }

    @Test func clockRevealsTheWakeUpWithoutAReport() throws {
        _ = try prepare()
        simulation.time.machineSleeps(for: .seconds(7200))
        laptop.clockChanged()
        #expect(simulation.time.run(until: { isTogether }, within: .seconds(1)))
    }

    /// The network's change is not noticed, because the address is the same.
    @Test func sessionsOfAnotherNetworkEndSoonAfterTheWakeUp() throws {
        simulation.network.isolate(laptop.host)
        simulation.time.machineSleeps(for: .seconds(7200))
        laptop.clockChanged()
        #expect(simulation.time.run(until: { laptop.connected.isEmpty }, within: .seconds(2)))
        simulation.time.advance(by: .seconds(600))
        simulation.network.heal()
        simulation.time.machineSleeps(for: .seconds(7200))
        laptop.clockChanged()
        #expect(simulation.time.run(until: { isTogether }, within: .seconds(3)))
    }

    @Test(arguments: [Duration.seconds(-86_400), .seconds(86_400)])
    func clockThatJumpsInTheMiddleOfASessionLosesNothing(jump: Duration) throws {
        laptop.setClock(by: jump)
        laptop.clockChanged()
        simulation.time.advance(by: .seconds(30))
        #expect(isTogether)
        #expect(desktop.listed()?.contains { $0.offer.activity == letter } == true)
        let wish = desktop.wish(for: letter)
        #expect(simulation.time.run(until: { wish.ends == [.continued] }, within: .seconds(20)))
        // Its beacons are refused now, but known addresses work.
        laptop.crash()
        simulation.time.advance(by: .seconds(1))
        try laptop.start()
        #expect(simulation.time.run(until: { isTogether }, within: .seconds(5)))
    }
}
