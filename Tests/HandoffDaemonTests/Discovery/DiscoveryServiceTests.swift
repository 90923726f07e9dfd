// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct DiscoveryServiceTests {
    private let hood = Neighbourhood()

    /// Devices 1 and 2, connected for a while; `number` is the first in the result.
    private func metCouple(_ number: UInt8, for duration: Duration) throws -> (House, House) {
        let laptop = hood.house(1, knowing: [2])
        let desktop = hood.house(2, knowing: [1])
        try laptop.start()
        try desktop.start()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        hood.time.advance(by: duration)
        return number == 1 ? (laptop, desktop) : (desktop, laptop)
    }

    // Shows Y01
    @Test(arguments: [(UInt8(1), UInt8(2)), (UInt8(2), UInt8(1))], [Duration.zero, .milliseconds(1), .seconds(90)])
    func twoDevicesFindEachOtherInEitherOrder(order: (UInt8, UInt8), apart: Duration) throws {
        let first = hood.house(order.0, knowing: [order.1])
        let second = hood.house(order.1, knowing: [order.0])
        try first.start()
        hood.time.advance(by: apart)
        try second.start()
        #expect(hood.meet(first, second, within: .seconds(1)))
        // One link, without reconnections.
        hood.time.advance(by: .seconds(5))
        #expect(first.diary.entries == [.opened(second.device)])
        #expect(second.diary.entries == [.opened(first.device)])
        #expect(hood.hub.linksOpened == 1)
    }

    // Shows Y01
    @Test func beaconsAreSwitchedWithoutARestart() throws {
        let laptop = hood.house(1, knowing: [2])
        let desktop = hood.house(2, knowing: [1])
        try laptop.start()
        try desktop.start(beacons: false)
        #expect(!hood.meet(laptop, desktop, within: .seconds(600)))
        #expect(desktop.node.air.broadcasts == 0)
        desktop.beaconSwitch.set(true)
        #expect(desktop.membership.canAnnounce)
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        desktop.beaconSwitch.set(false)
        #expect(!desktop.membership.canAnnounce)
        let sent = desktop.node.air.broadcasts
        hood.time.advance(by: .seconds(600))
        #expect(desktop.node.air.broadcasts == sent)
        // Their session remains.
        #expect(laptop.isConnected(to: desktop))
    }

    // Shows Y01
    @Test func manyDevicesMeet() throws {
        let numbers = Array(UInt8(1)...12)
        for number in numbers { _ = hood.house(number, knowing: numbers.filter { $0 != number }) }
        for house in hood.houses { try house.start() }
        let met = hood.time.run(
            until: { hood.houses.allSatisfy { $0.sessions.connected.count == numbers.count - 1 } }, within: .seconds(1))
        #expect(met)
    }

    // Shows Y01
    @Test func lostBeaconsDoNotKeepDevicesApart() throws {
        hood.hub.datagramLoss = 0.5
        hood.hub.datagramDuplication = 0.3
        let laptop = hood.house(1, knowing: [2])
        let desktop = hood.house(2, knowing: [1])
        try laptop.start()
        try desktop.start()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
    }

    // Shows Y02
    @Test(arguments: [true, false], [UInt8(1), 2])
    func aRestartedDaemonReconnects(silently: Bool, number: UInt8) throws {
        let (restarted, other) = try metCouple(number, for: .seconds(3))
        restarted.crash(silently: silently)
        hood.time.advance(by: .milliseconds(500))
        try restarted.start()
        let back = hood.time.run(
            until: {
                restarted.isConnected(to: other)
                    && other.diary.entries.count(where: { $0 == .opened(restarted.device) }) == 2
            }, within: .seconds(3))
        #expect(back)
        hood.time.advance(by: .seconds(30))
        #expect(restarted.isConnected(to: other) && other.isConnected(to: restarted))
    }

    // Shows Y02
    @Test(arguments: [true, false], [UInt8(1), 2])
    func aDaemonRestartedTwiceAtOnceIsFoundAtOnce(silently: Bool, number: UInt8) throws {
        let (restarted, other) = try metCouple(number, for: .seconds(3))
        for round in 2...4 {
            restarted.crash(silently: silently)
            hood.time.advance(by: .milliseconds(10))
            // Only the beacon reveals the restart.
            restarted.store.files = [:]
            try restarted.start()
            let isBack = hood.time.run(
                until: {
                    restarted.isConnected(to: other)
                        && other.diary.entries.count(where: { $0 == .opened(restarted.device) }) == round
                }, within: number == 1 ? DiscoveryLimits.courtesy + .milliseconds(100) : .milliseconds(100))
            #expect(isBack, "start \(round)")
        }
        hood.time.advance(by: .seconds(30))
        #expect(restarted.isConnected(to: other) && other.isConnected(to: restarted))
    }

    // Shows Y02
    @Test(arguments: [UInt8(1), 2])
    func anotherAddressIsFoundByEvents(number: UInt8) throws {
        let (moved, other) = try metCouple(number, for: .seconds(20))
        moved.move(to: "192.168.7.7")
        var isBack: Bool {
            moved.isConnected(to: other) && other.isConnected(to: moved)
                && moved.diary.entries.count(where: { $0 == .opened(other.device) }) == 2
                && other.diary.entries.count(where: { $0 == .opened(moved.device) }) == 2
        }
        #expect(hood.time.run(until: { isBack }, within: .seconds(3)))
        hood.time.advance(by: .seconds(60))
        #expect(isBack)
    }

    // Shows Y02
    @Test func afterSleepTheDeviceIsHeardAtOnce() throws {
        let laptop = hood.house(1, knowing: [2])
        try laptop.start()
        hood.time.advance(by: .seconds(30))
        let before = laptop.node.air.broadcasts
        // The lid was closed for an hour; an alarm or a network change wakes the device.
        hood.time.machineSleeps(for: .seconds(3600))
        laptop.node.air.networkChanged()
        hood.time.advance(by: .seconds(1))
        #expect(laptop.node.air.broadcasts - before == DiscoveryLimits.burst.count)
    }

    // Shows Y04
    @Test func aKnownAddressWorksWithoutMulticast() throws {
        let laptop = hood.house(1, knowing: [2])
        let desktop = hood.house(2, knowing: [1])
        try laptop.start()
        try desktop.start()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        hood.hub.carriesMulticast = false
        for house in hood.houses { house.crash() }
        hood.time.advance(by: .seconds(20))
        for house in hood.houses { try house.start() }
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
    }

    // Shows Q05
    @Test func containersLeaveTheNetworkAlone() throws {
        let (laptop, desktop) = try metCouple(1, for: .seconds(20))
        let before = laptop.node.air.broadcasts
        for number in 1...30 {
            laptop.node.air.networkChanged(on: [UInt32(100 + number)])
            hood.time.advance(by: .milliseconds(200))
        }
        #expect(laptop.node.air.broadcasts == before)
        laptop.node.air.networkChanged(on: [MemoryAir.interface])
        hood.time.advance(by: .seconds(1))
        #expect(laptop.node.air.broadcasts == before + DiscoveryLimits.burst.count)
        #expect(laptop.isConnected(to: desktop))
    }

    // Shows Y02: with Wi-Fi and cable in one network, the way to the device stays. As the report fips 143.
    @Test(arguments: [UInt8(1), 2])
    func sessionWhoseOwnAddressIsGoneIsDoubted(number: UInt8) throws {
        let (laptop, desktop) = try metCouple(number, for: .seconds(20))
        hood.hub.isolate(laptop.host)
        laptop.node.air.networkChanged(on: [9])
        hood.time.advance(by: .seconds(2))
        #expect(laptop.isConnected(to: desktop))
        laptop.node.air.ways[laptop.host] = NetworkWay(source: "10.44.0.1", interface: MemoryAir.interface)
        laptop.node.air.networkChanged(on: [9])
        hood.time.advance(by: .seconds(2))
        #expect(!laptop.isConnected(to: desktop))
    }

    // Shows Q05: a tunnel connects, which no beacon announces.
    @Test(arguments: [UInt8(1), 2])
    func anotherWayToAKnownAddressIsTriedAtOnce(number: UInt8) throws {
        let (laptop, desktop) = try metCouple(number, for: .seconds(20))
        hood.hub.carriesMulticast = false
        hood.hub.isolate(laptop.host)
        hood.hub.breakLinks(laptop.host, desktop.host)
        hood.time.advance(by: .seconds(50))
        #expect(!laptop.isConnected(to: desktop))
        hood.hub.heal()
        laptop.node.air.ways[desktop.host] = NetworkWay(source: "10.44.0.1", interface: 9)
        laptop.node.air.networkChanged(on: [])
        #expect(hood.meet(laptop, desktop, within: .milliseconds(400)))
    }

    // Shows Y04
    @Test(arguments: [UInt8(1), 2])
    func dialledDeviceCanDialBackWithoutMulticast(number: UInt8) throws {
        hood.hub.carriesMulticast = false
        let other: UInt8 = number == 1 ? 2 : 1
        let peer = NetworkAddress(host: Neighbourhood.host(other), port: 4711)
        let dialler = hood.house(number, knowing: [other], peers: [peer])
        let dialled = hood.house(other, knowing: [number])
        try dialled.start()
        try dialler.start()
        #expect(hood.meet(dialler, dialled, within: .seconds(3)))
        #expect(dialled.node.network.dials.isEmpty)
        for house in hood.houses { house.crash() }
        hood.time.advance(by: .seconds(20))
        try dialled.start()
        // The device that dialled has moved, or has lost its addresses.
        dialler.forgetPeers()
        try dialler.start()
        #expect(hood.meet(dialler, dialled, within: .seconds(3)))
        #expect(!dialled.node.network.dials.isEmpty && dialler.node.network.dials.isEmpty)
    }

    // Shows Y04
    @Test func anAddressGivenByHandWorksWithoutMulticast() throws {
        hood.hub.carriesMulticast = false
        let peer = NetworkAddress(host: Neighbourhood.host(2), port: 4711)
        let laptop = hood.house(1, knowing: [2], peers: [peer])
        let desktop = hood.house(2, knowing: [1])
        try laptop.start()
        hood.time.advance(by: .seconds(1))
        try desktop.start()
        #expect(hood.meet(laptop, desktop, within: .seconds(3)))
        let dials = laptop.node.network.dials.count
        hood.time.advance(by: .seconds(700))
        #expect(laptop.node.network.dials.count == dials)
        desktop.crash()
        hood.time.advance(by: .seconds(2))
        try desktop.start()
        #expect(hood.meet(laptop, desktop, within: .seconds(5)))
    }

    @Test func unavailableMulticastIsNotFatal() throws {
        let peer = NetworkAddress(host: Neighbourhood.host(2), port: 4711)
        let laptop = hood.house(1, knowing: [2], peers: [peer])
        let desktop = hood.house(2, knowing: [1])
        hood.hub.carriesMulticast = false
        try laptop.start()
        laptop.node.air.stop()
        try desktop.start()
        #expect(hood.meet(laptop, desktop, within: .seconds(3)))
    }

    @Test func aDamagedAddressFileIsLeftAside() throws {
        let laptop = hood.house(1, knowing: [2])
        let desktop = hood.house(2, knowing: [1])
        laptop.store.files[DiscoveryService.addressFile] = [0xFF, 0x00, 0x17]
        try laptop.start()
        try desktop.start()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
    }

    @Test func devicesMeetDespiteAFullDisk() throws {
        let laptop = hood.house(1, knowing: [2])
        let desktop = hood.house(2, knowing: [1])
        laptop.store.writeFailure = Failure(.stateNotWritable, "the disk is full")
        try laptop.start()
        try desktop.start()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
    }

    // Shows Y05
    @Test(arguments: [[], [2, 3] as [UInt8]])
    func aloneItSleepsBetweenBeacons(members: [UInt8]) throws {
        let laptop = hood.house(1, knowing: members)
        if let other = members.first {
            // A known address that no longer answers.
            var known = KnownAddresses()
            _ = known.remember(NetworkAddress(host: "10.0.0.99", port: 4711), of: Neighbourhood.device(other))
            laptop.store.files[DiscoveryService.addressFile] = known.encoded()
        }
        try laptop.start()
        // Ten minutes until the dead address is given up.
        hood.time.advance(by: .seconds(600))
        let beacons = laptop.node.air.broadcasts
        let dials = laptop.node.network.dials.count
        let alarms = hood.time.alarmsRung
        hood.time.advance(by: .seconds(3600))
        let expected = members.isEmpty ? 0 : 12
        #expect(laptop.node.air.broadcasts - beacons == expected)
        #expect(laptop.node.network.dials.count - dials == expected)
        #expect(hood.time.alarmsRung - alarms == expected)
    }

    @Test func tenThousandForgedBeaconsChangeNothing() throws {
        let laptop = hood.house(1, knowing: [2])
        let desktop = hood.house(2, knowing: [1])
        try laptop.start()
        try desktop.start()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        hood.time.advance(by: .seconds(2))
        let (dials, answers, entries) = (
            laptop.node.network.dials.count, laptop.node.air.unicasts, laptop.diary.entries
        )
        var random = Randomness.seeded(7)
        for number in 0..<10_000 {
            let datagram = (0..<96).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            laptop.node.air.inject(
                datagram, from: NetworkAddress(host: "10.9.\(number / 250).\(number % 250)", port: 4712))
        }
        hood.time.advance(by: .seconds(1))
        // Some look like announcements, which are for new devices.
        #expect(laptop.membership.beaconsRefused + laptop.membership.announcements.count == 10_000)
        #expect(laptop.node.network.dials.count == dials)
        #expect(laptop.node.air.unicasts == answers)
        #expect(laptop.diary.entries == entries)
        #expect(laptop.isConnected(to: desktop))
    }

    // Shows X04
    @Test func aDelayedBeaconEndsNoSession() throws {
        let laptop = hood.house(1, knowing: [2])
        let desktop = hood.house(2, knowing: [1])
        try laptop.start()
        try desktop.start()
        #expect(hood.meet(laptop, desktop, within: .seconds(1)))
        let old = Beacon(
            device: desktop.device, port: 4711, boot: BootID(99), time: hood.time.wallTime, isAnswer: false)
        let datagram = try #require(desktop.membership.seal(old, with: .account))
        laptop.node.air.inject(datagram, from: NetworkAddress(host: "10.66.6.6", port: 4712))
        hood.time.advance(by: .seconds(30))
        #expect(laptop.diary.entries == [.opened(desktop.device)])
    }

    // An attacker can replay a beacon of the daemon's last run, but not of a run that has begun since.
    @Test func ownBeaconsOfAnEarlierRunAreNotDuplicates() throws {
        let laptop = hood.house(1, knowing: [2])
        let before = hood.time.wallTime
        hood.time.advance(by: .seconds(1))
        try laptop.start()
        hood.time.advance(by: .seconds(1))
        let address = NetworkAddress(host: "10.66.6.6", port: 4712)
        for (time, count) in [(before, 0), (hood.time.wallTime, 1)] {
            let beacon = Beacon(device: laptop.device, port: 4711, boot: BootID(99), time: time, isAnswer: false)
            laptop.node.air.inject(try #require(laptop.membership.seal(beacon, with: .account)), from: address)
            #expect(laptop.membership.duplicates == Array(repeating: address, count: count))
        }
    }

    // Shows T02
    @Test func aJoiningDeviceFindsItsInviter() throws {
        let laptop = hood.house(1, knowing: [])
        laptop.membership.inviteTag = 42
        let newcomer = hood.house(2, knowing: [])
        newcomer.membership.inviteTag = 42
        let stranger = hood.house(3, knowing: [])
        stranger.membership.inviteTag = 41
        for house in hood.houses { try house.start() }
        newcomer.membership.isSearchingInviter = true
        hood.time.advance(by: .milliseconds(100))
        #expect(newcomer.membership.inviters == [laptop.address])
        #expect(stranger.node.air.unicasts == 0)
    }

    @Test func theSearchForAnInviterEnds() throws {
        let newcomer = hood.house(2, knowing: [])
        newcomer.membership.inviteTag = 42
        try newcomer.start()
        newcomer.membership.isSearchingInviter = true
        hood.time.advance(by: .seconds(60))
        #expect(newcomer.node.air.broadcasts == 10)
    }
}
