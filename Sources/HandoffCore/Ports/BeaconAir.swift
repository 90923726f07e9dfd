// SPDX-License-Identifier: Apache-2.0

/// Datagrams to nearby devices, on every interface. In-memory implementation: `MemoryAir` in `HandoffTesting`.
package protocol BeaconAir: AnyObject {
    /// Set before `start`; held weakly.
    var handler: (any BeaconAirHandler)? { get set }
    /// Nil: beacons can be received on every interface. For `status`.
    var problem: String? { get }
    func start() throws
    /// Sends to the multicast group, over IPv4 and IPv6, on these interfaces; nil: on each interface that is up. At
    /// most `Limits.beaconBytes`.
    func broadcast(_ datagram: [UInt8], on interfaces: Set<UInt32>?)
    /// Sends to one beacon socket that a datagram came from.
    func send(_ datagram: [UInt8], to address: NetworkAddress)
    /// The network path to that host now; nil: there is none. For a host name, the default path.
    func way(to host: String) -> NetworkWay?
    func stop()
}

/// Called on the daemon's loop.
package protocol BeaconAirHandler: AnyObject {
    /// `address` is the claimed source; it must not be trusted before the datagram is decrypted.
    func datagramReceived(_ datagram: [UInt8], from address: NetworkAddress)
    /// Interfaces, addresses or routes changed. `interfaces`: the changed ones, perhaps none if only routes changed;
    /// nil: any may have changed.
    func networkChanged(on interfaces: Set<UInt32>?)
}

/// The path by which packets to a host leave this machine.
package struct NetworkWay: Hashable, Sendable {
    package let source: String
    package let interface: UInt32?

    package init(source: String, interface: UInt32?) {
        self.source = source
        self.interface = interface
    }
}
