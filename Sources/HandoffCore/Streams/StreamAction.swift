// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What a stream is for, and with whom: tokens are bound to it.
package struct StreamPass: Hashable, Sendable {
    /// The other one.
    package let device: DeviceID
    package let activity: ActivityID
    package let continuation: ContinuationID
    /// Of both apps.
    package let team: Team
    /// `advertising` at the origin, `receiving` at the receiver.
    package let direction: HandoffDirection
    /// Whose bytes it carries, by the index of its reference; nil: a stream between the two apps.
    package let document: UInt32?

    package init(
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

/// What an app needs to attach to its stream: `token`, from a connection of that process.
package struct StreamEntry: Hashable, Sendable {
    package let token: StreamToken
    package let processID: Int32

    package init(token: StreamToken, processID: Int32) {
        self.token = token
        self.processID = processID
    }
}

/// Who opens the connection between the devices.
package enum StreamWay: Hashable, Sendable {
    /// This device, as it opened the session.
    case dial
    case awaitDial
}

/// What follows from an event of a stream. The near link is the app's here, the far one leads to the other device.
package enum StreamAction<Link> {
    /// Ask the other device for it. `agreed` or `refused` follows.
    case askDevice(StreamID, StreamPass)
    /// Ask the app here whether it takes it. `agreed` or `refused` follows.
    case askClient(ClientID, StreamTicket, StreamPass)
    /// Whoever asked for it gets its token. Once, and then no `fail` for that stream.
    case grant(StreamID, StreamToken)
    /// Whoever asked for it gets this, and the stream is no more. Once, and then no `grant`.
    case fail(StreamID, Failure)
    /// `dialled` follows.
    case dial(StreamID, DeviceID, StreamHello)
    case join(near: Link, far: Link)
    /// It was not joined: say why on it, and close it.
    case refuse(Link, Failure)
    case cut(Link, Failure)
    case confirm(Link)
    case tell(ClientID, StreamEnd)
    /// It waits for a connection with that token, and none comes.
    case tellDevice(DeviceID, StreamToken, Failure)
}

extension StreamAction: Equatable where Link: Equatable {}
