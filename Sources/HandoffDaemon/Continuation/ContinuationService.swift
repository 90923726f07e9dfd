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
    let resolution: Resolution
    /// That shows the page; nil where an app or the requester takes it.
    let browser: (any Client)?
    let requester: any Client
    let reply: ClientReply
    var machine: ReceiverStateMachine
    /// The client of the app or of the browser, once it is there.
    var taker: (any Client)?
    /// The origin's app has quit: when it had saved the state.
    var saved: WallTime?
    /// Phases already told to the requester.
    var reported = 0

    init(
        id: ContinuationID, offer: Offer, device: DeviceID, resolution: Resolution, browser: (any Client)?,
        requester: any Client, reply: @escaping ClientReply, started: Instant
    ) {
        self.id = id
        self.offer = offer
        self.device = device
        self.resolution = resolution
        self.browser = browser
        self.requester = requester
        self.reply = reply
        let isForRequester = resolution.bundle == nil && browser == nil
        machine = ReceiverStateMachine(taker: isForRequester ? .requester : .app, started: started)
    }

    /// The app that takes it.
    var bundle: BundleID? { resolution.bundle }
    var isForRequester: Bool { bundle == nil && browser == nil }
    var pageTaker: PageTaker { bundle != nil ? .app : browser != nil ? .browser : .requester }

    /// How the requester is to understand what fails on the side of whoever takes it.
    func failure(ofTaker failure: Failure) -> Failure {
        let who = browser == nil ? "the app" : "the browser"
        return switch failure.code {
        case .appGone: Failure(.appDidNotAnswer, "\(who) quit before it could go on with the activity")
        case .appTimedOut: Failure(.appDidNotAnswer, "\(who) did not answer in time")
        default: failure
        }
    }
}

extension Resolution {
    fileprivate var bundle: BundleID? {
        switch target {
        case .app(let bundle): bundle
        case .webPage, .script, .nothing: nil
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
        guard wish.app == nil || !wish.inBrowser else {
            reply(.failure(Failure(.malformed, "it is continued in an app or in a browser, not in both")))
            return
        }
        let resolution = launching.resolve(offer, wish: Resolution.Wish(app: wish.app, inBrowser: wish.inBrowser))
        if case .nothing(let why) = resolution.target {
            reply(.failure(Failure(.noApp, why)))
            return
        }
        let browser = resolution.target == .webPage ? launching.browser(preferring: requester) : nil
        // The newest wish counts; the one under way ends as cancelled before this one's first frame.
        if let current { run(current.machine.cancelled(), of: current) }

        let reception = Reception(
            id: .random(using: &random), offer: offer, device: device, resolution: resolution, browser: browser,
            requester: requester, reply: reply, started: started)
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
            tellStreams(reception, reception.requester)
            tellOrigin(reception)
            reception.reply(.outcome(outcome(of: reception, .state(state))))
        case .complete:
            end(reception)
            tellOrigin(reception)
            if let bundle = reception.bundle { launching.used(bundle) }
            reception.reply(.outcome(outcome(of: reception, reception.bundle.map { .app($0) } ?? .pageShown)))
        case .fail(let failure, let tellApp, let cancelFetch):
            end(reception)
            log.info(
                "continuation failed",
                metadata: ["continuation": "\(reception.id.short)", "code": "\(failure.code)"])
            if cancelFetch { sessions.send(.cancelFetch(reception.id), to: reception.device) }
            if tellApp { reception.taker?.send(.didFail(reception.id, type: reception.offer.type, failure)) }
            reception.reply(.failure(failure))
        case .nothing: break
        }
    }

