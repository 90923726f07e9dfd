// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Records its events. Survives its daemon and reconnects to the next, as the library does.
package final class SimulatedApp {
    package enum Saving: Hashable, Sendable {
        case promptly
        case after(Duration)
        case never
        case dies
        case tooLarge
        case userInfo([UInt8])
    }

    package enum Told: Hashable, Sendable {
        case willContinue
        case continued(team: Team)
        case failed(Failure.Code)
        /// The daemon or the app has ended, so nothing can follow.
        case cut
    }

    package let app: InstalledApp
    package let team: Team
    package var saving = Saving.promptly
    package var hookDelay = Duration.zero
    package private(set) var told: [ContinuationID: [Told]] = [:]
    package private(set) var states: [ActivityState] = []
    /// For each state.
    package private(set) var documents: [[DeliveredDocument]] = []
    /// URLs of files in its states.
    package var names: [String] = []
    /// Reported when it saves its own `userInfo`.
    package var gives: [SavedFile] = []
    /// Whether it has saved a document that is about to be replaced; nil: no answer.
    package var letsGo: Bool? = true
    /// Documents for which it was asked that.
    package private(set) var coming: [AbsolutePath] = []
    package private(set) var placed: [PlacedDocument] = []
    package private(set) var progress: [DocumentProgress] = []
    package private(set) var wasContinued: [ActivityID] = []
    /// In the order of opening.
    package private(set) var streams: [SimulatedStream] = []
    /// The bytes for each accepted stream; nil: refuses streams.
    package var streamed: [UInt8]?
    package private(set) var isAlive = true

    private let time: VirtualTime
    private var client: TestClient?
    private var edits = 0
    /// How often it was asked to save.
    package private(set) var saves = 0
    /// By request number.
    private var opening: [UInt64: SimulatedStream] = [:]
    package private(set) var current: Publication?
    /// The current activity when it quit.
    package private(set) var left: ActivityID?

    init(app: InstalledApp, team: Team, time: VirtualTime) {
        self.app = app
        self.team = team
        self.time = time
    }

    package func attach(_ client: TestClient) {
        self.client = client
        client.onFrame = { [weak self, weak client] frame in
            guard let self, let client, client === self.client else { return }
            received(frame)
        }
        client.onClose = { [weak self, weak client] in
            guard let self, client === self.client else { return }
            cut()
        }
        if let current { client.request(.advertising(.publish(current))) }
    }

    package var isAttached: Bool { client.map { !$0.isClosed } ?? false }

    /// To a daemon that did not start it.
    package func connect(to listener: MemoryClientListener) {
        let client = listener.connect(executable: app.executable)
        guard !client.isClosed else { return }
        client.hello(LocalHello(role: .app, bundle: app.bundle, name: app.name, receives: true))
        attach(client)
    }

    package func publish(_ publication: Publication) {
        current = publication
        client?.request(.advertising(.publish(publication)))
    }

    package func edit() {
        guard let current else { return }
        edits += 1
        client?.send(.advertising(.changed(current.activity)))
    }

    package func withdraw() {
        guard let current else { return }
        self.current = nil
        client?.request(.advertising(.withdraw(current.activity)))
    }

    package func quit() {
        isAlive = false
        left = current?.activity
        current = nil
        client?.close()
        client = nil
        cut()
    }

    @discardableResult
    package func openStream(_ continuation: ContinuationID, sends: [UInt8] = []) -> SimulatedStream {
        let stream = newStream(continuation, sends: sends)
        guard let client, !client.isClosed else {
            stream.refused(Failure(.connectionUnavailable, "no daemon is running"))
            return stream
        }
        opening[client.request(.streams(.openStream(continuation)))] = stream
        return stream
    }

    private func newStream(_ continuation: ContinuationID, sends: [UInt8]) -> SimulatedStream {
        let stream = SimulatedStream(
            continuation: continuation, sends: sends, time: time, random: .seeded(UInt64(streams.count) + 1))
        streams.append(stream)
        return stream
    }

    private func streamWanted(_ wanted: StreamWanted, request: UInt64) {
        guard let client, let streamed, current?.activity == wanted.activity else {
            client?.answer(request, .failure(.streamsNotSupported))
            return
        }
        newStream(wanted.continuation, sends: streamed).attach(wanted.ticket, by: client)
        client.answer(request, .done(accepted: true))
    }

    private func cut() {
        opening = [:]
        for stream in streams where !stream.isOver { stream.lineLost() }
        for (continuation, events) in told where events == [.willContinue] {
            told[continuation] = [.willContinue, .cut]
        }
    }

    private func received(_ frame: LocalFrame) {
        switch frame.message {
        case .advertising(.save(let activity, _, _)): save(activity, request: frame.request)
        case .continuation(.willContinue(let continuation, _, _)):
            told[continuation, default: []].append(.willContinue)
            answerHook(frame.request)
        case .continuation(.continueActivity(let continuation, let state, let documents)):
            told[continuation, default: []].append(.continued(team: Self.team(in: state)))
            states.append(state)
            self.documents.append(documents)
            answerHook(frame.request)
        case .continuation(.didFail(let continuation, _, let failure)):
            told[continuation, default: []].append(.failed(failure.code))
        case .continuation(.wasContinued(let activity, _)): wasContinued.append(activity)
        case .documents(.documentComing(let path, _)):
            coming.append(path)
            guard let letsGo else { return }
            client?.answer(frame.request, .done(accepted: letsGo))
        case .documents(.documentPlaced(let document)): placed.append(document)
        case .documents(.documentProgress(let progress)): self.progress.append(progress)
        case .streams(.streamWanted(let wanted)): streamWanted(wanted, request: frame.request)
        case .streams(.streamTicket(let ticket)):
            if let client { opening.removeValue(forKey: frame.answer)?.attach(ticket, by: client) }
        case .streams(.streamEnded(let end)): for stream in streams { stream.heard(end) }
        case .failure(let failure): opening.removeValue(forKey: frame.answer)?.refused(failure)
        default: break
        }
    }

    private func answerHook(_ request: UInt64) {
        time.schedule(after: hookDelay) { [weak self] in self?.client?.answer(request, .done(accepted: true)) }
    }

    private func save(_ activity: ActivityID, request: UInt64) {
        saves += 1
        guard let current, current.activity == activity else {
            client?.answer(request, .failure(Failure(.activityGone, "no longer current")))
            return
        }
        // The state names the team, so that tests can check the receiver.
        let userInfo = names.isEmpty ? Self.marker(of: team) : Self.marker(of: team, naming: names)
        let state = ActivityState(
            type: current.type, title: "edit \(edits)", userInfo: (try? userInfo.encoded()) ?? [],
            referrerURL: names.first)
        switch saving {
        case .promptly: client?.answer(request, .advertising(.saved(state, saving: .zero)))
        case .after(let delay):
            time.schedule(after: delay) { [weak self] in
                self?.client?.answer(request, .advertising(.saved(state, saving: delay)))
            }
        case .never: break
        case .dies: quit()
        case .tooLarge: client?.answer(request, .failure(Failure(.payloadTooLarge, "200 KiB")))
        case .userInfo(let bytes):
            client?.answer(
                request,
                .advertising(
                    .saved(ActivityState(type: current.type, userInfo: bytes), saving: .zero, files: gives)))
        }
    }

    private static func marker(of team: Team) -> Value {
        switch team {
        case .personal(let account): .bytes(account.bytes)
        case .system(let account): .array([.string("system"), .bytes(account.bytes)])
        case .developer(let team): .array([.string(team.id.name), .bytes(team.key.bytes)])
        }
    }

    /// As values, members of a set, and keys.
    private static func marker(of team: Team, naming files: [String]) -> Value {
        let urls = files.map { Value.url($0) }
        return .dictionary([
            .string("team"): marker(of: team), .string("list"): .array(urls), .string("set"): .set(Set(urls)),
            .string("keys"): .dictionary(Dictionary(urls.map { ($0, Value.array([$0])) }) { first, _ in first }),
        ])
    }

    package static func team(in state: ActivityState) -> Team {
        guard let root = try? Value(encoded: state.userInfo) else { return nobody }
        if case .dictionary(let entries) = root { return entries[.string("team")].map(team) ?? nobody }
        return team(root)
    }

    private static func team(_ marker: Value) -> Team {
        switch marker {
        case .array(let parts): developer(parts) ?? nobody
        case .bytes(let account): (try? AccountID(bytes: account)).map(Team.personal) ?? nobody
        default: nobody
        }
    }

    private static func developer(_ parts: [Value]) -> Team? {
        guard parts.count == 2, case .string(let id) = parts[0], case .bytes(let key) = parts[1] else { return nil }
        return try? .developer(DeveloperTeam(id: TeamID(id.text), key: TeamFingerprint(bytes: key)))
    }

    private static let nobody = Team.personal(AccountID(uncheckedBytes: Array(repeating: 0, count: 32)))
}
