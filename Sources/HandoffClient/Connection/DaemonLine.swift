// SPDX-License-Identifier: Apache-2.0

package import HandoffSystem
package import HandoffWire

/// An app's connection to the daemon: `DaemonConnection`, or in memory. Methods may be called on any thread, and do not
/// block unless documented.
package protocol DaemonLine: AnyObject, Sendable {
    /// Call once. Holds `events` weakly, ends with it, and does not call it before this returns.
    func start(_ events: any DaemonConnectionEvents)
    /// False without a daemon: send again after `connected`.
    @discardableResult func send(_ message: LocalMessage) -> Bool
    /// False if the requesting daemon is gone, or the answer is too large.
    @discardableResult func answer(_ ticket: AnswerTicket, _ message: LocalMessage) -> Bool
    /// False without a daemon. Otherwise calls `completion` once, on the line's thread, also for a failure or the
    /// connection's end.
    @discardableResult
    func request(_ message: LocalMessage, completion: @escaping @Sendable (Result<LocalMessage, Failure>) -> Void)
        -> Bool
    /// Calls `each` for each answer until it returns false, or the line ends.
    @discardableResult
    func follow(_ message: LocalMessage, each: @escaping @Sendable (Result<LocalMessage, Failure>) -> Bool) -> Bool
    /// Calls `completion` once, on any thread.
    func attach(_ token: StreamToken, completion: @escaping @Sendable (Result<AttachedStream, Failure>) -> Void)
    /// Passes a file that is open for reading. Blocks up to `limit` while the daemon is busy; false if it does not take
    /// the file in time. The daemon does not report whether it keeps the file.
    func give(_ file: borrowing OpenFile, as token: FileToken, within limit: Duration) -> Bool
    /// Calls `woken`, once for several calls.
    func wake()
    /// For a changed hello.
    func reconnect()
    func close()
}

extension DaemonConnection: DaemonLine {}

extension Failure {
    package static let noDaemon = noDaemon(detail: "")

    static func noDaemon(detail: String) -> Failure {
        Failure(.connectionUnavailable, "Handoff is not running", detail: detail)
    }

    package static let unexpectedAnswer = Failure(
        .malformed, "the daemon sent an unexpected answer; its version may differ")
}
