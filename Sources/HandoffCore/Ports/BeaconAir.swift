// SPDX-License-Identifier: Apache-2.0

/// Our own choice: administratively scoped, and link-local.
package enum BeaconGroup {
    package static let ipv4 = "239.255.72.79"
    package static let ipv6 = "ff02::4841:4e44:4f46"
    /// UDP. Sessions use the same TCP port unless it is taken.
    package static let port: UInt16 = 47474
    /// Source of beacons and destination of answers, unless taken.
    package static let answerPort: UInt16 = 47475
}

package protocol BeaconAir: AnyObject {
    /// Set before `start`; held weakly.
    var handler: (any BeaconAirHandler)? { get set }
    /// For `status`; nil: beacons can be received on every interface.
    var problem: String? { get }
    func start() throws
    /// To the multicast group, over IPv4 and IPv6. `interfaces`: nil means each that is up. At most
    /// `Limits.beaconBytes`.
    func broadcast(_ datagram: [UInt8], on interfaces: Set<UInt32>?)
    /// To a datagram's beacon socket.
    func send(_ datagram: [UInt8], to address: NetworkAddress)
    /// For a host name, the default path.
    func way(to host: String) -> NetworkWay?
    func stop()
}

/// On the daemon's loop.
package protocol BeaconAirHandler: AnyObject {
    /// Do not trust `address`, the claimed source, before the datagram is decrypted.
    func datagramReceived(_ datagram: [UInt8], from address: NetworkAddress)
    /// Interfaces, addresses or routes changed. `interfaces`: empty if only routes changed; nil: any may have changed.
    func networkChanged(on interfaces: Set<UInt32>?)
}

package struct NetworkWay: Hashable, Sendable {
    package let source: String
    package let interface: UInt32?

    package init(source: String, interface: UInt32?) {
        self.source = source
        self.interface = interface
    }
}

/// The user's setting `beacons`, which takes effect at once.
package protocol BeaconSwitch: AnyObject {
    /// Reports the setting once and after changes, on the daemon's loop. An invalid value changes nothing.
    func watch(_ changed: @escaping (Bool) -> Void)
}
