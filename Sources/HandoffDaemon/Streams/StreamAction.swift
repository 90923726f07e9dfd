// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// The purpose and the peer of a stream, to which its tokens are bound.
struct StreamPass: Hashable, Sendable {
    let device: DeviceID
    let activity: ActivityID
    let continuation: ContinuationID
    let team: Team
    /// `advertising` at the origin, `receiving` at the receiver.
    let direction: HandoffDirection
    /// The index of the reference of the document that it transfers; nil for a stream between the two apps.
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

/// An app attaches with this token, on a connection of that process.
struct StreamEntry: Hashable, Sendable {
    let token: StreamToken
    let processID: Int32
}

/// Which device opens the connection.
enum StreamWay: Hashable, Sendable {
    case dial
    case awaitDial
}

/// The near link leads to the local app, the far link to the other device.
enum StreamAction<Link> {
    /// `agreed` or `refused` follows.
    case askDevice(StreamID, StreamPass)
    /// `agreed` or `refused` follows.
    case askClient(ClientID, StreamTicket, StreamPass)
    /// Happens once, and then no `fail` follows.
    case grant(StreamID, StreamToken)
    /// The stream is removed. Happens once, and then no `grant` follows.
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
