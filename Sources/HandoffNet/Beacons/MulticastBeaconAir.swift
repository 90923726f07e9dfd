// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffSystem
internal import HandoffWire
package import Logging
package import NIOCore

/// Beacons over UDP multicast, IPv4 and IPv6, out of every interface that is up, whether or not it has a default route.
///
/// Four sockets: an ear and a voice for each family. For a firewall: UDP 47474 (beacons) and 47475 (answers). Nothing is
/// polled: interfaces that come and go are told by the kernel.
package final class MulticastBeaconAir: BeaconAir {
    /// Where the groups are heard.
    package static let groupPort: UInt16 = 47474
    /// Where beacons come from and answers go to, unless another daemon of this machine has it.
    package static let voicePort: UInt16 = 47475

    package weak var handler: (any BeaconAirHandler)?

    let loop: any EventLoop
    private let withLoopback: Bool
    private let port: UInt16
    private let log: Logger
    private var ears: [BeaconSocket] = []
    private var voices: [BeaconSocket] = []
    private var interfaces: [NetworkInterface] = []
    private var watch: InterfaceWatch?

    /// `withLoopback`: also on the loopback interface, for several devices on one machine. Only IPv4 can be heard there:
    /// Linux has no IPv6 multicast route on it. Tests take a `port` of their own.
    package init(loop: any EventLoop, withLoopback: Bool, port: UInt16 = MulticastBeaconAir.groupPort, log: Logger) {
        self.loop = loop
        self.withLoopback = withLoopback
        self.port = port
        self.log = log
    }

    package func start() throws {
        var refusals: [SystemError] = []
        for family in BeaconSocket.Family.allCases {
            do throws(SystemError) {
                let received: ([UInt8], SocketAddress) -> Void = { [weak self] in self?.received($0, from: $1) }
                ears.append(try .ear(family, port: port, on: loop, received: received))
                voices.append(try .voice(family, port: Self.voicePort, on: loop, received: received))
            } catch {
                refusals.append(error)
            }
        }
        if voices.isEmpty, let refusal = refusals.first {
            throw Failure(.connectionUnavailable, "beacons cannot be heard on UDP port \(port): \(refusal)")
        }
        for refusal in refusals { log.info("No beacons over one address family", metadata: ["error": "\(refusal)"]) }
        look()
        let watch = InterfaceWatch(loop: loop, log: log) { [weak self] news in self?.told(news) }
        watch.start()
        self.watch = watch
    }

    package func stop() {
        watch?.stop()
        watch = nil
        for socket in ears + voices { socket.close() }
        ears = []
        voices = []
    }

    package func broadcast(_ datagram: [UInt8]) {
        guard datagram.count <= Limits.beaconBytes else { return }
        for voice in voices {
            for interface in interfaces where interface.carries(voice.family) {
                voice.broadcast(datagram, port: port, interface: interface)
            }
        }
    }

    package func send(_ datagram: [UInt8], to address: NetworkAddress) {
        guard datagram.count <= Limits.beaconBytes, let socketAddress = address.socketAddress else { return }
        voices.first { $0.family == .of(socketAddress) }?.send(datagram, to: socketAddress)
    }

    // MARK: Interfaces

    private func interfaces(for family: BeaconSocket.Family) -> Set<UInt32> {
        Set(interfaces.filter { $0.carries(family) }.map(\.index))
    }

    /// Returns whether anything is different.
    @discardableResult
    private func look() -> Bool {
        let found = NetworkInterface.usable(withLoopback: withLoopback)
        guard found != interfaces else { return false }
        interfaces = found
        for ear in ears { ear.listen(on: interfaces(for: ear.family)) }
        log.debug("Interfaces changed", metadata: ["up": "\(found.map(\.name).joined(separator: " "))"])
        return true
    }

    private func told(_ news: InterfaceWatch.News) {
        let isDifferent = look()
        if isDifferent || news == .linkLocalReady { handler?.networkChanged() }
    }

    // MARK: Datagrams

    private func received(_ datagram: [UInt8], from address: SocketAddress) {
        guard let sender = NetworkAddress(address), !isOwn(sender, .of(address)) else { return }
        handler?.datagramReceived(datagram, from: sender)
    }

    /// Multicast comes back to its sender, once an interface.
    private func isOwn(_ sender: NetworkAddress, _ family: BeaconSocket.Family) -> Bool {
        // Another daemon of this machine may have the port of our other family.
        guard voices.contains(where: { $0.family == family && $0.port == sender.port }) else { return false }
        let host = String(sender.host.prefix { $0 != "%" })
        return interfaces.contains { $0.ipv4.contains(host) || $0.ipv6.contains(host) }
    }
}
