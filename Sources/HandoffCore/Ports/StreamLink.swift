// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// A connection that carries one stream, from an app on the daemon's socket or to another device. One frame in each
/// direction sets it up; afterwards it carries only bytes. A peer that sends bytes earlier is cut off. A link that ends
/// in the daemon itself is a `DaemonStreamEnd`.
///
/// `StreamCarriage` contains the rules for the bytes; a link is a `StreamAdapter`, which carries them out. In-memory
/// implementation: `MemoryStreamLink` in `HandoffTesting`. Everything is called on the daemon's loop.
package protocol StreamLink: AnyObject {
    /// Held weakly.
    var observer: (any StreamLinkObserver)? { get set }
    /// Sends the reason, and closes. `streamLinkClosed` follows.
    func refuse(_ failure: Failure)
    /// Sends ready on both links, if due, and transfers the bytes of each to the other from then on. A side that does
    /// not take its bytes holds the other back. Called once, on either link. `budget` is shared by all streams.
    func join(_ other: any StreamLink, within budget: StreamBudget)
    /// Called after `streamBytesEnded` on this link: its bytes are complete, and end for the other side too. Until
    /// then, the other side waits. Confirmed bytes arrive even if the other direction breaks in the meantime.
    func confirmEnd()
    /// Ends this link and the joined one now; neither side mistakes it for the end of the bytes. Confirmed bytes still
    /// on their way are lost. `streamLinkClosed` follows on both.
    func cut(_ failure: Failure)
}

/// Never called during a call to the link.
package protocol StreamLinkObserver: AnyObject {
    /// The bytes from this link's other end have ended, and all were given to the joined link. A device ends its bytes
    /// deliberately; an app's process may have crashed.
    func streamBytesEnded(on link: any StreamLink, after byteCount: UInt64)
    /// Called once. `failure` is nil if both directions had ended in order.
    func streamLinkClosed(_ link: any StreamLink, failure: Failure?)
}

extension ClientListenerHandler {
    package func streamAttached(_ token: StreamToken, by processID: Int32, on link: any StreamLink) {
        link.refuse(Failure(.unimplemented, "no streams here"))
    }
}
