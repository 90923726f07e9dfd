// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// A connection that carries one stream: of an app, on the daemon's socket, or to another device. One frame each way
/// sets it up; then it carries bytes alone, both ways. Whoever sends bytes before that is cut off. One that ends in the
/// daemon itself is a `DaemonStreamEnd`.
///
/// What all of that means for the bytes `StreamCarriage` decides; a link is a `StreamHand`, which carries it out. In-memory
/// twin: `MemoryStreamLink` in `HandoffTesting`. Everything is called on the daemon's loop.
package protocol StreamLink: AnyObject {
    /// Held weakly.
    var observer: (any StreamLinkObserver)? { get set }
    /// Says why, and closes. `streamLinkClosed` follows.
    func refuse(_ failure: Failure)
    /// Says ready where that is due, on both, and carries the bytes of each to the other from then on; a side that does
    /// not take them holds the other back. Once, on either of the two. `budget` is that of all streams.
    func join(_ other: any StreamLink, within budget: StreamBudget)
    /// After `streamBytesEnded` on this link: its bytes were all meant, and end for the other side too. Without it the
    /// other side waits. What is confirmed arrives, even if the other direction breaks meanwhile.
    func confirmEnd()
    /// Ends this link and the one that it is joined with, now; neither side takes it for the end of the bytes. What was
    /// confirmed and is still on its way is lost, too.
    /// `streamLinkClosed` follows on both.
    func cut(_ failure: Failure)
}

/// Never told from within a call to the link.
package protocol StreamLinkObserver: AnyObject {
    /// What this link's other end sends has come to its end, and all of it went to the link that it is joined with. Of a
    /// device it is known that the end was meant; of an app's process it is not: it may have died.
    func streamBytesEnded(on link: any StreamLink, after byteCount: UInt64)
    /// Once. `failure` is nil where both directions had ended in order.
    func streamLinkClosed(_ link: any StreamLink, failure: Failure?)
}

extension ClientListenerHandler {
    package func streamAttached(_ token: StreamToken, by processID: Int32, on link: any StreamLink) {
        link.refuse(Failure(.unimplemented, "no streams here"))
    }
}
