// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct RunningProgram: Hashable, Sendable {
    /// For display and logs only: differs inside a container, and another file may have the path by now.
    package var path: String
    package var device: UInt64
    package var inode: UInt64

    package init(path: String, device: UInt64, inode: UInt64) {
        self.path = path
        self.device = device
        self.inode = inode
    }
}

package protocol ClientLink: AnyObject {
    var processID: Int32 { get }
    /// At the time of its connection; nil if unknown. The process may run another program by now, and share the
    /// connection: see docs/threat-model.md.
    var program: RunningProgram? { get }
    /// An answer over the frame limit becomes a failure `.limitReached`; any other such frame is dropped and logged.
    func send(_ frame: LocalFrame)
    /// Much is unread. `clientCaughtUp` or the end of the connection follows.
    var isBehind: Bool { get }
    /// Sends queued frames, then closes. `clientClosed` follows, once.
    func close()
}

package struct ClientLimits: Hashable, Sendable {
    package var clients = 256
    package var hello: Duration = .seconds(10)
    /// Between the hello and the identification. Clients normally send at most two.
    package var heldFrames = 16

    package init() {}
}

/// Refuses another user's program before it reads a byte.
package protocol ClientListener: AnyObject {
    /// Set before `start`; held weakly.
    var handler: (any ClientListenerHandler)? { get set }
    /// From now on, the system holds connections.
    func start() throws
    /// Once, after `start`.
    func accept()
    func stop()
}

/// On the daemon's loop.
package protocol ClientListenerHandler: AnyObject {
    /// The connection began with `attachStream` instead of a hello. `join` or `refuse` must follow within a token's
    /// lifetime.
    func streamAttached(_ token: StreamToken, by processID: Int32, on link: any StreamLink)
    func clientAccepted(_ link: any ClientLink)
    func frameReceived(_ frame: LocalFrame, on link: any ClientLink)
    func clientCaughtUp(_ link: any ClientLink)
    func clientClosed(_ link: any ClientLink, failure: Failure?)
}

extension ClientListenerHandler {
    package func clientCaughtUp(_ link: any ClientLink) {}
}
