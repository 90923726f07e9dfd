// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// The sessions, for Discovery, which finds and dials devices. Implemented by `SessionsService`.
package protocol LinkIntake: PeerMessaging {
    /// A dial succeeded. The link is closed immediately if there is a session of at least equal preference.
    func linkDialled(_ link: any PeerLink)
    func way(to device: DeviceID) -> SessionWay?
    func probe(_ device: DeviceID)
}