    private func launch(_ reception: Reception) {
        if let browser = reception.browser {
            reception.taker = browser
            run(reception.machine.appReady(at: time.now), of: reception)
            return
        }
        guard let bundle = reception.bundle else { return }
        launching.ensureRunning(bundle, for: reception.offer.type, deadline: limits.launch) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let client):
                reception.taker = client
                run(reception.machine.appReady(at: time.now), of: reception)
            case .failure(let failure): run(reception.machine.failed(failure), of: reception)
            }
        }
    }

    /// An app that was removed, whose team is not trusted any more, or of which its site will know nothing any more, gets
    /// nothing from that moment on.
    private func appsChanged() {
        guard let current, let bundle = current.bundle else { return }
        let now = launching.resolve(current.offer, wish: Resolution.Wish(app: bundle))
        guard now.bundle != bundle || now.isPageAlone != current.resolution.isPageAlone else { return }
        run(current.machine.failed(Failure(.noApp, "\(bundle) may not go on with it any more")), of: current)
    }

    private func announce(_ reception: Reception) {
        let originName = membership.member(reception.device)?.name ?? DisplayText(cleaning: "")
        reception.taker?.request(
            .willContinue(reception.id, type: reception.offer.type, originName: originName), deadline: limits.announce
        ) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success: run(reception.machine.announced(at: time.now), of: reception)
            case .failure(let failure):
                run(reception.machine.failed(reception.failure(ofTaker: failure)), of: reception)
            }
        }
    }

    private func fetch(_ reception: Reception) {
        let request = FetchRequest(
            activity: reception.offer.activity, continuation: reception.id, team: reception.offer.team,
            onlyWebPage: reception.resolution.isPageAlone)
        sessions.request(.fetch(request), to: reception.device, deadline: limits.fetch) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.fetched(let state, let saving, let saved)) where state.type == reception.offer.type:
                reception.saved = saved
                fetched(state, saving: saving, of: reception)
            case .success:
                let failure = Failure(.malformed, "the origin answered with something else than was asked for")
                run(reception.machine.failed(failure), of: reception)
            case .failure(let failure): run(reception.machine.failed(failure), of: reception)
            }
        }
    }

    private func fetched(_ state: ActivityState, saving: Duration, of reception: Reception) {
        guard reception.resolution.isPageAlone else {
            run(reception.machine.fetched(state, saving: saving, at: time.now), of: reception)
            return
        }
        do throws(Failure) {
            let page = try state.page(of: reception.offer, for: reception.pageTaker)
            run(reception.machine.fetched(page, saving: saving, at: time.now), of: reception)
        } catch {
            log.notice("no page that may be shown", metadata: ["origin": "\(reception.device.short)"])
            run(reception.machine.failed(error), of: reception)
        }
    }

    /// Before the state is on its way: the app may ask for streams as soon as it has it. With a page go none.
    private func tellStreams(_ reception: Reception, _ client: any Client) {
        guard !reception.resolution.isPageAlone else { return }
        streams?.stateDelivered(reception.offer, from: reception.device, by: reception.id, to: client)
    }

    private func deliver(_ state: ActivityState, _ reception: Reception) {
        if let taker = reception.taker { tellStreams(reception, taker) }
        let message = LocalMessage.continueActivity(reception.id, state)
        reception.taker?.request(message, deadline: limits.deliver) { [weak self] result in
            guard let self else { return }
            switch result {
            // `accepted` false: the app left it to the framework, which opened a document. It has it either way.
            case .success: run(reception.machine.delivered(at: time.now), of: reception)
            case .failure(let failure):
                run(reception.machine.failed(reception.failure(ofTaker: failure)), of: reception)
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
        if let browser = reception.browser { targetName = browser.name }
        return ContinuationOutcome(
            continuation: reception.id, phases: reception.machine.phases, how: how, targetName: targetName,
            saved: reception.saved)
    }
}

extension ContinuationService: ClientMessageHandler {
    package func handle(_ message: LocalMessage, from client: any Client, reply: @escaping ClientReply) -> Bool {
        guard case .startContinuation(let wish) = message else { return false }
        guard client.role == .control || client.role == .browser else {
            reply(.failure(Failure(.notAllowed, "only control clients and browsers start continuations")))
            return true
        }
        start(wish, for: client, reply: reply)
        return true
    }

    package func clientClosed(_ client: any Client) {
        // A state for a script has nobody left to take it; an app goes on without whoever asked.
        guard let current, current.requester === client, current.isForRequester else { return }
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
