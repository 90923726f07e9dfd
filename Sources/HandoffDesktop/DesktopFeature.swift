// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
package import HandoffWire

/// One function of this program between the user's bus and the daemon. All methods are called on the program's loop.
package protocol DesktopFeature: AnyObject {
    /// The bus is connected: objects, matches and names must be set up on this connection.
    func busConnected(_ bus: BusConnection)
    /// The bus connection and all its state are gone.
    func busDisconnected()
    func daemonConnected(_ welcome: Welcome)
    /// All pending requests to the daemon are void.
    func daemonDisconnected()
    /// The activities offered here and elsewhere have changed; newest first, empty without a daemon.
    func offersChanged(_ offers: [ListedActivity])
    /// The user left or returned. Initially, the user is considered present.
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
