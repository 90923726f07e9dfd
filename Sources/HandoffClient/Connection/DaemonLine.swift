// SPDX-License-Identifier: Apache-2.0

package import HandoffSystem
package import HandoffWire

/// An app's connection to the daemon, for the app's lifetime. `DaemonConnection` uses the socket; `HandoffTestKit` has
/// an in-memory implementation. Methods do not block unless documented, and may be called on any thread.
package protocol DaemonLine: AnyObject, Sendable {
    /// Call once. `events` is held weakly; the line ends with it. `events` is not called before this returns.
    func start(_ events: any DaemonConnectionEvents)
    /// False without a daemon. The caller must send the message again after `connected`.
    @discardableResult func send(_ message: LocalMessage) -> Bool
    /// False if the requesting daemon is gone, or the answer is too large.
    @discardableResult func answer(_ ticket: AnswerTicket, _ message: LocalMessage) -> Bool
    /// Returns false without a daemon. Otherwise `completion` is called once, on the line's own thread. The daemon's
    /// failures and the end of the connection are failures of the result.
    @discardableResult
    func request(_ message: LocalMessage, completion: @escaping @Sendable (Result<LocalMessage, Failure>) -> Void)
        -> Bool
    /// The same for several answers: `each` is called until it returns false, or the line ends.
    @discardableResult
    func follow(_ message: LocalMessage, each: @escaping @Sendable (Result<LocalMessage, Failure>) -> Bool) -> Bool
    /// Attaches to the stream of this token. `completion` is called once, on any thread.
    func attach(_ token: StreamToken, completion: @escaping @Sendable (Result<AttachedStream, Failure>) -> Void)
    /// Passes a file that is open for reading to the daemon, which may keep it under this token. Blocks while the
    /// daemon is busy, up to `limit`. False if the daemon does not take it in time. The daemon does not report whether
    /// it keeps the file.
    func give(_ file: borrowing OpenFile, as token: FileToken, within limit: Duration) -> Bool
    /// Calls `woken`, once for several calls.
    func wake()
    /// For a changed hello.
    func reconnect()
    func close()
}

extension DaemonConnection: DaemonLine {}

extension Failure {
    package static let noDaemon = Failure(.connectionUnavailable, "handoffd is not running")

    package static let unexpectedAnswer = Failure(
        .malformed, "the daemon sent an unexpected answer; its version may differ")
}
