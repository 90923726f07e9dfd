// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffSystem
import HandoffWire
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import HandoffNet

/// Shows Y01 in parts: beacons on real sockets of this machine.
@Suite(.timeLimit(.minutes(1)), .serialized) struct MulticastBeaconAirTests {
    private struct Radio {
        let loop: any EventLoop
        let ear: NIOLoopBound<BeaconEar>
        let events: AsyncStream<BeaconEar.Event>

        init(port: UInt16, on loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()) async throws {
            self.loop = loop
            (ear, events) = try await BeaconEar.open(port: port, withLoopback: true, on: loop)
        }

        func broadcast(_ datagram: [UInt8]) { loop.execute { [ear] in ear.value.air.broadcast(datagram, on: nil) } }
        func send(_ datagram: [UInt8], to address: NetworkAddress) {
            loop.execute { [ear] in ear.value.air.send(datagram, to: address) }
        }
        func stop() { loop.execute { [ear] in ear.value.air.stop() } }

        /// The sender of the first such datagram, among addresses that pass.
        func hears(_ datagram: [UInt8], where passes: (NetworkAddress) -> Bool = { _ in true }) async -> NetworkAddress?
        {
            for await event in events {
                if case .heard(datagram, let address) = event, passes(address) { return address }
            }
            return nil
        }
    }

    private static let hasIPv6Multicast = NetworkInterface.usable(withLoopback: false).contains { !$0.ipv6.isEmpty }

    @Test func isHeardOnLoopbackAndAnsweredWhereItCameFrom() async throws {
        let laptop = try await Radio(port: 47901)
        let desktop = try await Radio(port: 47901)
        laptop.broadcast([1, 2, 3])
        let address = try #require(await desktop.hears([1, 2, 3]) { $0.host == "127.0.0.1" })
        desktop.send([4, 5], to: address)
        #expect(await laptop.hears([4, 5]) != nil)
        laptop.stop()
        desktop.stop()
    }

    /// The user may switch beacons off and on.
    @Test func hearsAgainAfterItWasStopped() async throws {
        let laptop = try await Radio(port: 47907)
        let desktop = try await Radio(port: 47907)
        try await desktop.loop.submit { [ear = desktop.ear] in
            ear.value.air.stop()
            try ear.value.air.start()
        }.get()
        laptop.broadcast([1, 2, 3])
        let address = try #require(await desktop.hears([1, 2, 3]) { $0.host == "127.0.0.1" })
        desktop.send([4, 5], to: address)
        #expect(await laptop.hears([4, 5]) != nil)
        laptop.stop()
        desktop.stop()
    }

    // Shows L18.
    @Test func aPortThatAnotherProgramHasIsAProblem() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        // Without SO_REUSEADDR; an IPv6 socket takes the port of IPv4 too.
        let other = socket(AF_INET6, CInt(SOCK_DGRAM.rawValue), 0)
        defer { close(other) }
        let address = try SocketAddress(ipAddress: "::", port: 47909)
        #expect(address.withSockAddr { bind(other, $0, socklen_t($1)) } == 0)
        try await loop.submit {
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let air = MulticastBeaconAir(loop: loop, withLoopback: true, port: 47909, log: log)
            #expect(throws: Failure(.connectionUnavailable, "")) { try air.start() }
            #expect(air.problem?.contains("UDP port 47909") == true)
        }.get()
    }

    @Test(.enabled(if: hasIPv6Multicast, "no interface here carries IPv6 multicast"))
    func isHeardOverIPv6AndAnsweredWhereItCameFrom() async throws {
        let laptop = try await Radio(port: 47902)
        let desktop = try await Radio(port: 47902)
        laptop.broadcast([1, 2, 3])
        let address = try #require(await desktop.hears([1, 2, 3]) { $0.host.contains(":") })
        desktop.send([4, 5], to: address)
        #expect(await laptop.hears([4, 5]) { $0.host.contains(":") } != nil)
        laptop.stop()
        desktop.stop()
    }

    /// Two daemons of one machine have the same addresses, and may have the same port in different families.
    @Test(.enabled(if: hasIPv6Multicast, "no interface here carries IPv6 multicast"))
    func daemonWithOurPortInTheOtherFamilyIsHeard() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let holder = try await loop.submit {
            let port = BeaconGroup.answerPort
            return NIOLoopBound(
                try BeaconSocket.voice(.ipv4, port: port, on: loop, received: { _, _ in }), eventLoop: loop)
        }.get()
        let laptop = try await Radio(port: 47906)
        try await loop.submit { holder.value.close() }.get()
        let desktop = try await Radio(port: 47906)
        laptop.broadcast([1, 2, 3])
        #expect(await desktop.hears([1, 2, 3]) { $0.host.contains(":") } != nil)
        laptop.stop()
        desktop.stop()
    }

    @Test func ignoresOwnAndTooLongDatagrams() async throws {
        let laptop = try await Radio(port: 47903)
        let desktop = try await Radio(port: 47903)
        let tooLong = [UInt8](repeating: 7, count: Limits.beaconBytes + 1)
        desktop.loop.execute { [ear = desktop.ear] in
            let voice = try? BeaconSocket.voice(.ipv4, port: 0, on: ear.value.air.loop, received: { _, _ in })
            for interface in NetworkInterface.usable(withLoopback: true) {
                voice?.broadcast(tooLong, port: 47903, interface: interface)
            }
            voice?.close()
        }
        laptop.broadcast([1])
        #expect(await desktop.hears([1]) != nil)
        desktop.broadcast([2])
        // Earlier datagrams would have arrived first.
        for await event in laptop.events {
            guard case .heard(let datagram, _) = event else { continue }
            #expect(datagram == [2])
            break
        }
        laptop.stop()
        desktop.stop()
    }

    @Test func aFloodLeavesTheLoopAnswering() async throws {
        let desktop = try await Radio(port: 47904)
        let flooder = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let mallory = try await Radio(port: 47904, on: flooder.next())
        mallory.loop.execute { [ear = mallory.ear] in
            for number in 0..<10_000 { ear.value.air.broadcast([0xEE, UInt8(number & 255)], on: nil) }
        }
        var slowest = Duration.zero
        for _ in 0..<100 {
            let asked = ContinuousClock.now
            try await desktop.loop.submit {}.get()
            slowest = max(slowest, asked.duration(to: .now))
        }
        #expect(slowest < .seconds(1))
        // An honest device is still received. It repeats its datagram, because a flood may lose some.
        let laptop = try await Radio(port: 47904)
        let speaking = laptop.loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(20)) {
            [ear = laptop.ear] _ in
            ear.value.air.broadcast([1], on: nil)
        }
        #expect(await desktop.hears([1]) != nil)
        speaking.cancel()
        laptop.stop()
        desktop.stop()
        mallory.stop()
        try await flooder.shutdownGracefully()
    }

    @Test(.enabled(if: getuid() == 0, "needs a network namespace of its own"))
    func tellsWhenAnInterfaceComesUp() async throws {
        // Even the loopback interface is down in the new namespace.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        try await loop.submit { #expect(leaveNetworkNamespace() == 0) }.get()
        let radio = try await Radio(port: 47905, on: loop)
        try await loop.submit {
            // struct ifreq: the name, then the flags: IFF_UP, IFF_RUNNING.
            var request = [UInt8]("lo".utf8) + [UInt8](repeating: 0, count: 38)
            request[16] = 0x41
            let control = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            let setFlags: UInt = 0x8914
            #expect(ioctl(control, setFlags, &request) == 0)
            close(control)
        }.get()
        for await event in radio.events { if case .networkChanged = event { break } }
        let other = try await Radio(port: 47905, on: loop)
        other.broadcast([9])
        #expect(await radio.hears([9]) != nil)
        radio.stop()
        other.stop()
        try await group.shutdownGracefully()
    }
}
