// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// What the other features ask of the sessions with other devices. `SessionsService` answers.
package protocol PeerMessaging: AnyObject {
    /// Devices with an established session.
    var connected: Set<DeviceID> { get }
    /// Where the session's other side is, for people.
    func address(of device: DeviceID) -> NetworkAddress?
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

    func register(_ handler: any PeerMessageHandler)
}

/// How two devices came to their session.
package enum SessionRoute: Hashable, Sendable {
    /// We dialled, there.
    case dialled(NetworkAddress)
    case accepted
}

/// A feature that takes messages from other devices. Asked in the order of registration.
package protocol PeerMessageHandler: AnyObject {
    /// After the hellos were exchanged.
    func sessionOpened(_ device: DeviceID)
    func sessionClosed(_ device: DeviceID)
    /// True if the message is this feature's. `reply` sends the answer of a request, at most once, at any time later;
    /// it does nothing for a notice and after the session ended.
    func handle(_ message: PeerMessage, from device: DeviceID, reply: @escaping (PeerMessage) -> Void) -> Bool
}

extension PeerMessageHandler {
    package func sessionOpened(_ device: DeviceID) {}
    package func sessionClosed(_ device: DeviceID) {}
}
