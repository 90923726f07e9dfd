// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Sent its hello on the daemon's socket. Compared by identity; invalid after `clientClosed`.
protocol Client: AnyObject {
    var id: ClientID { get }
    var audience: Audience { get }
    /// Nil for scripts, control clients and unregistered programs.
    var bundle: BundleID? { get }
    var name: DisplayText { get }
    /// Nil without an account, or if its team is not trusted here.
    var team: Team? { get }
    var receives: Bool { get }
    /// Nil if the daemon did not start it.
    var launchToken: LaunchToken? { get }
    var processID: Int32 { get }

    /// Delay frequent updates until `clientCaughtUp`.
    var isBehind: Bool { get }

    func send(_ message: LocalMessage)
    /// Calls `completion` once: with the answer (a `.failure` becomes the failure), with `.appGone` if the client
    /// leaves first, or with `.appTimedOut` at the deadline.
    func request(
        _ message: LocalMessage, deadline: Duration, completion: @escaping (Result<LocalMessage, Failure>) -> Void)
}

/// The first frame settles an ordinary request; watches, progress and invites send more. For a message without a
/// request number, only failures are sent. No effect once the client left.
typealias ClientReply = (LocalMessage) -> Void

struct SavedAnswer {
    let state: ActivityState
    let saving: Duration
    let files: [SavedFile]
}

extension Client {
    func saved(_ answer: Result<LocalMessage, Failure>, who: String = "the app") -> Result<SavedAnswer, Failure> {
        answer.flatMap { message in
            // Trust may have ended since the request.
            guard team != nil else {
                return .failure(Failure(.activityGone, "the activity is no longer offered"))
            }
            guard case .advertising(.saved(let state, let saving, let files)) = message else {
                return .failure(Failure(.malformed, "\(who) sent an unexpected answer"))
            }
            return .success(SavedAnswer(state: state, saving: saving, files: files))
        }
    }
}

/// Never reused, so data about a client never applies to another.
struct ClientID: Hashable, Sendable {
    let number: UInt64

    init(_ number: UInt64) { self.number = number }

    /// The daemon's own actions.
    static let daemon = ClientID(0)
}
