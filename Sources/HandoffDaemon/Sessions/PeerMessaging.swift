// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// What the other features ask of the sessions with other devices. `SessionsService` answers.
package protocol PeerMessaging: AnyObject {
    /// Devices with an established session.
    var connected: Set<DeviceID> { get }
    /// Where the session's other side is, for people; nil where there is none.
    func endpoint(of device: DeviceID) -> PeerEndpoint?
    /// Who opened the session; nil where there is none. Another connection beside it can be opened in that direction.
    func route(to device: DeviceID) -> SessionRoute?
    /// False where there is no session; then nothing was sent.
    @discardableResult
    func send(_ message: PeerMessage, to device: DeviceID) -> Bool
    /// `completion` is called once: the answer (a `.failure` message becomes the failure), `.deviceLost` if the session
    /// ends first, `.appTimedOut` at the deadline, `.connectionUnavailable` at once where there is no session.
    func request(
        _ message: PeerMessage, to device: DeviceID, deadline: Duration,
        completion: @escaping (Result<PeerMessage, Failure>) -> Void)

    /// Each feature puts itself into its place, or whoever wires it does.
    var handlers: PeerHandlers { get set }
}

/// How two devices came to their session.
package enum SessionRoute: Hashable, Sendable {
    /// We dialled, there.
    case dialled(PeerEndpoint)
    case accepted
}
