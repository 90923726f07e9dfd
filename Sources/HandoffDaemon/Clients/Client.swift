// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// A program that said hello on the daemon's socket. Compared by identity; gone when `clientClosed` was called.
package protocol Client: AnyObject {
    var id: ClientID { get }
    /// As what it speaks.
    var audience: Audience { get }
    /// The registered bundle it belongs to; nil for scripts, control clients and unregistered programs.
    var bundle: BundleID? { get }
    var name: DisplayText { get }
    /// Whose activities it may publish and continue; nil while there is no account, or its team is
    /// not trusted here.
    var team: Team? { get }
    /// Wants continuations delivered.
    var receives: Bool { get }
    /// The token of the start that brought it, if the daemon started it.
    var launchToken: LaunchToken? { get }
    var processID: Int32 { get }

    /// It has much to read that was sent before: what is newest soon is better sent then. `clientCaughtUp` follows.
    var isBehind: Bool { get }

    func send(_ message: LocalMessage)
    /// `completion` is called once: the answer (a `.failure` becomes the failure), `.appGone` if the client leaves first,
    /// `.appTimedOut` at the deadline.
    func request(
        _ message: LocalMessage, deadline: Duration, completion: @escaping (Result<LocalMessage, Failure>) -> Void)
}

/// How a feature answers a client's request: any number of frames, of which the first settles an ordinary request;
/// later ones are for watches, progress and invites. Of what wanted no answer only a failure is told. Does nothing once
/// the client left.
package typealias ClientReply = (LocalMessage) -> Void
