// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// The maximum size of a state. Shows B12.
@Suite struct StateSizeTests {
    private let simulation: Simulation
    private let app: SimulatedApp
    private let letter: ActivityID

    init() throws {
        simulation = try Simulation.founded(seed: 9)
        app = try #require(simulation.devices[0].open(simulation.installed[0]))
        letter = .random(using: &simulation.random)
        app.publish(Publication(activity: letter, type: try #require(app.app.activityTypes.first)))
        simulation.time.advance(by: .milliseconds(100))
    }

    /// Encoded, it has exactly that many bytes.
    private func userInfo(of bytes: Int) throws -> [UInt8] {
        func encoded(_ count: Int) throws -> [UInt8] {
            try Value.dictionary([.string("data"): .bytes(Array(repeating: 7, count: count))]).encoded()
        }
        return try encoded(bytes - (try encoded(bytes - 100).count - (bytes - 100)))
    }

    @Test(arguments: [Limits.userInfoAdviceBytes, 30 * 1024, 100 * 1024, Limits.userInfoBytes])
    func upToTheLimitItArrivesWhole(bytes: Int) throws {
        let userInfo = try userInfo(of: bytes)
        try #require(userInfo.count == bytes)
        app.saving = .userInfo(userInfo)
        let wish = simulation.devices[1].wish(for: letter)
        _ = simulation.time.run(until: { !wish.ends.isEmpty }, within: .seconds(60))
        #expect(wish.ends == [.continued])
        #expect(simulation.devices[1].apps.flatMap(\.states).map(\.userInfo) == [userInfo])
    }

    /// No library sends such a state; a client that does violates the protocol, and is disconnected before it is read.
    @Test func oneByteMoreGoesNowhere() throws {
        app.saving = .userInfo(Array(repeating: 0, count: Limits.userInfoBytes + 1))
        let wish = simulation.devices[1].wish(for: letter)
        _ = simulation.time.run(until: { !wish.ends.isEmpty }, within: .seconds(60))
        #expect(wish.ends == [.failed(.appGone)])
        #expect(simulation.network.statesSent == 0)
    }
}
