// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Seeded walks of four devices, with every event between them. `HANDOFF_WALK_SEEDS=FIRST..<LAST` selects other seeds.
@Suite struct SessionsWalkTests {
    private static let seeds = Seeds.usual(0..<100)

    @Test(arguments: seeds)
    func everyRequestEndsOnceAndQuietBringsEverybodyTogether(seed: UInt64) throws {
        var random = Randomness.seeded(seed)
        let hood = Neighbourhood(seed: seed)
        hood.hub.latency = .microseconds(100)...(.milliseconds(60))
        hood.hub.datagramLoss = 0.2
        hood.hub.datagramDuplication = 0.1
        hood.hub.linkLoss = 0.002
        for number in UInt8(1)...4 { _ = hood.house(number, knowing: (1...4).filter { $0 != number }) }
        var running: Set<UInt8> = []
        var asked = 0
        var answered: [Int: Int] = [:]
        var abandoned: Set<Int> = []
        var pending: [Int: UInt8] = [:]

        for _ in 0..<120 {
            let house = hood.houses.randomElement(using: &random)!
            let isRunning = running.contains(house.number)
            switch Int.random(in: 0..<20, using: &random) {
            case 0...3 where !isRunning:
                try house.start()
                house.diary.answer = .pong
                running.insert(house.number)
            case 4 where isRunning:
                // Requests of a crashed daemon have no waiter.
                for (number, asker) in pending where asker == house.number && answered[number] == nil {
                    abandoned.insert(number)
                }
                house.crash(silently: Bool.random(using: &random))
                running.remove(house.number)
            case 5: hood.hub.isolate(house.host)
            case 6...7: hood.hub.heal()
            case 8 where isRunning: house.node.air.networkChanged()
            case 9:
                let other = hood.houses.randomElement(using: &random)!
                hood.hub.breakLinks(house.host, other.host)
            case 10...15 where isRunning:
                let other = hood.houses.randomElement(using: &random)!
                let number = asked
                asked += 1
                pending[number] = house.number
                house.sessions.request(.advertising(.boardRequest), to: other.device, deadline: .seconds(3)) { _ in
                    answered[number, default: 0] += 1
                }
            default: break
            }
            hood.time.advance(by: .milliseconds(Int64.random(in: 0...4000, using: &random)))
        }

        hood.hub.heal()
        hood.hub.linkLoss = 0
        // Two devices that never met depend on one beacon each.
        hood.hub.datagramLoss = 0
        for house in hood.houses where !running.contains(house.number) { try house.start() }
        // A device that has given up an address tries again with its next beacon.
        let patience = DiscoveryLimits.beaconInterval + .seconds(20)
        let met = hood.time.run(
            until: { hood.houses.allSatisfy { $0.sessions.connected.count == 3 } }, within: patience)
        #expect(met, "seed \(seed)")
        hood.time.advance(by: .seconds(30))
        for number in 0..<asked where !abandoned.contains(number) {
            #expect(answered[number] == 1, "seed \(seed), request \(number)")
        }
        // One link per pair, so both ends have the same one.
        #expect(hood.hub.openLinks == 6, "seed \(seed)")
        for house in hood.houses {
            #expect(house.sessions.connected.count == 3, "seed \(seed)")
            for other in hood.houses where other !== house {
                #expect(hood.hub.openLinks(between: house.host, and: other.host) == 1, "seed \(seed)")
            }
            // For each device, opened and closed alternate.
            for other in hood.houses {
                let turns = house.diary.entries.filter { $0 == .opened(other.device) || $0 == .closed(other.device) }
                for (index, turn) in turns.enumerated() {
                    let expected: Diary.Entry = index.isMultiple(of: 2) ? .opened(other.device) : .closed(other.device)
                    #expect(turn == expected, "seed \(seed)")
                }
            }
        }
    }

    /// Both dial at the same moment, repeatedly.
    @Test(arguments: seeds)
    func dialsThatCrossLeaveOneLink(seed: UInt64) throws {
        let hood = Neighbourhood(seed: seed)
        hood.hub.latency = .microseconds(100)...(.milliseconds(400))
        hood.hub.carriesMulticast = false
        let one = NetworkAddress(host: Neighbourhood.host(1), port: 4711)
        let other = NetworkAddress(host: Neighbourhood.host(2), port: 4711)
        let laptop = hood.house(1, knowing: [2], peers: [other, other])
        let desktop = hood.house(2, knowing: [1], peers: [one, one])
        try laptop.start()
        try desktop.start()
        #expect(hood.meet(laptop, desktop, within: .seconds(5)), "seed \(seed)")
        hood.time.advance(by: .seconds(20))
        #expect(laptop.isConnected(to: desktop) && desktop.isConnected(to: laptop), "seed \(seed)")
        #expect(hood.hub.openLinks == 1, "seed \(seed)")
    }
}
