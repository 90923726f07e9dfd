// SPDX-License-Identifier: Apache-2.0

import HandoffClient
import HandoffSystem
import HandoffWire
internal import Synchronization

/// Messages, from any thread, wait here until the device takes them, except a stream's end, which travels with the
/// bytes.
final class SimulatedLine: DaemonLine {
    enum Word: Sendable {
        case start
        case frame(LocalFrame)
        case attach(StreamToken, StreamAnswer)
        case streamWritten(StreamID)
        case wake
        case reconnect
        case close
        case wait(Duration, @Sendable () -> Void)

        var asksForHello: Bool {
            switch self {
            case .start, .reconnect: true
            case .frame, .attach, .streamWritten, .wake, .close, .wait: false
            }
        }
    }

    struct Partner: Sendable {
        weak var line: SimulatedLine?
        let stream: StreamID
    }

    private struct State: Sendable {
        weak var events: (any DaemonConnectionEvents)?
        var isConnected = false
        var connection: UInt64 = 0
        var isWoken = false
        var words: [Word] = []
        var lastRequest: UInt64 = 1
        var answers: [UInt64: Following] = [:]
        var partners: [StreamID: Partner] = [:]
    }

    typealias Answer = @Sendable (Result<LocalMessage, Failure>) -> Void
    typealias Following = @Sendable (Result<LocalMessage, Failure>) -> Bool
    typealias StreamAnswer = @Sendable (Result<AttachedStream, Failure>) -> Void

    private let state = Mutex(State())
    /// Rung when the app requests something.
    private let bell: Bell

    init(bell: Bell) { self.bell = bell }

    // MARK: Called by the app

    func start(_ events: any DaemonConnectionEvents) {
        state.withLock { state in
            state.events = events
            state.words.append(.start)
        }
    }

    func send(_ message: LocalMessage) -> Bool {
        if case .streams(.streamEnded(let end)) = message { return streamWritten(end) }
        return state.withLock { $0.isConnected && Self.say(LocalFrame(message), in: &$0) }
    }

    /// The other app reads to the end without time passing.
    private func streamWritten(_ end: StreamEnd) -> Bool {
        let partner = state.withLock { state in
            let partner = state.partners.removeValue(forKey: end.stream)
            if partner != nil { state.words.append(.streamWritten(end.stream)) }
            return partner
        }
        guard let partner else { return false }
        let word = StreamEnd(stream: partner.stream, byteCount: end.byteCount)
        partner.line?.events?.received(.streams(.streamEnded(word)), ticket: nil)
        return true
    }

    func answer(_ ticket: AnswerTicket, _ message: LocalMessage) -> Bool {
        state.withLock { state in
            guard state.isConnected, state.connection == ticket.connection else { return false }
            return Self.say(LocalFrame(message, answer: ticket.request), in: &state)
        }
    }

    func request(_ message: LocalMessage, completion: @escaping Answer) -> Bool {
        follow(message) { result in
            completion(result)
            return false
        }
    }

    func follow(_ message: LocalMessage, each: @escaping Following) -> Bool {
        defer { bell.ring() }
        return state.withLock { state in
            let request = state.lastRequest + 1
            guard state.isConnected, Self.say(LocalFrame(message, request: request), in: &state) else { return false }
            state.lastRequest = request
            state.answers[request] = each
            return true
        }
    }

    func attach(_ token: StreamToken, completion: @escaping StreamAnswer) {
        state.withLock { $0.words.append(.attach(token, completion)) }
    }

    /// A simulated daemon reads no files.
    func give(_ file: borrowing OpenFile, as token: FileToken, within limit: Duration) -> Bool { false }

    func wake() {
        state.withLock { state in
            if !state.isWoken { state.words.append(.wake) }
            state.isWoken = true
        }
    }

    func reconnect() { state.withLock { $0.words.append(.reconnect) } }
    func wait(_ delay: Duration, for work: @escaping @Sendable () -> Void) {
        state.withLock { $0.words.append(.wait(delay, work)) }
    }
    func close() { state.withLock { $0.words.append(.close) } }

    private static func say(_ frame: LocalFrame, in state: inout State) -> Bool {
        guard let bytes = try? frame.encoded(), bytes.count <= Limits.frameBytes else { return false }
        state.words.append(.frame(frame))
        return true
    }

    // MARK: Called by the device

    var events: (any DaemonConnectionEvents)? { state.withLock { $0.events } }

    func takeWords() -> [Word] {
        state.withLock { state in
            defer { (state.words, state.isWoken) = ([], false) }
            return state.words
        }
    }

    var isAwaitingAnswer: Bool { state.withLock { !$0.answers.isEmpty } }

    func join(_ stream: StreamID, with partner: Partner) { state.withLock { $0.partners[stream] = partner } }

    /// Until all bytes are written, or `part` is called.
    func isJoined(_ stream: StreamID) -> Bool { state.withLock { $0.partners[stream] != nil } }

    func part(_ stream: StreamID) { state.withLock { $0.partners[stream] = nil } }

    func connected() {
        state.withLock { state in
            state.isConnected = true
            state.connection += 1
            state.lastRequest = 1
        }
    }

    /// False if it was not connected.
    func disconnected() -> Bool {
        let (wasConnected, abandoned) = state.withLock { state in
            defer { (state.isConnected, state.answers) = (false, [:]) }
            return (state.isConnected, Array(state.answers.values))
        }
        for answer in abandoned {
            _ = answer(.failure(Failure(.connectionUnavailable, "the connection to the daemon ended")))
        }
        return wasConnected
    }

    /// False if there was no such request.
    func answered(_ frame: LocalFrame) -> Bool {
        guard let answer = state.withLock({ $0.answers.removeValue(forKey: frame.answer) }) else { return false }
        let hasMore =
            if case .failure(let failure) = frame.message { answer(.failure(failure)) } else {
                answer(.success(frame.message))
            }
        if hasMore { state.withLock { $0.answers[frame.answer] = answer } }
        return true
    }

    func ticket(for frame: LocalFrame) -> AnswerTicket? {
        guard frame.request != 0 else { return nil }
        return AnswerTicket(request: frame.request, connection: state.withLock { $0.connection })
    }
}
