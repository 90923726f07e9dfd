// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// What Discovery asks of the sessions: it finds and dials, they keep. `SessionsService` answers.
package protocol LinkIntake: PeerMessaging {
    /// A dial of ours was answered. Closed at once where there is a session by now that is no worse.
    func linkDialled(_ link: any PeerLink)
    /// Nil where there is no session.
    func way(to device: DeviceID) -> SessionWay?
    /// Find out now whether the session still stands.
    func probe(_ device: DeviceID)
}
