// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffSystem
internal import HandoffWire
package import Logging
package import NIOCore

/// UDP multicast on every interface that is up, even without a default route. Each address family has one voice, and as
/// many ears as needed. Firewalls must allow UDP 47474 (beacons) and 47475 (answers).
package final class MulticastBeaconAir: BeaconAir {
    private static let namedInterfaces = 4

    package weak var handler: (any BeaconAirHandler)?

    let loop: any EventLoop
    private let withLoopback: Bool
    private let port: UInt16
    private let log: Logger
    private var ears: [BeaconEars] = []
    private var voices: [BeaconSocket] = []
    private var interfaces: [NetworkInterface] = []
    private var watch: InterfaceWatch?
    private var reported: String?
    /// Another program has the port.
    private var startProblem: String?

    /// `withLoopback`: for several devices on one machine. Only IPv4, because Linux has no IPv6 multicast route there.
    package init(loop: any EventLoop, withLoopback: Bool, port: UInt16 = BeaconGroup.port, log: Logger) {
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
                ears.append(try BeaconEars(family, port: port, on: loop, received: received))
                voices.append(try .voice(family, port: BeaconGroup.answerPort, on: loop, received: received))
            } catch {
                refusals.append(error)
            }
        }
        if voices.isEmpty, let refusal = refusals.first {
            startProblem =
                "Other devices cannot find this one on the network, because UDP port \(port) cannot be used: "
                + "\(refusal.reason); end the program that has the port, then restart handoffd"
            throw Failure(.connectionUnavailable, "beacons cannot be received on UDP port \(port): \(refusal)")
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
        for ear in ears { ear.close() }
        for voice in voices { voice.close() }
        ears = []
        voices = []
        // The next start opens new ears.
        interfaces = []
        reported = nil
        startProblem = nil
    }

    package func broadcast(_ datagram: [UInt8], on chosen: Set<UInt32>?) {
        guard datagram.count <= Limits.beaconBytes else { return }
        for voice in voices {
            for interface in interfaces where interface.carries(voice.family) {
                guard chosen?.contains(interface.index) ?? true else { continue }
                voice.broadcast(datagram, port: port, interface: interface)
            }
        }
    }

    package func send(_ datagram: [UInt8], to address: NetworkAddress) {
        guard datagram.count <= Limits.beaconBytes, let socketAddress = address.socketAddress else { return }
        voices.first { $0.family == .of(socketAddress) }?.send(datagram, to: socketAddress)
    }

    // MARK: Interfaces

    package func way(to host: String) -> NetworkWay? {
        let isName = NetworkAddress(host: host, port: 9).socketAddress == nil
        let sources = isName ? KernelNetwork.anywhere.lazy.compactMap(KernelNetwork.source).first : nil
        guard let source = sources ?? KernelNetwork.source(toward: host) else { return nil }
        return NetworkWay(source: source, interface: interfaces.first { $0.has(source) }?.index)
    }

    @discardableResult
    private func look() -> Set<UInt32> {
        let found = NetworkInterface.usable(withLoopback: withLoopback)
        let changed = Set(Set(found).symmetricDifference(interfaces).map(\.index))
        guard !changed.isEmpty else { return [] }
        interfaces = found
        for ear in ears { ear.listen(on: found.filter { $0.carries(ear.family) }.map(\.index)) }
        log.debug("Interfaces changed", metadata: ["up": "\(found.map(\.name).joined(separator: " "))"])
        if problem != reported, let problem {
            log.warning("Beacons cannot be received", metadata: ["reason": "\(problem)"])
        }
        reported = problem
        return changed
    }

    package var problem: String? {
        if let startProblem { return startProblem }
        let refused = ears.reduce(into: [:]) { $0.merge($1.refused) { first, _ in first } }
        guard let reason = refused.values.first else { return nil }
        let names = interfaces.filter { refused[$0.index] != nil }.map(\.name)
        let shown = names.prefix(Self.namedInterfaces).joined(separator: ", ")
        let rest = names.dropFirst(Self.namedInterfaces).count
        let more = rest > 0 ? " and \(rest) more" : ""
        return """
            Devices that announce themselves on \(shown)\(more) are not found there, because the kernel does not let handoffd \
            listen: \(reason.reason)
            """
    }

    private func told(_ news: Set<InterfaceWatch.News>) {
        var changed = look()
        for case .linkLocalReady(let interface) in news { changed.insert(interface) }
        if !changed.isEmpty || news.contains(.routes) { handler?.networkChanged(on: changed) }
    }

    // MARK: Datagrams

    private func received(_ datagram: [UInt8], from address: SocketAddress) {
        guard let sender = NetworkAddress(address), !isOwn(sender, .of(address)) else { return }
        handler?.datagramReceived(datagram, from: sender)
    }

    /// Multicast returns to its sender, once per interface.
    private func isOwn(_ sender: NetworkAddress, _ family: BeaconSocket.Family) -> Bool {
        // Another daemon here may use our port in the other family.
        guard voices.contains(where: { $0.family == family && $0.port == sender.port }) else { return false }
        let host = String(sender.host.prefix { $0 != "%" })
        return interfaces.contains { $0.has(host) }
    }
}
