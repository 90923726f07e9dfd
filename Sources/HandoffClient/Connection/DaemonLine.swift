// SPDX-License-Identifier: Apache-2.0

package import HandoffSystem
package import HandoffWire

/// An app's line to the daemon, for as long as the app lives. `DaemonConnection` is the real one, over the socket; the
/// devices of a test, in `HandoffTestKit`, have one in memory. None of its methods waits, but where it says so; all may be
/// called on any thread.
package protocol DaemonLine: AnyObject, Sendable {
    /// Once. `events` is held weakly; when it is gone the line ends. It is not called before this returns.
    func start(_ events: any DaemonConnectionEvents)
    /// False if there is no daemon: what was to be said is to be said again after `connected`.
    @discardableResult func send(_ message: LocalMessage) -> Bool
    /// False if the daemon that asked is gone, or the answer is too large to send.
    @discardableResult func answer(_ ticket: AnswerTicket, _ message: LocalMessage) -> Bool
    /// `completion` is called once, on the line's own thread, unless there is no daemon, which is told by false. Failures
    /// that the daemon answers, and the end of the connection, are failures of the result.
    @discardableResult
    func request(_ message: LocalMessage, completion: @escaping @Sendable (Result<LocalMessage, Failure>) -> Void)
        -> Bool
    /// The same for what is answered more than once: `each` is called until it returns false, or the line ends.
    @discardableResult
    func follow(_ message: LocalMessage, each: @escaping @Sendable (Result<LocalMessage, Failure>) -> Bool) -> Bool
    /// Attaches to the stream that the daemon gave this token for. `completion` is called once, on any thread.
    func attach(_ token: StreamToken, completion: @escaping @Sendable (Result<AttachedStream, Failure>) -> Void)
    /// Gives the daemon a file that is open here for reading, which it may keep. The file is named by the token from then
    /// on. Waits for as long as the daemon is busy, at most so long; false where it does not take any then. Whether it keeps
    /// this one is not told.
    func give(_ file: borrowing OpenFile, as token: FileToken, within limit: Duration) -> Bool
    /// Has `woken` called; several calls before it runs are one.
    func wake()
    /// Says hello anew, for what the hello says has changed.
    func reconnect()
    /// For good.
    func close()
}

extension DaemonConnection: DaemonLine {}

extension Failure {
    /// Nobody answers at the daemon's socket.
    package static let noDaemon = Failure(.connectionUnavailable, "handoffd is not running")

    package static let unexpectedAnswer = Failure(
        .malformed, "the daemon sent an unexpected answer; it may be a different version")
}
