// SPDX-License-Identifier: Apache-2.0

package import HandoffClient
package import HandoffWire
internal import Synchronization

/// An app's line to the daemon of its device, in memory. What the app says, on any thread, waits here until the device
/// takes it.
package final class SimulatedLine: DaemonLine {
    enum Word: Sendable {
        case start
        case frame(LocalFrame)
        case wake
        case reconnect
        case close
        /// The app wants something done after so long.
        case wait(Duration, @Sendable () -> Void)

        var asksForHello: Bool {
            switch self {
            case .start, .reconnect: true
            case .frame, .wake, .close, .wait: false
            }
        }
    }

    private struct State: Sendable {
        weak var events: (any DaemonConnectionEvents)?
        var isConnected = false
        /// Counts connections.
        var connection: UInt64 = 0
        var isWoken = false
        var words: [Word] = []
    }

    private let state = Mutex(State())

    package init() {}

    // MARK: The app's end

    package func start(_ events: any DaemonConnectionEvents) {
        state.withLock { state in
            state.events = events
            state.words.append(.start)
        }
    }

    package func send(_ message: LocalMessage) -> Bool {
        state.withLock { $0.isConnected && Self.say(LocalFrame(message), in: &$0) }
    }

    package func answer(_ ticket: AnswerTicket, _ message: LocalMessage) -> Bool {
        state.withLock { state in
            guard state.isConnected, state.connection == ticket.connection else { return false }
            return Self.say(LocalFrame(message, answer: ticket.request), in: &state)
        }
    }

    package func wake() {
        state.withLock { state in
            if !state.isWoken { state.words.append(.wake) }
            state.isWoken = true
        }
    }

    package func reconnect() { state.withLock { $0.words.append(.reconnect) } }
    func wait(_ delay: Duration, for work: @escaping @Sendable () -> Void) {
        state.withLock { $0.words.append(.wait(delay, work)) }
    }
    package func close() { state.withLock { $0.words.append(.close) } }

    private static func say(_ frame: LocalFrame, in state: inout State) -> Bool {
        guard let bytes = try? frame.encoded(), bytes.count <= Limits.frameBytes else { return false }
        state.words.append(.frame(frame))
        return true
    }

    // MARK: The device's end

    var events: (any DaemonConnectionEvents)? { state.withLock { $0.events } }

    /// What was said since the last time, in order.
    func takeWords() -> [Word] {
        state.withLock { state in
            defer { (state.words, state.isWoken) = ([], false) }
            return state.words
        }
    }

    func connected() {
        state.withLock { state in
            state.isConnected = true
            state.connection += 1
        }
    }

    /// False if it was not connected.
    func disconnected() -> Bool {
        state.withLock { state in
            defer { state.isConnected = false }
            return state.isConnected
        }
    }

    func ticket(for frame: LocalFrame) -> AnswerTicket? {
        guard frame.request != 0 else { return nil }
        return AnswerTicket(request: frame.request, connection: state.withLock { $0.connection })
    }
}
