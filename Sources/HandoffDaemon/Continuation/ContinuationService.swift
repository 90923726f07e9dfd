// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire
package import Logging

/// Continuations, at both ends: takes a user's wish through its phases here, and answers those of other devices.
package final class ContinuationService: Feature {
    package static let name = "Continuation"

    private let boards: any Boards
    private let clients: any ClientMessaging
    private let sessions: any PeerMessaging
    private let launching: any Launching
    private let membership: any Membership
    private let time: any TimeSource
    private var random: Randomness
    private let limits: ContinuationLimits
    private let log: Logger
    package weak var streams: (any StreamRights)?

    /// The one continuation of this device; a second one takes its place.
    private var current: Reception?
    private var origin: OriginStateMachine<any Client>

    package init(
        boards: any Boards, clients: any ClientMessaging, sessions: any PeerMessaging, launching: any Launching,
        membership: any Membership, time: any TimeSource, random: Randomness,
        limits: ContinuationLimits = ContinuationLimits(), log: Logger
    ) {
        self.boards = boards
        self.clients = clients
        self.sessions = sessions
        self.launching = launching
        self.membership = membership
        self.time = time
        self.random = random
        self.limits = limits
        self.log = log
        origin = OriginStateMachine(limits: limits)
    }

    package func start() throws {
        clients.register(self)
        sessions.register(self)
        launching.onChange { [weak self] in self?.appsChanged() }
    }

    package func stop() {
        if let current { run(current.machine.cancelled(), of: current) }
    }
}

// MARK: - The receiver

/// A continuation under way here, with what the machine need not know.
private final class Reception {
    let id: ContinuationID
    let offer: Offer
    let device: DeviceID
    let target: ListedActivity.Target
    let requester: any Client
    let reply: ClientReply
    var machine: ReceiverStateMachine
    /// The app's client, once it is there.
    var app: (any Client)?
    /// The origin's app has quit: when it had saved the state.
    var saved: WallTime?
    /// Phases already told to the requester.
    var reported = 0

    init(
        id: ContinuationID, offer: Offer, device: DeviceID, target: ListedActivity.Target, requester: any Client,
        reply: @escaping ClientReply, started: Instant
    ) {
        self.id = id
        self.offer = offer
        self.device = device
        self.target = target
        self.requester = requester
        self.reply = reply
        machine = ReceiverStateMachine(taker: target.isApp ? .app : .requester, started: started)
    }
}

extension ListedActivity.Target {
    fileprivate var isApp: Bool {
        switch self {
        case .app: true
        case .webPage, .script, .nothing: false
        }
    }
}

extension ContinuationService {
    private func start(_ wish: StartContinuation, for requester: any Client, reply: @escaping ClientReply) {
        let started = time.now
        guard let (offer, device) = boards.peerOffer(wish.activity, on: wish.device) else {
            let isOwn = boards.ownOffer(wish.activity) != nil
            reply(
                .failure(
                    isOwn
                        ? Failure(.notAllowed, "this activity is on this device already")
                        : Failure(.activityGone, "no device that is connected offers this activity any more")))
            return
        }
        let target = launching.resolve(offer, only: wish.app)
        if case .nothing(let why) = target {
            reply(.failure(Failure(.noApp, why)))
            return
        }
        // The newest wish counts; the one under way ends as cancelled before this one's first frame.
        if let current { run(current.machine.cancelled(), of: current) }

        let reception = Reception(
            id: .random(using: &random), offer: offer, device: device, target: target, requester: requester,
            reply: reply, started: started)
        current = reception
        log.info(
            "continuation started",
            metadata: ["continuation": "\(reception.id.short)", "origin": "\(device.short)"])
        run(reception.machine.begin(at: time.now), of: reception)
    }

