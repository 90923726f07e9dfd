// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The daemon, as a program with a loop sees it: what is asked, answered and told comes on that loop, in its order. Used on
/// the loop alone.
package final class DaemonDesk {
    package typealias Completion = (Result<LocalMessage, Failure>) -> Void
    /// Has something done on the loop, soon, after what was to be done there before. Called on any thread.
    package typealias Hop = @Sendable (@escaping @Sendable () -> Void) -> Void

    package var connected: (Welcome) -> Void = { _ in }
    package var disconnected: () -> Void = {}
    /// A try to connect failed; the next ones follow by themselves.
    package var unavailable: (Failure) -> Void = { _ in }
    /// What the daemon says of its own accord. `ticket` is nil where it wants no answer.
    package var received: (LocalMessage, AnswerTicket?) -> Void = { _, _ in }
    package private(set) var isConnected = false

    private let line: any DaemonLine
    private let events: Events
    private var questions: [UInt64: Question] = [:]
    private var attaching: [UInt64: (Result<AttachedStream, Failure>) -> Void] = [:]
    private var lastNumber: UInt64 = 0

    private struct Question {
        /// Nil: there is one answer.
        let isLast: (@Sendable (LocalMessage) -> Bool)?
        let completion: Completion

        func isOver(with result: Result<LocalMessage, Failure>) -> Bool {
            switch result {
            case .success(let message): isLast?(message) ?? true
            case .failure: true
            }
        }
    }

    /// `hello` is said with each connection. Of several desks each has a line of its own.
    package init(_ line: any DaemonLine, hello: LocalHello, hop: @escaping Hop) {
        self.line = line
        events = Events(hello: hello, hop: hop)
        events.desk = self
    }

    package func start() { line.start(events) }

    /// Whoever still waits for an answer hears at once that there is none.
    package func stop() {
        line.close()
        let (asked, attached) = (questions.sorted { $0.key < $1.key }, attaching.sorted { $0.key < $1.key })
        (questions, attaching) = ([:], [:])
        for (_, question) in asked { question.completion(.failure(.noDaemon)) }
        for (_, completion) in attached { completion(.failure(.noDaemon)) }
    }

    package func send(_ message: LocalMessage) { line.send(message) }
    package func answer(_ ticket: AnswerTicket, _ message: LocalMessage) { line.answer(ticket, message) }

    /// Attaches to a stream. `completion` is called once, on the loop, unless this desk is gone by then.
    package func attach(_ token: StreamToken, completion: @escaping (Result<AttachedStream, Failure>) -> Void) {
        let number = nextNumber()
        attaching[number] = completion
        line.attach(token) { [events] result in
            events.onLoop { $0.attaching.removeValue(forKey: number)?(result) }
        }
    }

    /// `completion` is called once, on the loop, also where there is no daemon.
    package func request(_ message: LocalMessage, completion: @escaping Completion) {
        ask(message, Question(isLast: nil, completion: completion))
    }

    /// `each` is called on the loop for each answer, until one that `isLast` is true for, or a failure, as which it hears of
    /// the daemon's end.
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

    // MARK: What the line tells, on its own thread

    private final class Events: DaemonConnectionEvents {
        private let greeting: LocalHello
        private let hop: Hop
        /// Set before the line is started; from then on it is read on the loop alone, in `onLoop`, where the desk is used too.
        /// The line's thread passes this object on and does not touch it.
        nonisolated(unsafe) weak var desk: DaemonDesk?

        init(hello: LocalHello, hop: @escaping Hop) {
            greeting = hello
            self.hop = hop
        }

        func onLoop(_ tell: @escaping @Sendable (DaemonDesk) -> Void) {
            hop { [self] in
                if let desk { tell(desk) }
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
