// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// A program that sent its hello on the daemon's socket. Compared by identity; invalid after `clientClosed`.
protocol Client: AnyObject {
    var id: ClientID { get }
    var audience: Audience { get }
    /// The registered bundle it belongs to; nil for scripts, control clients and unregistered programs.
    var bundle: BundleID? { get }
    var name: DisplayText { get }
    /// The team whose activities it may publish and continue; nil without an account, or if its team is not trusted
    /// here.
    var team: Team? { get }
    var receives: Bool { get }
    /// The token of its start, if the daemon started it.
    var launchToken: LaunchToken? { get }
    var processID: Int32 { get }

    /// It has much unread data, so frequently changing data should wait for `clientCaughtUp`.
    var isBehind: Bool { get }

    func send(_ message: LocalMessage)
    /// `completion` is called once: with the answer (a `.failure` becomes the failure), with `.appGone` if the client
    /// leaves first, or with `.appTimedOut` at the deadline.
    func request(
        _ message: LocalMessage, deadline: Duration, completion: @escaping (Result<LocalMessage, Failure>) -> Void)
}

/// Answers a client's request with any number of frames. The first settles an ordinary request; later ones are for
/// watches, progress and invites. For a message without a request number, only failures are sent. Has no effect once
/// the client left.
typealias ClientReply = (LocalMessage) -> Void

struct SavedAnswer {
    let state: ActivityState
    let saving: Duration
    let files: [SavedFile]
}

extension Client {
    /// `answer`: to `.save`. `who`: names the client in the message about an unexpected answer.
    func saved(_ answer: Result<LocalMessage, Failure>, who: String = "the app") -> Result<SavedAnswer, Failure> {
        answer.flatMap { message in
            // It was trusted when it was asked.
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

/// Numbers are never reused while a daemon runs, so data kept about a client that left never applies to another.
struct ClientID: Hashable, Sendable {
    let number: UInt64

    init(_ number: UInt64) { self.number = number }

    /// Not a client: actions that the daemon takes itself.
    static let daemon = ClientID(0)
}
