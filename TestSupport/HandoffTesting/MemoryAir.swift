// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// A host's beacon sockets in memory. The network loses, duplicates and reorders datagrams.
package final class MemoryAir: BeaconAir {
    package weak var handler: (any BeaconAirHandler)?
    package static let port: UInt16 = 4712

    private let hub: MemoryNetwork
    weak var node: MemoryNode?
    private var isOn = false
    package var startFailure: Failure?
    package private(set) var broadcasts = 0
    package private(set) var unicasts = 0

    init(hub: MemoryNetwork) { self.hub = hub }

    package func start() throws {
        if let startFailure { throw startFailure }
        isOn = true
    }

    package func stop() { isOn = false }

    /// All other hosts are on one network.
    package var ways: [String: NetworkWay] = [:]
    package static let interface: UInt32 = 2
    package var problem: String?

    package func way(to host: String) -> NetworkWay? {
        ways[host] ?? NetworkWay(source: host, interface: Self.interface)
    }

    package func broadcast(_ datagram: [UInt8], on interfaces: Set<UInt32>?) {
        guard isOn, node?.isOn == true, interfaces?.contains(Self.interface) ?? true else { return }
        broadcasts += 1
        guard hub.carriesMulticast else { return }
        // As on a real group, the sender receives its datagrams.
        for host in hub.hosts { cast(datagram, to: host) }
    }

    package func send(_ datagram: [UInt8], to address: NetworkAddress) {
        guard isOn, node?.isOn == true, address.port == Self.port else { return }
        unicasts += 1
        cast(datagram, to: address.host)
    }

    /// Nil: any interface.
    package func networkChanged(on interfaces: Set<UInt32>? = nil) {
        guard isOn else { return }
        hub.time.schedule(after: .zero) { [weak self] in
            guard let self, self.isOn, self.node?.isOn == true else { return }
            self.handler?.networkChanged(on: interfaces)
        }
    }

    /// As an attacker could.
    package func inject(_ datagram: [UInt8], from source: NetworkAddress) {
        guard isOn, node?.isOn == true else { return }
        hub.datagramsDelivered += 1
        handler?.datagramReceived(datagram, from: source)
    }

    private func cast(_ datagram: [UInt8], to host: MemoryNetwork.Host) {
        precondition(datagram.count <= Limits.beaconBytes, "a beacon of \(datagram.count) bytes")
        guard let node else { return }
        let source = NetworkAddress(host: node.host, port: Self.port)
        for _ in 0..<(hub.happens(hub.datagramDuplication) ? 2 : 1) where !hub.happens(hub.datagramLoss) {
            hub.time.schedule(after: hub.drawLatency(source.host, host)) { [hub] in
                guard let receiver = hub.node(at: host), !hub.areApart(source.host, host) else { return }
                receiver.air.inject(datagram, from: source)
            }
        }
    }
}

/// Changed by the test.
package final class MemoryBeaconSwitch: BeaconSwitch {
    private var changed: (Bool) -> Void = { _ in }

    package init() {}

    package func watch(_ changed: @escaping (Bool) -> Void) { self.changed = changed }

    package func set(_ isOn: Bool) { changed(isOn) }
}
