// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Purpose and peer of a stream; its tokens are bound to them.
struct StreamPass: Hashable, Sendable {
    let device: DeviceID
    let activity: ActivityID
    let continuation: ContinuationID
    let team: Team
    /// `advertising` at the origin, `receiving` at the receiver.
    let direction: HandoffDirection
    /// The index of the transferred document's reference; nil for a stream between the two apps.
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
    /// Once; then no `fail` follows.
    case grant(StreamID, StreamToken)
    /// Removes the stream. Once; then no `grant` follows.
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
