// SPDX-License-Identifier: Apache-2.0

import HandoffClient
import HandoffSystem
import HandoffWire

/// A daemon with predefined offers and answers that records its requests. `RealSearchTests` uses a real one.
final class ScriptedDaemon: DaemonLine {
    typealias Each = @Sendable (Result<LocalMessage, Failure>) -> Bool

    private struct State {
        /// One for each connection, in order.
        var events: [any DaemonConnectionEvents] = []
        var isUp = false
        var watches: [Each] = []
        var offers: [ListedActivity] = []
        var asked: [LocalMessage] = []
        var answers: [Result<LocalMessage, Failure>] = []
        var apps: [AppSummary]?
        var policy: PolicySummary?
        var policyWatches: [Each] = []
        var given: [FileToken] = []
        /// Nil: switched off.
        var kept: [HistoryItem]? = []
        var isHistorySilent = false
        /// Watchers that receive the offers only after `tell`.
        var held: [Each]?
    }

    private let state = Lock(State())
    let starts: AsyncStream<StartContinuation>
    private let started: AsyncStream<StartContinuation>.Continuation
    /// The answers to the daemon's own requests, in order.
    let answers: AsyncStream<LocalMessage>
    private let answered: AsyncStream<LocalMessage>.Continuation
    /// The reported phones, in order.
    let phoneReports: AsyncStream<[Phone]>
    private let reported: AsyncStream<[Phone]>.Continuation
    /// Whether the desktop forgets, each time that this was said.
    let privacyReports: AsyncStream<Bool>
    private let privacyReported: AsyncStream<Bool>.Continuation
    /// Otherwise it starts with `appear`.
    private let isThere: Bool

    init(offering offers: [ListedActivity] = [], isThere: Bool = false) {
        (starts, started) = AsyncStream.makeStream()
        (answers, answered) = AsyncStream.makeStream()
        (phoneReports, reported) = AsyncStream.makeStream()
        (privacyReports, privacyReported) = AsyncStream.makeStream()
        self.isThere = isThere
        state.withLock { $0.offers = offers }
    }

    /// The tokens of the files that were passed.
    var given: [FileToken] { state.withLock { $0.given } }

    /// All requests, except the initial requests for apps and devices.
    var asked: [LocalMessage] {
        state.withLock { $0.asked }.filter { message in
            switch message {
            case .launching(.listApps), .identity(.listDevices), .identity(.showAccount), .status(.getStatus),
                .policy(.showPolicy):
                false
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

    static let welcome = Welcome(
        version: 1, deviceName: DisplayText(cleaning: "desktop"), isRegistered: false,
        software: DisplayText(cleaning: "handoffd"))

    func appear() {
        let events = state.withLock { state in
            state.isUp = true
            return state.events
        }
        for each in events { each.connected(Self.welcome) }
    }

    func vanish() {
        let (events, watches) = state.withLock { state in
            defer { (state.watches, state.policyWatches, state.isUp) = ([], [], false) }
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

    /// Nil: the history is switched off.
    func keep(_ items: [HistoryItem]?) { state.withLock { $0.kept = items } }

    func keepSilent() { state.withLock { $0.isHistorySilent = true } }

    private func findKept(_ each: @escaping Each) {
        let (kept, isSilent) = state.withLock { ($0.kept, $0.isHistorySilent) }
        if isSilent { return }
        _ = each(kept.map { .success(.history(.historyList($0))) } ?? .failure(Failure(.notAllowed, "switched off")))
    }

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

    func ask(_ message: LocalMessage, _ number: UInt64 = 1) {
        let events = state.withLock { $0.events.first }
        events?.received(message, ticket: AnswerTicket(request: number, connection: 1))
    }

    /// The answers to the next continuations, in order.
    func willAnswer(_ answers: Result<LocalMessage, Failure>...) { state.withLock { $0.answers += answers } }

    /// The installed apps. Before this, the daemon does not answer requests for them.
    func install(_ apps: [AppSummary]) { state.withLock { $0.apps = apps } }

    /// Before this, the daemon does not answer requests for the policy.
    func rule(_ policy: PolicySummary) {
        let watches = state.withLock { state in
            state.policy = policy
            return state.policyWatches
        }
        for each in watches { _ = each(.success(.policy(.policy(policy)))) }
    }

    private func rules(changing change: PolicyChange? = nil) -> PolicySummary? {
        state.withLock { state in
            if let change {
                state.policy?.off.removeAll { $0.subject == change.subject }
                if change.isOff { state.policy?.off.append(PolicySwitch(change.subject, until: change.until)) }
            }
            return state.policy
        }
    }

    func follow(_ message: LocalMessage, each: @escaping Each) -> Bool {
        let (offers, answers) = state.withLock { state in
            state.asked.append(message)
            if case .advertising(.listActivities(watch: true, _)) = message { state.watches.append(each) }
            if case .policy(.showPolicy(watch: true)) = message { state.policyWatches.append(each) }
            guard case .continuation = message else { return (state.offers, [Result<LocalMessage, Failure>]()) }
            defer { state.answers = [] }
            return (state.offers, state.answers)
        }
        switch message {
        case .launching(.listApps):
            if let apps = state.withLock({ $0.apps }) { _ = each(.success(.launching(.appList(apps)))) }
        case .policy(.showPolicy): if let policy = rules() { _ = each(.success(.policy(.policy(policy)))) }
        case .policy(.setPolicy(let change)):
            if let policy = rules(changing: change) {
                rule(policy)
                _ = each(.success(.policy(.policy(policy))))
            }
        case .status(.getStatus): _ = each(.failure(Failure(.connectionUnavailable, "")))
        case .advertising(.publish): _ = each(.success(.done(accepted: true)))
        case .advertising(.listActivities): tell(offers, each)
        case .history(.searchHistory): findKept(each)
        case .history(.setDesktopPrivacy(let forgets)): privacyReported.yield(forgets)
        case .continuation(.startContinuation(let start)):
            started.yield(start)
            for answer in answers where !each(answer) { break }
        default: break
        }
        return true
    }

    func send(_ message: LocalMessage) -> Bool {
        if case .phones(.setPhones(let phones)) = message { reported.yield(phones) }
        return true
    }
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
    func give(_ file: borrowing OpenFile, as token: FileToken, within limit: Duration) -> Bool {
        state.withLock { $0.given.append(token) }
        return true
    }

    func wake() {}
    func reconnect() {}
    func close() {}
}
