// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The properties of an open session that matter for finding the device again.
package struct SessionWay: Hashable, Sendable {
    package let boot: BootID
    package let endpoint: PeerEndpoint
    /// The preference of the link; endpoints that are not better are not dialled during the session.
    package let preference: LinkPreference
    /// Where that daemon can be dialled: the address that this device dialled, or the one that the daemon announced.
    /// Nil if unknown.
    package let listening: PeerEndpoint?

    package init(boot: BootID, endpoint: PeerEndpoint, preference: LinkPreference, listening: PeerEndpoint?) {
        self.boot = boot
        self.endpoint = endpoint
        self.preference = preference
        self.listening = listening
    }
}
