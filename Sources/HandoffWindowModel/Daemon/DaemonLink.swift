// SPDX-License-Identifier: Apache-2.0

package import HandoffClient
internal import HandoffSystem
package import HandoffWire

/// The daemon, as the window's thread sees it: what is asked, answered and told comes on the main thread, in its order.
@MainActor
package final class DaemonLink {
    package typealias Completion = @MainActor (Result<LocalMessage, Failure>) -> Void
    /// Has something done on the main thread, soon, after what was to be done there before.
    package typealias Hop = @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void

    package var connected: @MainActor (Welcome) -> Void = { _ in }
    /// A connection ended, or there is no daemon to connect to.
    package var disconnected: @MainActor () -> Void = {}

    private let line: any DaemonLine
    private let hop: Hop
    private let events: Events

    package init(_ line: any DaemonLine, name: String, hop: @escaping Hop) {
        self.line = line
        self.hop = hop
        events = Events(hello: LocalHello(role: .control, name: DisplayText(cleaning: name)), hop: hop)
    }

    package func start() {
        events.connect(
            connected: { [weak self] in self?.connected($0) }, disconnected: { [weak self] in self?.disconnected() })
        line.start(events)
    }

    package func close() { line.close() }

    /// `completion` is called once, also where there is no daemon.
    package func request(_ message: LocalMessage, _ completion: @escaping Completion) {
        let hop = hop
        let isSaid = line.request(message) { result in hop { completion(result) } }
        if !isSaid { hop { completion(.failure(.noDaemon)) } }
    }

    /// `each` is called for each answer, until `isLast` says so or one is a failure, as the end of the connection is.
    package func follow(
        _ message: LocalMessage, until isLast: @escaping @Sendable (LocalMessage) -> Bool = { _ in false },
        _ each: @escaping Completion
    ) {
        let hop = hop
        let isSaid = line.follow(message) { result in
            hop { each(result) }
            return if case .success(let message) = result { !isLast(message) } else { false }
        }
        if !isSaid { hop { each(.failure(.noDaemon)) } }
    }

    // MARK: What the line tells, on its own thread

    private final class Events: DaemonConnectionEvents {
        private struct Hearers {
            var connected: @MainActor @Sendable (Welcome) -> Void = { _ in }
            var disconnected: @MainActor @Sendable () -> Void = {}
        }

        private let greeting: LocalHello
        private let hop: Hop
        private let hearers = Lock(Hearers())

        init(hello: LocalHello, hop: @escaping Hop) {
            greeting = hello
            self.hop = hop
        }

        func connect(
            connected: @escaping @MainActor @Sendable (Welcome) -> Void,
            disconnected: @escaping @MainActor @Sendable () -> Void
        ) {
            hearers.withLock { $0 = Hearers(connected: connected, disconnected: disconnected) }
        }

        func hello() -> LocalHello { greeting }

        func connected(_ welcome: Welcome) {
            let hear = hearers.withLock { $0.connected }
            hop { hear(welcome) }
        }

        func disconnected(_ failure: Failure) { unavailable(failure) }

        func unavailable(_ failure: Failure) {
            let hear = hearers.withLock { $0.disconnected }
            hop { hear() }
        }

        func received(_ message: LocalMessage, ticket: AnswerTicket?) {}

        func woken() {}
    }
}