    private func run(_ action: ReceiverStateMachine.Action, of reception: Reception) {
        reportPhases(of: reception)
        switch action {
        case .launch: launch(reception)
        case .announce: announce(reception)
        case .fetch: fetch(reception)
        case .deliver(let state): deliver(state, reception)
        case .giveToRequester(let state):
            end(reception)
            // A web page is all that its browser gets.
            if reception.target != .webPage { tellStreams(reception, reception.requester) }
            tellOrigin(reception)
            reception.reply(.outcome(outcome(of: reception, .state(state))))
        case .complete:
            end(reception)
            tellOrigin(reception)
            guard case .app(let bundle) = reception.target else { return }
            launching.used(bundle)
            reception.reply(.outcome(outcome(of: reception, .app(bundle))))
        case .fail(let failure, let tellApp, let cancelFetch):
            end(reception)
            log.info(
                "continuation failed",
                metadata: ["continuation": "\(reception.id.short)", "code": "\(failure.code)"])
            if cancelFetch { sessions.send(.cancelFetch(reception.id), to: reception.device) }
            if tellApp { reception.app?.send(.didFail(reception.id, type: reception.offer.type, failure)) }
            reception.reply(.failure(failure))
        case .nothing: break
        }
    }

    private func launch(_ reception: Reception) {
        guard case .app(let bundle) = reception.target else { return }
        launching.ensureRunning(bundle, for: reception.offer.type, deadline: limits.launch) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let client):
                reception.app = client
                run(reception.machine.appReady(at: time.now), of: reception)
            case .failure(let failure): run(reception.machine.failed(failure), of: reception)
            }
        }
    }

    /// An app that was removed, or whose team is not trusted any more, gets nothing from that moment on.
    private func appsChanged() {
        guard let current, case .app(let bundle) = current.target,
            launching.app(bundle).flatMap(launching.team(of:)) != current.offer.team
        else { return }
        run(current.machine.failed(Failure(.noApp, "\(bundle) may not go on with it any more")), of: current)
    }

    private func announce(_ reception: Reception) {
        let originName = membership.member(reception.device)?.name ?? DisplayText(cleaning: "")
        reception.app?.request(
            .willContinue(reception.id, type: reception.offer.type, originName: originName), deadline: limits.announce
        ) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success: run(reception.machine.announced(at: time.now), of: reception)
            case .failure(let failure): run(reception.machine.failed(failure.ofReceivingApp), of: reception)
            }
        }
    }

    private func fetch(_ reception: Reception) {
        let request = FetchRequest(
            activity: reception.offer.activity, continuation: reception.id, team: reception.offer.team,
            onlyWebPage: reception.target == .webPage)
        sessions.request(.fetch(request), to: reception.device, deadline: limits.fetch) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.fetched(let state, let saving, let saved)) where state.type == reception.offer.type:
                reception.saved = saved
                run(reception.machine.fetched(state, saving: saving, at: time.now), of: reception)
            case .success:
                let failure = Failure(.malformed, "the origin answered with something else than was asked for")
                run(reception.machine.failed(failure), of: reception)
            case .failure(let failure): run(reception.machine.failed(failure), of: reception)
            }
        }
    }

    /// Before the state is on its way: the app may ask for streams as soon as it has it.
    private func tellStreams(_ reception: Reception, _ client: any Client) {
        streams?.stateDelivered(reception.offer, from: reception.device, by: reception.id, to: client)
    }

    private func deliver(_ state: ActivityState, _ reception: Reception) {
        if let app = reception.app { tellStreams(reception, app) }
        reception.app?.request(.continueActivity(reception.id, state), deadline: limits.deliver) { [weak self] result in
            guard let self else { return }
            switch result {
            // `accepted` false: the app left it to the framework, which opened a document. It has it either way.
            case .success: run(reception.machine.delivered(at: time.now), of: reception)
            case .failure(let failure): run(reception.machine.failed(failure.ofReceivingApp), of: reception)
            }
        }
    }

    private func end(_ reception: Reception) {
        if current === reception { current = nil }
    }

    private func tellOrigin(_ reception: Reception) {
        sessions.send(.continued(reception.offer.activity, reception.id), to: reception.device)
        log.info("continued", metadata: ["continuation": "\(reception.id.short)"])
    }

    private func reportPhases(of reception: Reception) {
        let phases = reception.machine.phases
        while reception.reported < phases.count {
            reception.reply(.progress(phases[reception.reported]))
            reception.reported += 1
        }
    }

    private func outcome(of reception: Reception, _ how: ContinuationOutcome.How) -> ContinuationOutcome {
        var targetName = reception.offer.appName
        if case .app(let bundle) = how, let app = launching.app(bundle) { targetName = app.name }
        return ContinuationOutcome(
            continuation: reception.id, phases: reception.machine.phases, how: how, targetName: targetName,
            saved: reception.saved)
    }
}

