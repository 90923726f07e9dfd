// SPDX-License-Identifier: Apache-2.0

/// Datagrams to whoever is near, on every interface. In-memory twin: `MemoryAir` in `HandoffTesting`.
package protocol BeaconAir: AnyObject {
    /// Set before `start`; held weakly.
    var handler: (any BeaconAirHandler)? { get set }
    func start() throws
    /// To the multicast group, IPv4 and IPv6, on every interface that is up. At most `Limits.beaconBytes`.
    func broadcast(_ datagram: [UInt8])
    /// To one beacon socket that a datagram came from.
    func send(_ datagram: [UInt8], to address: NetworkAddress)
    func stop()
}

/// Called on the daemon's loop.
package protocol BeaconAirHandler: AnyObject {
    /// `address` is where the datagram says it came from: nothing to be believed before the datagram is opened.
    func datagramReceived(_ datagram: [UInt8], from address: NetworkAddress)
    /// An interface or address came or went.
    func networkChanged()
}
