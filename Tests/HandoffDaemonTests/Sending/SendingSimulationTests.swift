// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// Shows W04: whole daemons, sessions and disks, in virtual time; either end crashes in the middle.
@Suite struct SendingSimulationTests {
    private let simulation: Simulation
    private let laptop: SimulatedDevice
    private let desktop: SimulatedDevice
    private let app: SimulatedApp
    private let letter: ActivityID
    /// Its ID, as a user would type it.
    private let there: String

    init() throws {
        simulation = try Simulation.founded(seed: 11)
        (laptop, desktop) = (simulation.devices[0], simulation.devices[1])
        app = try #require(laptop.open(simulation.installed[0]))
        letter = .random(using: &simulation.random)
        there = try #require(desktop.device).description
        let type = try #require(app.app.activityTypes.first)
        app.publish(Publication(activity: letter, type: type, title: DisplayText(cleaning: "Letter")))
        simulation.time.advance(by: .seconds(1))
    }

    private func send() throws -> SendReport {
        guard
            case .sending(.sendList(let list)) = try simulation.ask(laptop, .sending(.sendActivity(letter, to: there)))
        else {
            throw Failure(.internal, "no list")
        }
        return try #require(list.first)
    }

    private var sentThere: [ListedActivity] { desktop.listed()?.filter(\.isSent) ?? [] }

    private func wait(_ seconds: Int = 30, until isSo: () -> Bool) -> Bool {
        for _ in 0..<seconds * 10 {
            if isSo() { return true }
            simulation.time.advance(by: .milliseconds(100))
        }
        return isSo()
    }

    @Test func sendToAnOfflineDeviceContinuesWithoutItsOrigin() throws {
        desktop.crash()
        #expect(wait { !laptop.connected.contains { $0 != simulation.devices[2].device } })
        let report = try send()
        #expect(report.standing == .waiting(problem: nil))
        // The origin crashes in between, with its app.
        app.quit()
        laptop.crash()
        try laptop.start()
        try desktop.start()
        #expect(wait { sentThere.count == 1 })
        laptop.crash()
        let wish = desktop.wish(for: report.offer.activity)
        #expect(wait { !wish.ends.isEmpty })
        #expect(wish.ends == [.continued])
        #expect(desktop.apps.flatMap(\.states).count == 1)
        #expect(wait { sentThere.isEmpty })
    }

    @Test func itOutlivesARestartOfTheDeviceThatKeepsIt() throws {
        let report = try send()
        #expect(report.standing == .taken)
        desktop.crash()
        laptop.crash()
        try desktop.start()
        #expect(wait { sentThere.map(\.offer.activity) == [report.offer.activity] })
        let wish = desktop.wish(for: report.offer.activity)
        #expect(wait { !wish.ends.isEmpty })
        #expect(wish.ends == [.continued])
        // And it does not return after another restart.
        simulation.time.advance(by: .seconds(1))
        desktop.crash()
        try desktop.start()
        simulation.time.advance(by: .seconds(5))
        #expect(sentThere.isEmpty)
    }

    /// Either end crashes at any moment: a reported activity exists exactly once.
    @Test(arguments: 0..<40)
    func crashDuringASendLeavesExactlyOneCopy(step: Int) throws {
        let client = laptop.control()
        let request = client.request(.sending(.sendActivity(letter, to: there)))
        // A send takes a few milliseconds of virtual time.
        simulation.time.advance(by: .microseconds(500 * step))
        let victim = step.isMultiple(of: 2) ? desktop : laptop
        victim.crash()
        simulation.time.advance(by: .seconds(1))
        let wasAccepted = client.answers(to: request).contains {
            if case .sending(.sendList) = $0 { true } else { false }
        }
        try victim.start()
        _ = wait(60) { laptop.connected.count == 2 && desktop.connected.count == 2 }
        simulation.time.advance(by: .seconds(20))
        #expect(sentThere.count <= 1)
        if wasAccepted { #expect(sentThere.count == 1, "step \(step)") }
        guard let shown = sentThere.first else { return }
        let wish = desktop.wish(for: shown.offer.activity)
        #expect(wait { !wish.ends.isEmpty })
        #expect(wish.ends == [.continued])
        #expect(wait { sentThere.isEmpty })
    }

    @Test func aDeviceThatIsRemovedLeavesNothingBehind() throws {
        _ = try send()
        #expect(sentThere.count == 1)
        try simulation.ask(desktop, .identity(.removeDevice(laptop.name, onlyAsk: false)))
        #expect(wait { sentThere.isEmpty })
        #expect(!desktop.store.files.keys.contains { $0.hasPrefix("received-") })
    }
}
