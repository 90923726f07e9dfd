// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The way of a session that opened, as far as finding that device again depends on it.
package struct SessionWay: Hashable, Sendable {
    /// Of the daemon at the other end.
    package let boot: BootID
    /// Where the other end is.
    package let endpoint: PeerEndpoint
    /// Of the link: what is no better is not dialled while it stands.
    package let preference: LinkPreference
    /// Where that daemon can be dialled: where we did, or where it said it listens. Nil: nowhere that is known.
    package let listening: PeerEndpoint?

    package init(boot: BootID, endpoint: PeerEndpoint, preference: LinkPreference, listening: PeerEndpoint?) {
        self.boot = boot
        self.endpoint = endpoint
        self.preference = preference
        self.listening = listening
    }
}
