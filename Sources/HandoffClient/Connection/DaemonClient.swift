// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// A daemon connection for programs with an event loop. Used only on that loop, which runs all callbacks in order.
package final class DaemonClient {
    package typealias Completion = (Result<LocalMessage, Failure>) -> Void
    /// Runs a closure soon on the loop, in order. Called on any thread.
    package typealias Hop = @Sendable (@escaping @Sendable () -> Void) -> Void

    package var connected: (Welcome) -> Void = { _ in }
    package var disconnected: () -> Void = {}
    /// An attempt failed; more follow.
    package var unavailable: (Failure) -> Void = { _ in }
    /// Unsolicited messages. `ticket` is nil if the daemon expects no answer.
    package var received: (LocalMessage, AnswerTicket?) -> Void = { _, _ in }
    package private(set) var isConnected = false

    private let line: any DaemonLine
    private let events: Events
    private var questions: [UInt64: Question] = [:]
    private var attaching: [UInt64: (Result<AttachedStream, Failure>) -> Void] = [:]
    private var lastNumber: UInt64 = 0

    private struct Question {
        let isLast: (@Sendable (LocalMessage) -> Bool)?
        let completion: Completion

        func isOver(with result: Result<LocalMessage, Failure>) -> Bool {
            switch result {
            case .success(let message): isLast?(message) ?? true
            case .failure: true
            }
        }
    }

    package init(_ line: any DaemonLine, hello: LocalHello, hop: @escaping Hop) {
        self.line = line
        events = Events(hello: hello, hop: hop)
        events.daemon = self
    }

    package func start() { line.start(events) }

    /// Pending requests fail immediately.
    package func stop() {
        line.close()
        let (asked, attached) = (questions.sorted { $0.key < $1.key }, attaching.sorted { $0.key < $1.key })
        (questions, attaching) = ([:], [:])
        for (_, question) in asked { question.completion(.failure(.noDaemon)) }
        for (_, completion) in attached { completion(.failure(.noDaemon)) }
    }

    package func send(_ message: LocalMessage) { line.send(message) }
    package func answer(_ ticket: AnswerTicket, _ message: LocalMessage) { line.answer(ticket, message) }

    /// Calls `completion` once, on the loop, unless this object is released.
    package func attach(_ token: StreamToken, completion: @escaping (Result<AttachedStream, Failure>) -> Void) {
        let number = nextNumber()
        attaching[number] = completion
        line.attach(token) { [events] result in
            events.onLoop { $0.attaching.removeValue(forKey: number)?(result) }
        }
    }

    /// Calls `completion` once, on the loop, also without a daemon.
    package func request(_ message: LocalMessage, completion: @escaping Completion) {
        ask(message, Question(isLast: nil, completion: completion))
    }

    /// Calls `each` on the loop for each answer, until `isLast` returns true or a failure.
    package func follow(
        _ message: LocalMessage, until isLast: @escaping @Sendable (LocalMessage) -> Bool = { _ in false },
        each: @escaping Completion
    ) {
        ask(message, Question(isLast: isLast, completion: each))
    }

    private func ask(_ message: LocalMessage, _ question: Question) {
        let number = nextNumber()
        questions[number] = question
        let isLast = question.isLast
        let isSaid = line.follow(message) { [events] result in
            events.onLoop { $0.heard(result, of: number) }
            guard let isLast, case .success(let message) = result else { return false }
            return !isLast(message)
        }
        if !isSaid { events.onLoop { $0.heard(.failure(.noDaemon), of: number) } }
    }

    private func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    private func heard(_ result: Result<LocalMessage, Failure>, of number: UInt64) {
        guard let question = questions[number] else { return }
        if question.isOver(with: result) { questions[number] = nil }
        question.completion(result)
    }

    // MARK: Events of the line, on its own thread

    private final class Events: DaemonConnectionEvents {
        private let greeting: LocalHello
        private let hop: Hop
        /// Set before the line starts. Afterwards read only on the loop, in `onLoop`, where the `DaemonClient` is used
        /// too. The line's thread passes this object on without accessing it.
        nonisolated(unsafe) weak var daemon: DaemonClient?

        init(hello: LocalHello, hop: @escaping Hop) {
            greeting = hello
            self.hop = hop
        }

        func onLoop(_ tell: @escaping @Sendable (DaemonClient) -> Void) {
            hop { [self] in
                if let daemon { tell(daemon) }
            }
        }

        func hello() -> LocalHello { greeting }

        func connected(_ welcome: Welcome) {
            onLoop {
                $0.isConnected = true
                $0.connected(welcome)
            }
        }

        func disconnected(_ failure: Failure) {
            onLoop {
                $0.isConnected = false
                $0.disconnected()
            }
        }

        func unavailable(_ failure: Failure) { onLoop { $0.unavailable(failure) } }

        func received(_ message: LocalMessage, ticket: AnswerTicket?) { onLoop { $0.received(message, ticket) } }

        func woken() {}
    }
}
