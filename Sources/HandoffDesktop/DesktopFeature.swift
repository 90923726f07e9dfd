// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire

/// All methods are called on the program's loop.
protocol DesktopFeature: AnyObject {
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
    func busConnected(_ bus: BusConnection) {}
    func busDisconnected() {}
    func daemonConnected(_ welcome: Welcome) {}
    func daemonDisconnected() {}
    func offersChanged(_ offers: [ListedActivity]) {}
    func presenceChanged(isAway: Bool) {}
}
