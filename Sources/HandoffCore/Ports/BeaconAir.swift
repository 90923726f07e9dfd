// SPDX-License-Identifier: Apache-2.0

/// Datagrams to whoever is near, on every interface. In-memory twin: `MemoryAir` in `HandoffTesting`.
package protocol BeaconAir: AnyObject {
    /// Set before `start`; held weakly.
    var handler: (any BeaconAirHandler)? { get set }
    /// Nil: beacons are heard on every interface. For `status`.
    var problem: String? { get }
    func start() throws
    /// To the multicast group, IPv4 and IPv6, on these interfaces, nil: on each that is up. At most `Limits.beaconBytes`.
    func broadcast(_ datagram: [UInt8], on interfaces: Set<UInt32>?)
    /// To one beacon socket that a datagram came from.
    func send(_ datagram: [UInt8], to address: NetworkAddress)
    /// How what is sent to that host leaves this machine now; nil: it cannot. The default way for a name.
    func way(to host: String) -> NetworkWay?
    func stop()
}

/// Called on the daemon's loop.
package protocol BeaconAirHandler: AnyObject {
    /// `address` is where the datagram says it came from: nothing to be believed before the datagram is opened.
    func datagramReceived(_ datagram: [UInt8], from address: NetworkAddress)
    /// Interfaces, addresses or routes came or went. `interfaces` are those that are not as they were, which may be none if
    /// only routes changed; nil: any may be.
    func networkChanged(on interfaces: Set<UInt32>?)
}

/// Where packets to a host leave this machine.
package struct NetworkWay: Hashable, Sendable {
    /// This machine's address on that way.
    package let source: String
    /// The interface with that address.
    package let interface: UInt32?

    package init(source: String, interface: UInt32?) {
        self.source = source
        self.interface = interface
    }
}
