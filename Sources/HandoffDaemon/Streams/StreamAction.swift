// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// The purpose and the peer of a stream. Tokens are bound to it.
struct StreamPass: Hashable, Sendable {
    let device: DeviceID
    let activity: ActivityID
    let continuation: ContinuationID
    let team: Team
    /// `advertising` at the origin, `receiving` at the receiver.
    let direction: HandoffDirection
    /// The document that it transfers, by the index of its reference; nil for a stream between the two apps.
    let document: UInt32?

    init(
        device: DeviceID, activity: ActivityID, continuation: ContinuationID, team: Team, direction: HandoffDirection,
        document: UInt32? = nil
    ) {
        self.device = device
        self.activity = activity
        self.continuation = continuation
        self.team = team
        self.direction = direction
        self.document = document
    }

    func isFor(_ activity: ActivityID, _ continuation: ContinuationID, of device: DeviceID) -> Bool {
        self.device == device && self.activity == activity && self.continuation == continuation
    }
}

/// The data that an app needs to attach to its stream: the token, on a connection of that process.
struct StreamEntry: Hashable, Sendable {
    let token: StreamToken
    let processID: Int32
}

/// Which device opens the connection.
enum StreamWay: Hashable, Sendable {
    /// This device, because it opened the session.
    case dial
    case awaitDial
}

/// An action that follows from an event of a stream. The near link leads to the local app, the far link to the other
/// device.
enum StreamAction<Link> {
    /// Request the stream from the other device. `agreed` or `refused` follows.
    case askDevice(StreamID, StreamPass)
    /// Ask the local app whether it accepts the stream. `agreed` or `refused` follows.
    case askClient(ClientID, StreamTicket, StreamPass)
    /// Give the token to the requester. Happens once, and then no `fail` follows for that stream.
    case grant(StreamID, StreamToken)
    /// Report the failure to the requester; the stream is removed. Happens once, and then no `grant` follows.
    case fail(StreamID, Failure)
    /// `dialled` follows.
    case dial(StreamID, DeviceID, StreamHello)
    case join(near: Link, far: Link)
    /// For a link that was not joined: send the reason and close it.
    case refuse(Link, Failure)
    case cut(Link, Failure)
    case confirm(Link)
    case tell(ClientID, StreamEnd)
    /// The other device waits for a connection with that token, which will not arrive.
    case tellDevice(DeviceID, StreamToken, Failure)
}

extension StreamAction: Equatable where Link: Equatable {}