extension Failure {
    /// What a client's failure means when the client is the receiving app, not the origin's.
    fileprivate var ofReceivingApp: Failure {
        switch code {
        case .appGone: Failure(.appDidNotAnswer, "the app quit before it could go on with the activity")
        case .appTimedOut: Failure(.appDidNotAnswer, "the app did not answer in time")
        default: self
        }
    }
}

extension ContinuationService: ClientMessageHandler {
    package func handle(_ message: LocalMessage, from client: any Client, reply: @escaping ClientReply) -> Bool {
        guard case .startContinuation(let wish) = message else { return false }
        guard client.role == .control else {
            reply(.failure(Failure(.notAllowed, "only control clients start continuations")))
            return true
        }
        start(wish, for: client, reply: reply)
        return true
    }

    package func clientClosed(_ client: any Client) {
        // A state for a script has nobody left to take it; an app goes on without whoever asked.
        guard let current, current.requester === client, !current.target.isApp else { return }
        run(current.machine.cancelled(), of: current)
    }
}

// MARK: - The origin

extension ContinuationService: PeerMessageHandler {
    package func handle(_ message: PeerMessage, from device: DeviceID, reply: @escaping (PeerMessage) -> Void) -> Bool {
        switch message {
        case .fetch(let request):
            answer(request, from: device, reply: reply)
        case .continued(let activity, let continuation):
            guard let app = origin.continued(activity, by: continuation, of: device, at: time.now) else { break }
            let name = membership.member(device)?.name ?? DisplayText(cleaning: "")
            app.send(.wasContinued(activity, deviceName: name))
        case .cancelFetch(let continuation):
            origin.cancelled(continuation, of: device)
        case .hello, .roster, .boardSnapshot, .boardDelta, .boardRequest, .fetched, .ping, .pong, .failure, .goodbye,
            .openStream, .stream, .streamLost, .unknown:
            return false
        }
        return true
    }

    package func sessionClosed(_ device: DeviceID) { origin.sessionClosed(device) }

    private func answer(_ request: FetchRequest, from device: DeviceID, reply: @escaping (PeerMessage) -> Void) {
        let offered = boards.ownOffer(request.activity)
        switch origin.fetchRequested(request, by: device, offered: offered, at: time.now) {
        case .refuse(let failure): reply(.failure(failure))
        case .answer(let state, let saved): reply(.fetched(state, saving: .zero, saved: saved))
        case .ask(let app, let deadline):
            app.request(.save(request.activity, deadline: deadline), deadline: deadline) { [weak self] result in
                self?.saved(result, by: app, for: request, of: device, reply: reply)
            }
        }
    }

    private func saved(
        _ result: Result<LocalMessage, Failure>, by app: any Client, for request: FetchRequest, of device: DeviceID,
        reply: (PeerMessage) -> Void
    ) {
        var saving = Duration.zero
        let state: Result<ActivityState, Failure>
        switch result {
        case .success where app.team == nil:
            // It was trusted when it was asked.
            state = .failure(Failure(.activityGone, "the activity is no longer offered"))
        case .success(.saved(let saved, let duration)):
            saving = duration
            state = .success(saved)
        case .success: state = .failure(Failure(.malformed, "the origin's app answered with something else"))
        case .failure(let failure): state = .failure(failure)
        }
        let kept = app.team == nil ? nil : boards.savedState(of: request.activity)
        switch origin.saved(state, kept: kept, for: request.continuation, of: device, at: time.now) {
        case .answer(let state, let saved):
            // A web page goes to a browser, and an app that has quit has no streams.
            if saved == nil, !request.onlyWebPage { streams?.stateGiven(request, to: device, by: app) }
            reply(.fetched(state, saving: saving, saved: saved))
        case .refuse(let failure): reply(.failure(failure))
        case .nothing: reply(.failure(Failure(.cancelled, "cancelled by the receiver")))
        }
        if case .success(let state) = state { boards.saved(state, of: request.activity, by: app) }
    }
}
