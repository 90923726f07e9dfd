// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// What Discovery asks of the sessions: it finds and dials, they keep. `SessionsService` answers.
package protocol LinkIntake: PeerMessaging {
    /// A dial of ours was answered. Closed at once where there is a session by now.
    func linkDialled(_ link: any PeerLink)
    /// Of the daemon at the other end; nil where there is no session.
    func boot(of device: DeviceID) -> BootID?
    /// Where that daemon can be dialled: where we did, or where it said it listens.
    func listeningAddress(of device: DeviceID) -> NetworkAddress?
    /// Find out now whether the session still stands.
    func probe(_ device: DeviceID)
}
