// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Several simultaneous links between two devices: one stays, and both keep the same one.
/// `HANDOFF_WALK_SEEDS=FIRST..<LAST` selects other seeds.
@Suite struct ManyLinksTests {
    private static let seeds = Seeds.usual(0..<300)

    /// Laptop and desktop, without beacons: they dial on the test's request, and again after a loss.
    private func couple(seed: UInt64) throws -> (hood: Neighbourhood, laptop: House, desktop: House) {
        let hood = Neighbourhood(seed: seed)
        hood.hub.carriesMulticast = false
        let laptop = hood.house(1, knowing: [2])
        let desktop = hood.house(2, knowing: [1])
        try laptop.start()
        try desktop.start()
        return (hood, laptop, desktop)
    }

    private func expectOneLink(_ hood: Neighbourhood, _ laptop: House, _ desktop: House, _ seed: UInt64) {
        #expect(hood.hub.openLinks == 1, "seed \(seed)")
        #expect(laptop.isConnected(to: desktop) && desktop.isConnected(to: laptop), "seed \(seed)")
    }

    @Test(arguments: seeds)
    func dialsOfBothSidesInAnyOrderLeaveOneLink(seed: UInt64) throws {
        var random = Randomness.seeded(seed)
        let (hood, laptop, desktop) = try couple(seed: seed)
        hood.hub.latency = .microseconds(100)...(.milliseconds(400))
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            if Bool.random(using: &random) { laptop.dial(desktop) } else { desktop.dial(laptop) }
            hood.time.advance(by: .milliseconds(Int64.random(in: 0...300, using: &random)))
        }
        // A dial takes one round trip, and so do the hellos.
        hood.time.advance(by: .seconds(2))
        expectOneLink(hood, laptop, desktop, seed)
        let before = hood.hub.linksOpened
        hood.time.advance(by: .seconds(60))
        #expect(hood.hub.linksOpened == before, "seed \(seed)")
        expectOneLink(hood, laptop, desktop, seed)
    }

    // Shows Y02
    @Test(arguments: seeds)
    func breaksAndRestartsInAnyOrderLeaveOneLink(seed: UInt64) throws {
        var random = Randomness.seeded(seed)
        let (hood, laptop, desktop) = try couple(seed: seed)
        hood.hub.latency = .microseconds(100)...(.milliseconds(400))
        for _ in 0..<40 {
            let (one, other) = Bool.random(using: &random) ? (laptop, desktop) : (desktop, laptop)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: hood.hub.breakLinks(one.host, other.host)
            case 1:
                one.crash(silently: Bool.random(using: &random))
                hood.time.advance(by: .milliseconds(Int64.random(in: 1...100, using: &random)))
                try one.start()
            default: one.dial(other)
            }
            hood.time.advance(by: .milliseconds(Int64.random(in: 0...500, using: &random)))
        }
        // A peer that vanished is noticed.
        hood.time.advance(by: .seconds(20))
        laptop.dial(desktop)
        desktop.dial(laptop)
        hood.time.advance(by: .seconds(20))
        expectOneLink(hood, laptop, desktop, seed)
    }

    /// The hello of a restarted daemon arrives after that of its successor.
    @Test(arguments: [(UInt8(1), UInt8(2)), (UInt8(2), UInt8(1))])
    func theLateHelloOfADaemonThatIsGoneEndsNothing(order: (UInt8, UInt8)) throws {
        let hood = Neighbourhood()
        hood.hub.carriesMulticast = false
        let restarted = hood.house(order.0, knowing: [order.1])
        let other = hood.house(order.1, knowing: [order.0])
        try restarted.start()
        try other.start()
        hood.hub.latency = .milliseconds(1)...(.milliseconds(1))
        restarted.dial(other)
        hood.time.advance(by: .microseconds(1500))
        // From here on, the answer to the dial takes two thirds of a second.
        hood.hub.latency = .milliseconds(700)...(.milliseconds(700))
        hood.time.advance(by: .milliseconds(1))
        restarted.crash()
        hood.hub.latency = .milliseconds(1)...(.milliseconds(1))
        try restarted.start()
        restarted.dial(other)
        hood.time.advance(by: .milliseconds(100))
        #expect(restarted.isConnected(to: other) && other.isConnected(to: restarted))
        hood.time.advance(by: .seconds(5))
        #expect(other.diary.entries == [.opened(restarted.device)])
        expectOneLink(hood, restarted, other, 0)
    }
}
