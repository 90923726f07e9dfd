// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// Continuing the activity of an app that has quit, with whole daemons. Shows B09.
@Suite struct KeptActivitySimulationTests {
    private let simulation: Simulation
    private let laptop: SimulatedDevice
    private let desktop: SimulatedDevice
    private let app: SimulatedApp
    private let letter: ActivityID

    init() throws {
        simulation = try Simulation.founded(seed: 7)
        (laptop, desktop) = (simulation.devices[0], simulation.devices[1])
        app = try #require(laptop.open(simulation.installed[0]))
        letter = .random(using: &simulation.random)
        let type = try #require(app.app.activityTypes.first)
        app.publish(Publication(activity: letter, type: type, title: DisplayText(cleaning: "Letter")))
    }

    private func letSave() { simulation.time.advance(by: .seconds(3)) }

    private func goOn(within bound: Duration = .seconds(60)) -> SimulatedRequest {
        let wish = desktop.wish(for: letter)
        _ = simulation.time.run(until: { !wish.ends.isEmpty }, within: bound)
        return wish
    }

    private var continuedTitles: [String?] { desktop.apps.flatMap(\.states).map(\.title) }

    /// Shows X09: and no state was sent before.
    @Test func lastSavedStateIsContinued() {
        letSave()
        app.edit()
        simulation.time.advance(by: .seconds(20))
        app.quit()
        simulation.time.advance(by: .seconds(300))
        #expect(simulation.network.statesSent == 0)
        let wish = goOn()
        #expect(wish.ends == [.continued])
        #expect(wish.isOfAnAppThatQuit)
        #expect(continuedTitles == ["edit 1"])
        #expect(desktop.listed()?.first { $0.offer.activity == letter }?.offer.saved != nil)
    }

    @Test func liveAppIsAskedThoughItHadSaved() {
        letSave()
        app.edit()
        let wish = goOn()
        #expect(wish.ends == [.continued])
        #expect(!wish.isOfAnAppThatQuit)
        #expect(continuedTitles == ["edit 1"])
    }

    @Test func afterItsTimeItIsGone() {
        letSave()
        app.quit()
        simulation.time.advance(by: .seconds(601))
        #expect(goOn().ends == [.failed(.activityGone)])
    }

    @Test func appThatDiesWhileItIsAskedHasSavedBefore() {
        letSave()
        app.edit()
        simulation.time.advance(by: .seconds(20))
        app.edit()
        app.saving = .dies
        let wish = goOn()
        #expect(wish.ends == [.continued])
        #expect(wish.isOfAnAppThatQuit)
        #expect(continuedTitles == ["edit 1"])
    }

    /// Shows E01.
    @Test func appThatDiesWhileItIsAskedForTheFirstTimeIsAFailure() {
        app.saving = .dies
        simulation.time.advance(by: .milliseconds(100))
        #expect(goOn().ends == [.failed(.appGone)])
        #expect(goOn().ends == [.failed(.activityGone)])
    }

    /// Shows B11, E03: the app may recover, and then there would be two answers.
    @Test func appThatHangsIsAFailureThoughItHadSaved() {
        letSave()
        app.saving = .never
        #expect(goOn().ends == [.failed(.appTimedOut)])
    }

    @Test func appThatIsBackIsAskedAgain() {
        letSave()
        app.quit()
        letSave()
        let again = laptop.open(simulation.installed[0])
        again?.publish(Publication(activity: letter, type: app.app.activityTypes.first!))
        again?.edit()
        letSave()
        let wish = goOn()
        #expect(wish.ends == [.continued])
        #expect(!wish.isOfAnAppThatQuit)
    }

    @Test func daemonThatIsRestartedHasNothingLeft() throws {
        letSave()
        app.quit()
        letSave()
        laptop.crash()
        try laptop.start()
        letSave()
        #expect(goOn().ends == [.failed(.activityGone)])
    }

    /// Shows B23: it stays available to other devices until it expires.
    @Test func severalDevicesMayContinueTheKeptActivity() {
        letSave()
        app.quit()
        letSave()
        #expect(goOn().ends == [.continued])
        let wish = simulation.devices[2].wish(for: letter)
        _ = simulation.time.run(until: { !wish.ends.isEmpty }, within: .seconds(60))
        #expect(wish.ends == [.continued])
    }
}
