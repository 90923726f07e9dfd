// SPDX-License-Identifier: Apache-2.0

import HandoffClient
internal import HandoffWire

/// On its own connection: the daemon ends an invite or a join with the connection that requested it.
@MainActor
final class LastingRequest {
    private let link: DaemonClient
    private let message: LocalMessage
    private let isLast: @Sendable (LocalMessage) -> Bool
    private let each: @MainActor (Result<LocalMessage, Failure>) -> Void
    private var isAsked = false
    private var isClosed = false

    /// Calls `each` for each answer until `isLast`, and with `.noDaemon` after a loss of the connection. Not after `close`.
    init(
        _ message: LocalMessage, on line: any DaemonLine, hop: @escaping DaemonClient.Hop,
        until isLast: @escaping @Sendable (LocalMessage) -> Bool,
        each: @escaping @MainActor (Result<LocalMessage, Failure>) -> Void
    ) {
        self.message = message
        self.isLast = isLast
        self.each = each
        link = DaemonClient(line, hello: WindowDaemonClient.hello, hop: hop)
        link.connected = { [weak self] _ in self?.ask() }
        link.disconnected = { [weak self] in self?.heard(.failure(.noDaemon)) }
        link.unavailable = { [weak self] _ in self?.heard(.failure(.noDaemon)) }
        link.start()
    }

    /// On the same connection.
    func request(_ message: LocalMessage, completion: @escaping @MainActor (Result<LocalMessage, Failure>) -> Void) {
        link.request(message) { [weak self] in if self?.isClosed == false { completion($0) } }
    }

    func close() {
        isClosed = true
        link.stop()
    }

    /// Only once: a restarted daemon does not know the request.
    private func ask() {
        guard !isAsked else { return }
        isAsked = true
        link.follow(message, until: isLast) { [weak self] in self?.heard($0) }
    }

    private func heard(_ answer: Result<LocalMessage, Failure>) { if !isClosed { each(answer) } }
}
