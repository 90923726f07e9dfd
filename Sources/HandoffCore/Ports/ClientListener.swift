// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What a process runs, as the kernel has it.
package struct RunningProgram: Hashable, Sendable {
    /// For people and logs: it is another one in a container, and anything can be at a path by now.
    package var path: String
    /// The file itself, the same from wherever it is looked at.
    package var device: UInt64
    package var inode: UInt64

    package init(path: String, device: UInt64, inode: UInt64) {
        self.path = path
        self.device = device
        self.inode = inode
    }
}

/// A program of this user that is connected to the daemon's socket.
package protocol ClientLink: AnyObject {
    var processID: Int32 { get }
    /// What it ran when it was accepted; nil where it ended since or cannot be looked at. It may run another program
    /// by now, and share the connection with others: docs/threat-model.md says what that means.
    var program: RunningProgram? { get }
    /// An answer over the limit of a frame becomes a failure `.limitReached`; anything else over it is lost, with a line in
    /// the log.
    func send(_ frame: LocalFrame)
    /// It has much to read that was sent before. `clientCaughtUp` follows, or its end.
    var isBehind: Bool { get }
    /// Sends what was queued, then closes. `clientClosed` follows, once.
    func close()
}

/// The daemon's Unix socket. Another user's program is refused before its first byte is read.
/// In-memory twin: `MemoryClientListener` in `HandoffTesting`.
package protocol ClientListener: AnyObject {
    /// Set before `start`; held weakly.
    var handler: (any ClientListenerHandler)? { get set }
    func start() throws
    func stop()
}

/// Called on the daemon's loop.
package protocol ClientListenerHandler: AnyObject {
    /// The first frame of a connection was not a hello but `attachStream`; it is no client, then, and counts among
    /// streams. `join` or `refuse` is due, within the time of a token.
    func streamAttached(_ token: StreamToken, by processID: Int32, on link: any StreamLink)
    func clientAccepted(_ link: any ClientLink)
    func frameReceived(_ frame: LocalFrame, on link: any ClientLink)
    /// It has read what made it `isBehind`.
    func clientCaughtUp(_ link: any ClientLink)
    func clientClosed(_ link: any ClientLink, failure: Failure?)
}

extension ClientListenerHandler {
    package func clientCaughtUp(_ link: any ClientLink) {}
}
