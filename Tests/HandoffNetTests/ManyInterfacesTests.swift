// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffWire
import Logging
import NIOCore
import NIOPosix
import TestPrograms
import Testing

@testable import HandoffNet

/// Shows Q05 in parts: more interfaces than memberships per socket, containers that start and stop, and a tunnel
/// without multicast. The interfaces are real, in a network namespace of a thread.
@Suite(.timeLimit(.minutes(2)), .serialized, .enabled(if: getuid() == 0, "needs a network namespace of its own"))
struct ManyInterfacesTests {
    /// A thread in its own network namespace.
    private final class Machine {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var loop: any EventLoop { group.any() }

        init() async throws {
            try await loop.submit { try #require(leaveNetworkNamespace() == 0) }.get()
        }

        /// Programs inherit the network namespace of the thread that starts them.
        func run(_ script: String) async throws {
            try await loop.submit { try #require(Program.run(["sh", "-e", "-c", script]) == 0, "\(script)") }.get()
        }

        func ear(port: UInt16) async throws -> (NIOLoopBound<BeaconEar>, AsyncStream<BeaconEar.Event>) {
            try await BeaconEar.open(port: port, withLoopback: false, on: loop)
        }

        func ask<Value: Sendable>(_ question: @escaping @Sendable () throws -> Value) async throws -> Value {
            try await loop.submit(question).get()
        }

        func stop(_ ears: NIOLoopBound<BeaconEar>...) async throws {
            try await loop.submit { for ear in ears { ear.value.air.stop() } }.get()
            try await group.shutdownGracefully()
        }
    }

    /// A veth pair, with an address at one end, like a container's or one to a switch.
    private static func cable(_ name: String, _ address: String) -> String {
        """
        ip link add \(name) type veth peer name \(name)x
        ip addr add \(address) dev \(name)
        ip link set \(name)x up
        ip link set \(name) up

        """
    }

    @Test func interfacesBeyondTheKernelsLimitAreHeard() async throws {
        let machine = try await Machine()
        try await machine.run((1...45).map { Self.cable("c\($0)", "10.9.\($0).1/24") }.joined())
        let (laptop, heard) = try await machine.ear(port: 47911)
        let (desktop, _) = try await machine.ear(port: 47911)
        #expect(try await machine.ask { laptop.value.air.problem } == nil)
        try await machine.ask { desktop.value.air.broadcast([1], on: nil) }
        var missing = Set((1...45).map { "10.9.\($0).1" })
        for await event in heard {
            if case .heard([1], let address) = event { missing.remove(address.host) }
            if missing.isEmpty { break }
        }
        // Removed interfaces free memberships, which their replacements can use.
        try await machine.run((1...30).map { "ip link del c\($0)\n" }.joined())
        try await machine.run((51...80).map { Self.cable("c\($0)", "10.9.\($0).1/24") }.joined())
        missing = Set((51...80).map { "10.9.\($0).1" })
        let speaking = machine.loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(100)) { _ in
            desktop.value.air.broadcast([2], on: nil)
        }
        for await event in heard {
            if case .heard([2], let address) = event { missing.remove(address.host) }
            if missing.isEmpty { break }
        }
        speaking.cancel()
        try await machine.stop(laptop, desktop)
    }

    @Test func aRefusedMembershipIsAProblemThatNamesTheInterface() async throws {
        let machine = try await Machine()
        try await machine.run(Self.cable("lan", "10.9.1.1/24") + "sysctl -qw net.ipv4.igmp_max_memberships=0")
        let (laptop, _) = try await machine.ear(port: 47912)
        let problem = try await machine.ask { laptop.value.air.problem }
        #expect(problem?.contains("on lan are not found there") == true)
        try await machine.stop(laptop)
    }

    @Test func newsOfAContainerAreNotOfTheNetworkBesideIt() async throws {
        let machine = try await Machine()
        try await machine.run(Self.cable("lan", "10.9.1.1/24") + "ip route add default via 10.9.1.254")
        let lan = try await machine.ask { if_nametoindex("lan") }
        let (laptop, news) = try await machine.ear(port: 47913)
        let before = try await machine.ask { laptop.value.air.way(to: "192.0.2.7") }
        #expect(before == NetworkWay(source: "10.9.1.1", interface: lan))
        // The link-local addresses of the network itself may become ready after the start.
        try await machine.run(Self.cable("box", "10.8.1.1/24"))
        let box = try await machine.ask { if_nametoindex("box") }
        for await case .networkChanged(let interfaces) in news {
            if interfaces?.contains(box) == true { break }
        }
        try await machine.run("ip link del box; " + Self.cable("last", "10.8.2.1/24"))
        let last = try await machine.ask { if_nametoindex("last") }
        for await case .networkChanged(let interfaces) in news {
            let changed = try #require(interfaces)
            #expect(!changed.contains(lan))
            if changed.contains(last) { break }
        }
        #expect(try await machine.ask { laptop.value.air.way(to: "192.0.2.7") } == before)
        try await machine.stop(laptop)
    }

    // Like WireGuard's: addresses and routes, no multicast.
    @Test func tunnelWithoutMulticastIsAWayAndAnAddress() async throws {
        let machine = try await Machine()
        try await machine.run(Self.cable("lan", "10.9.1.1/24") + "ip route add default via 10.9.1.254")
        let (laptop, news) = try await machine.ear(port: 47914)
        let way = { try await machine.ask { laptop.value.air.way(to: "10.44.7.2") } }
        #expect(try await way()?.source == "10.9.1.1")
        try await machine.run(
            "ip link add wg type veth peer name wgx; ip link set wg multicast off; ip link set wgx up")
        try await machine.run("ip addr add 10.44.0.1/32 dev wg; ip link set wg up; ip route add 10.44.7.0/24 dev wg")
        let wg = try await machine.ask { if_nametoindex("wg") }
        for await case .networkChanged(_) in news {
            if try await way() == NetworkWay(source: "10.44.0.1", interface: wg) { break }
        }
        #expect(try await machine.ask { LocalHosts.all(withLoopback: false) }.contains("10.44.0.1"))
        #expect(try await machine.ask { laptop.value.air.problem } == nil)
        try await machine.run("ip route add 10.45.0.0/16 dev wg")
        for await case .networkChanged(_) in news {
            let other = try await machine.ask { laptop.value.air.way(to: "10.45.0.2") }
            if other?.interface == wg { break }
        }
        try await machine.stop(laptop)
    }

    @Test func theAddressesOfANetworkComeBeforeThoseForContainers() async throws {
        let machine = try await Machine()
        let bridges = (1...40).map {
            "ip link add br\($0) type bridge; ip addr add 172.18.\($0).1/24 dev br\($0); ip link set br\($0) up\n"
        }
        let lan =
            Self.cable("lan", "10.9.1.1/24")
            + "ip addr add fd09::1/64 dev lan nodad; ip route add default via 10.9.1.254"
        try await machine.run(bridges.joined() + lan)
        let hosts = try await machine.ask { LocalHosts.all(withLoopback: false) }
        #expect(hosts.prefix(2) == ["10.9.1.1", "fd09::1"])
        #expect(hosts.count == LocalHosts.most && hosts[2] == "172.18.1.1")
        try await machine.stop()
    }
}
