// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// A laptop with a locked screen, among whole daemons. Shows L13.
@Suite struct PresenceSimulationTests {
    private let simulation: Simulation
    private let laptop: SimulatedDevice
    private let desktop: SimulatedDevice
    private let app: SimulatedApp
    private let letter: ActivityID

    init() throws {
        simulation = try Simulation.founded(seed: 11)
        (laptop, desktop) = (simulation.devices[0], simulation.devices[1])
        app = try #require(laptop.open(simulation.installed[0]))
        letter = .random(using: &simulation.random)
        let type = try #require(app.app.activityTypes.first)
        app.publish(Publication(activity: letter, type: type, supportsStreams: true))
        simulation.time.advance(by: .seconds(5))
    }

    private func watcher() -> TestClient {
        let watcher = laptop.control()
        simulation.time.advance(by: .milliseconds(50))
        return watcher
    }

    private func say(_ presence: Presence, by watcher: TestClient) {
        watcher.request(.presence(.setPresence(PresenceWord(presence))))
        simulation.time.advance(by: .milliseconds(200))
    }

    private var isListed: [Bool] {
        simulation.devices.map { $0.listed()?.contains { $0.offer.activity == letter } ?? false }
    }

    private func end(of wish: SimulatedRequest) -> [SimulatedRequest.End] {
        _ = simulation.time.run(until: { !wish.ends.isEmpty }, within: .seconds(60))
        return wish.ends
    }

    @Test func everyDeviceDropsAndRegainsIt() {
        let watcher = watcher()
        #expect(isListed == [true, true, true])
        say(.locked, by: watcher)
        #expect(isListed == [false, false, false])
        say(.here, by: watcher)
        #expect(isListed == [true, true, true])
        #expect(end(of: desktop.wish(for: letter)) == [.continued])
    }

    /// With the earlier times and order; a script's offer stays all the time.
    @Test func offersReturnInOrderAndScriptOffersNeverLeave() throws {
        let script = laptop.control()
        let note = ActivityID.random(using: &simulation.random)
        script.request(.advertising(.publish(Publication(activity: note, type: try ActivityType("com.example.note")))))
        simulation.time.advance(by: .seconds(5))
        let other = try #require(laptop.open(simulation.installed[3]))
        let type = try #require(other.app.activityTypes.first)
        other.publish(Publication(activity: .random(using: &simulation.random), type: type))
        simulation.time.advance(by: .seconds(5))
        func offers() -> [[Offer]] { simulation.devices.map { $0.listed()?.map(\.offer) ?? [] } }
        let before = offers()
        #expect(before.map(\.count) == [3, 3, 3])
        let watcher = watcher()
        for presence in [Presence.locked, .idle, .elsewhere] {
            say(presence, by: watcher)
            #expect(offers().map { $0.map(\.activity) } == [[note], [note], [note]])
            say(.here, by: watcher)
            #expect(offers() == before)
        }
    }

    /// The user pressed Continue there and locked the screen here; the app there is still starting.
    @Test func lockingDoesNotInterruptAContinuation() {
        let watcher = watcher()
        let wish = desktop.wish(for: letter)
        simulation.time.advance(by: .milliseconds(5))
        #expect(wish.ends.isEmpty)
        say(.locked, by: watcher)
        #expect(end(of: wish) == [.continued])
        #expect(app.wasContinued == [letter])
    }

    @Test func aStateBeingSavedIsStillSent() {
        let watcher = watcher()
        app.saving = .after(.seconds(4))
        let wish = desktop.wish(for: letter)
        simulation.time.advance(by: .seconds(2))
        say(.locked, by: watcher)
        #expect(wish.ends.isEmpty)
        #expect(end(of: wish) == [.continued])
    }

    /// The two apps are exchanging data.
    @Test func streamsOfWhatWasContinuedOpenWhileTheScreenIsLocked() throws {
        let watcher = watcher()
        app.streamed = Array("from the laptop".utf8)
        #expect(end(of: desktop.wish(for: letter)) == [.continued])
        say(.locked, by: watcher)
        simulation.time.advance(by: .seconds(60))
        let receiver = try #require(desktop.apps.last)
        let continuation = try #require(receiver.told.keys.first)
        let stream = receiver.openStream(continuation, sends: Array("from the desktop".utf8))
        _ = simulation.time.run(until: { stream.isOver }, within: .seconds(30))
        #expect(stream.received == Array("from the laptop".utf8))
    }

    @Test func lockedDeviceSendsNoState() {
        let watcher = watcher()
        say(.locked, by: watcher)
        simulation.time.advance(by: .seconds(60))
        #expect(end(of: desktop.wish(for: letter)) == [.failed(.activityGone)])
        #expect(simulation.network.statesSent == 0)
    }

    /// A new daemon has no report about the user until the desktop's part reconnects.
    @Test func aDaemonThatIsRestartedTakesTheUserForHere() throws {
        say(.locked, by: watcher())
        laptop.crash()
        try laptop.start()
        simulation.time.advance(by: .seconds(10))
        #expect(isListed == [true, true, true])
        say(.locked, by: watcher())
        #expect(isListed == [false, false, false])
    }
}

/// The traffic that an eavesdropper sees. Shows X03.
@Suite struct PresenceOnAirTests {
    /// When each device sent beacons, within an hour.
    private func beacons(locking: Bool) throws -> [[Int]] {
        let simulation = try Simulation.founded(seed: 12)
        let watcher = simulation.devices[0].control()
        let app = try #require(simulation.devices[0].open(simulation.installed[0]))
        let type = try #require(app.app.activityTypes.first)
        app.publish(Publication(activity: ActivityID(uncheckedBytes: Array(repeating: 9, count: 16)), type: type))
        simulation.time.advance(by: .seconds(1))
        var counts: [[Int]] = []
        for second in 0..<3600 {
            if locking, second % 97 == 0 {
                let presence: Presence = second % 2 == 0 ? .locked : .here
                watcher.request(.presence(.setPresence(PresenceWord(presence))))
            }
            simulation.time.advance(by: .seconds(1))
            counts.append(
                simulation.devices.map { device in
                    let air = simulation.network.node(at: device.host)?.air
                    return (air?.broadcasts ?? 0) + (air?.unicasts ?? 0)
                })
        }
        return counts
    }

    @Test func beaconsComeWhenTheyWouldHaveComeAnyway() throws {
        let locked = try beacons(locking: true)
        #expect(try locked == beacons(locking: false))
        #expect(locked.last.map { $0.allSatisfy { $0 > 10 } } == true, "there are some to compare")
    }
}
