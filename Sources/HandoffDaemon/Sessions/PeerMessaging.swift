// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// The sessions with other devices. Implemented by `SessionsService`.
protocol PeerMessaging: AnyObject {
    var connected: Set<DeviceID> { get }
    /// The address of the session's other side, for display; nil without a session.
    func endpoint(of device: DeviceID) -> PeerEndpoint?
    /// Which device opened the session; nil without a session. Another connection can be opened in that direction.
    func route(to device: DeviceID) -> SessionRoute?
    /// False without a session; then nothing was sent.
    @discardableResult
    func send(_ message: PeerMessage, to device: DeviceID) -> Bool
    /// `completion` is called once: with the answer (a `.failure` message becomes the failure), with `.deviceLost` if
    /// the session ends first, with `.appTimedOut` at the deadline, or with `.connectionUnavailable` immediately if
    /// there is no session.
    func request(
        _ message: PeerMessage, to device: DeviceID, deadline: Duration,
        completion: @escaping (Result<PeerMessage, Failure>) -> Void)

    /// Set by each feature, or by the wiring.
    var handlers: PeerHandlers { get set }
}

enum SessionRoute: Hashable, Sendable {
    case dialled(PeerEndpoint)
    case accepted
}
