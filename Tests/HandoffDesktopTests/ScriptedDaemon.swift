// SPDX-License-Identifier: Apache-2.0

import HandoffClient
import HandoffSystem
import HandoffWire

/// A daemon that offers what a test says, and writes down what it is asked. `RealSearchTests` has the real one.
final class ScriptedDaemon: DaemonLine {
    typealias Each = @Sendable (Result<LocalMessage, Failure>) -> Bool

    private struct State {
        /// Of each connection to it, in the order of their beginnings.
        var events: [any DaemonConnectionEvents] = []
        var isUp = false
        var watches: [Each] = []
        var offers: [ListedActivity] = []
        var asked: [LocalMessage] = []
        var answers: [Result<LocalMessage, Failure>] = []
        var apps: [AppSummary]?
        /// Who hears of the offers only once they are told.
        var held: [Each]?
    }

    private let state = Lock(State())
    /// What was to be continued, in order.
    let starts: AsyncStream<StartContinuation>
    private let started: AsyncStream<StartContinuation>.Continuation
    /// What it was answered, in order.
    let answers: AsyncStream<LocalMessage>
    private let answered: AsyncStream<LocalMessage>.Continuation
    /// Else it is there once it appears.
    private let isThere: Bool

    init(offering offers: [ListedActivity] = [], isThere: Bool = false) {
        (starts, started) = AsyncStream.makeStream()
        (answers, answered) = AsyncStream.makeStream()
        self.isThere = isThere
        state.withLock { $0.offers = offers }
    }

    /// All that was asked of it, but for what the parts of the program that are about apps and devices ask once.
    var asked: [LocalMessage] {
        state.withLock { $0.asked }.filter { message in
            switch message {
            case .launching(.listApps), .identity(.listDevices), .identity(.showAccount), .status(.getStatus): false
            default: true
            }
        }
    }

    func start(_ events: any DaemonConnectionEvents) {
        let isUp = state.withLock { state in
            state.events.append(events)
            state.isUp = state.isUp || isThere
            return state.isUp
        }
        if isUp { events.connected(Self.welcome) } else { events.unavailable(.noDaemon) }
    }

    private static let welcome = Welcome(
        version: 1, deviceName: DisplayText(cleaning: "desktop"), isRegistered: false,
        software: DisplayText(cleaning: "handoffd"))

    /// It is there from now on.
    func appear() {
        let events = state.withLock { state in
            state.isUp = true
            return state.events
        }
        for each in events { each.connected(Self.welcome) }
    }

    func vanish() {
        let (events, watches) = state.withLock { state in
            defer { (state.watches, state.isUp) = ([], false) }
            return (state.events, state.watches)
        }
        for watch in watches { _ = watch(.failure(Failure(.connectionUnavailable, ""))) }
        for each in events { each.disconnected(Failure(.connectionUnavailable, "")) }
    }

    func offer(_ offers: [ListedActivity]) {
        let watches = state.withLock { state in
            state.offers = offers
            return state.watches
        }
        for watch in watches { _ = watch(.success(.advertising(.activityList(offers)))) }
    }

    /// Says nothing of what it offers until it tells.
    func hold() { state.withLock { $0.held = [] } }

    func tell() {
        let (held, offers) = state.withLock { state in
            defer { state.held = nil }
            return (state.held ?? [], state.offers)
        }
        for each in held { tell(offers, each) }
    }

    private func tell(_ offers: [ListedActivity], _ each: @escaping Each) {
        let isHeld = state.withLock { state in
            state.held?.append(each)
            return state.held != nil
        }
        if !isHeld { _ = each(.success(.advertising(.activityList(offers)))) }
    }

    /// Asks the program on the other end, which is answered under that number.
    func ask(_ message: LocalMessage, _ number: UInt64 = 1) {
        let events = state.withLock { $0.events.first }
        events?.received(message, ticket: AnswerTicket(request: number, connection: 1))
    }

    /// What it answers to the next that is to be continued, one after another.
    func willAnswer(_ answers: Result<LocalMessage, Failure>...) { state.withLock { $0.answers += answers } }

    /// What is installed with it. Before that it says nothing of it.
    func install(_ apps: [AppSummary]) { state.withLock { $0.apps = apps } }

    func follow(_ message: LocalMessage, each: @escaping Each) -> Bool {
        let (offers, answers) = state.withLock { state in
            state.asked.append(message)
            if case .advertising(.listActivities(watch: true, _)) = message { state.watches.append(each) }
            guard case .continuation = message else { return (state.offers, [Result<LocalMessage, Failure>]()) }
            defer { state.answers = [] }
            return (state.offers, state.answers)
        }
        switch message {
        case .launching(.listApps):
            if let apps = state.withLock({ $0.apps }) { _ = each(.success(.launching(.appList(apps)))) }
        case .status(.getStatus): _ = each(.failure(Failure(.connectionUnavailable, "")))
        case .advertising(.publish): _ = each(.success(.done(accepted: true)))
        case .advertising(.listActivities): tell(offers, each)
        case .continuation(.startContinuation(let start)):
            started.yield(start)
            for answer in answers where !each(answer) { break }
        default: break
        }
        return true
    }

    func send(_ message: LocalMessage) -> Bool { true }
    func answer(_ ticket: AnswerTicket, _ message: LocalMessage) -> Bool {
        answered.yield(message)
        return true
    }
    func request(
        _ message: LocalMessage, completion: @escaping @Sendable (Result<LocalMessage, Failure>) -> Void
    ) -> Bool {
        follow(message) {
            completion($0); return false
        }
    }
    func attach(_ token: StreamToken, completion: @escaping @Sendable (Result<AttachedStream, Failure>) -> Void) {}
    func give(_ file: borrowing OpenFile, as token: FileToken, within limit: Duration) -> Bool { false }
    func wake() {}
    func reconnect() {}
    func close() {}
}
