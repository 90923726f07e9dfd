// SPDX-License-Identifier: Apache-2.0

package import HandoffBus
package import HandoffClient
package import HandoffWire

/// The daemon, as this program's loop sees it: what is asked, answered and told comes on the loop.
package final class DaemonDesk {
    package typealias Completion = (Result<LocalMessage, Failure>) -> Void

    package var connected: (Welcome) -> Void = { _ in }
    package var disconnected: () -> Void = {}
    /// A try to connect failed; the next ones follow by themselves.
    package var unavailable: (Failure) -> Void = { _ in }
    /// What the daemon says of its own accord. `ticket` is nil where it wants no answer.
    package var received: (LocalMessage, AnswerTicket?) -> Void = { _, _ in }
    package private(set) var isConnected = false

    private let line: any DaemonLine
    private let errands: Errands
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

    /// `hello` is said with each connection.
    package init(_ line: any DaemonLine, hello: LocalHello, on loop: BusLoop) {
        self.line = line
        errands = loop.errands
        events = Events(hello: hello, errands: loop.errands)
        events.desk = self
    }

    package func start() { line.start(events) }
    package func stop() { line.close() }

    package func send(_ message: LocalMessage) { line.send(message) }
    package func answer(_ ticket: AnswerTicket, _ message: LocalMessage) { line.answer(ticket, message) }

    /// Attaches to a stream. `completion` is called once, on the loop, unless this desk is gone by then.
    package func attach(_ token: StreamToken, completion: @escaping (Result<AttachedStream, Failure>) -> Void) {
        lastNumber += 1
        let number = lastNumber
        attaching[number] = completion
        // This object is touched on the loop alone, to which the errand goes.
        nonisolated(unsafe) weak let desk = self
        line.attach(token) { [errands] result in
            errands.execute { desk?.attaching.removeValue(forKey: number)?(result) }
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
        lastNumber += 1
        let number = lastNumber
        questions[number] = question
        let isLast = question.isLast
        // This object is touched on the loop alone, to which the errand goes.
        nonisolated(unsafe) weak let desk = self
        let isSaid = line.follow(message) { [errands] result in
            errands.execute { desk?.heard(result, of: number) }
            guard let isLast, case .success(let message) = result else { return false }
            return !isLast(message)
        }
        if !isSaid { errands.execute { desk?.heard(.failure(.noDaemon), of: number) } }
    }

    private func heard(_ result: Result<LocalMessage, Failure>, of number: UInt64) {
        guard let question = questions[number] else { return }
        if question.isOver(with: result) { questions[number] = nil }
        question.completion(result)
    }

    // MARK: What the line tells, on its own thread

    private final class Events: DaemonConnectionEvents {
        private let greeting: LocalHello
        private let errands: Errands
        /// Set before the line is started, and used on the loop alone.
        nonisolated(unsafe) weak var desk: DaemonDesk?

        init(hello: LocalHello, errands: Errands) {
            greeting = hello
            self.errands = errands
        }

        func hello() -> LocalHello { greeting }

        func connected(_ welcome: Welcome) {
            errands.execute { [self] in
                desk?.isConnected = true
                desk?.connected(welcome)
            }
        }

        func disconnected(_ failure: Failure) {
            errands.execute { [self] in
                desk?.isConnected = false
                desk?.disconnected()
            }
        }

        func unavailable(_ failure: Failure) { errands.execute { [self] in desk?.unavailable(failure) } }

        func received(_ message: LocalMessage, ticket: AnswerTicket?) {
            errands.execute { [self] in desk?.received(message, ticket) }
        }

        func woken() {}
    }
}
