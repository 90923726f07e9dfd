// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The wiring of a daemon's features, which the executable and every test share.
@Suite struct DaemonFeaturesTests {
    private static func names(_ features: [any Feature]) -> [String] { features.map { "\(type(of: $0))" } }

    @Test func featuresStartInTheSameOrderWithAnyAdapters() throws {
        let simulation = try Simulation.founded(seed: 1)
        let order = [
            "Work", "Identity", "Teams", "Account", "Policy", "Presence", "Apps", "WebLinks", "WebChoices", "Launching",
            "WebPages", "Inbox", "Advertising", "Containers", "Documents", "Continuation", "History", "Phones",
            "Outbox",
            "Status", "Clients", "Streams", "Sessions", "Discovery", "Sleep",
        ].map { "\($0)Service" }
        for device in simulation.devices { #expect(Self.names(device.features) == order) }
        // With substitutes for identity and sessions, the rest is as in a daemon.
        let fixture = try DeviceFixture("laptop")
        #expect(Self.names(fixture.features.features) == Array(order[4...21]))
    }

    /// Features in a reference cycle would stay in memory.
    @Test(arguments: [true, false])
    func endedDaemonReleasesAllFeatures(inGoodOrder: Bool) throws {
        let pair = try StreamPair.made(seed: 3)
        let (laptop, desktop) = (pair.origin, pair.receiver)
        // In the middle of a stream, with clients and a session.
        pair.open(sends: StreamPair.bytes(1 << 20))
        pair.simulation.time.advance(by: .milliseconds(50))
        #expect(laptop.streamCount == 1 && !laptop.connected.isEmpty)
        let left = (laptop.features + desktop.features).map(Left.init)
        #expect(left.count == 50)
        for device in [laptop, desktop] {
            if inGoodOrder { device.stop() } else { device.crash() }
        }
        // Everything under way has ended.
        pair.simulation.time.advance(by: .seconds(60))
        #expect(Self.names(left.compactMap(\.feature)) == [])
    }

    private struct Left {
        weak var feature: (any Feature)?
        init(_ feature: any Feature) { self.feature = feature }
    }
}
