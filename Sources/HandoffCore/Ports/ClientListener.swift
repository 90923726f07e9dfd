// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// A program of this user that is connected to the daemon's socket.
package protocol ClientLink: AnyObject {
    var processID: Int32 { get }
    /// `/proc/PID/exe` at the time it connected; nil where it cannot be read. A label, not a proof.
    var executable: String? { get }
    func send(_ frame: LocalFrame)
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
    func clientAccepted(_ link: any ClientLink)
    func frameReceived(_ frame: LocalFrame, on link: any ClientLink)
    func clientClosed(_ link: any ClientLink, failure: Failure?)
}
