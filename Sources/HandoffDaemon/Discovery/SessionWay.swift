// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// The properties of an open session that matter for finding the device again.
struct SessionWay: Hashable, Sendable {
    let boot: BootID
    let endpoint: PeerEndpoint
    /// The preference of the link; endpoints that are not better are not dialled during the session.
    let preference: LinkPreference
    /// Where that daemon can be dialled: the address that this device dialled, or the one that the daemon announced.
    /// Nil if unknown.
    let listening: PeerEndpoint?
}
