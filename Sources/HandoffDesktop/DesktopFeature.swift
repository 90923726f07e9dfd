// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
package import HandoffWire

/// All methods are called on the program's loop.
package protocol DesktopFeature: AnyObject {
    /// Objects, matches and names must be set up on this connection.
    func busConnected(_ bus: BusConnection)
    func busDisconnected()
    func daemonConnected(_ welcome: Welcome)
    /// All pending requests to the daemon are void.
    func daemonDisconnected()
    /// Newest first; empty without a daemon.
    func offersChanged(_ offers: [ListedActivity])
    /// Initially, the user is considered present.
    func presenceChanged(isAway: Bool)
}

extension DesktopFeature {
    package func busConnected(_ bus: BusConnection) {}
    package func busDisconnected() {}
    package func daemonConnected(_ welcome: Welcome) {}
    package func daemonDisconnected() {}
    package func offersChanged(_ offers: [ListedActivity]) {}
    package func presenceChanged(isAway: Bool) {}
}
