// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
package import HandoffWire

/// One thing that this program does between the user's bus and the daemon. All of it is called on the program's loop.
package protocol DesktopFeature: AnyObject {
    /// A bus is there: what is exported, matched and requested is to be so on this one.
    func busConnected(_ bus: BusConnection)
    /// Nothing that was on the bus counts any more.
    func busDisconnected()
    func daemonConnected(_ welcome: Welcome)
    /// Nothing that was asked of the daemon counts any more.
    func daemonDisconnected()
    /// What is offered here and elsewhere is another list now, newest first; empty without a daemon.
    func offersChanged(_ offers: [ListedActivity])
    /// The user left this device or came back to it. Until then they are taken for here.
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
