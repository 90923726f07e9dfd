// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

final class ContinuationService: Feature {
    private let boards: AdvertisingService
    private let inbox: InboxService
    private let sessions: any PeerMessaging
    private let apps: AppsService
    private let launching: LaunchingService
    private let membership: any Membership
    private let streams: StreamsService
    private let documents: DocumentsService
    private let time: any TimeSource
    private var random: Randomness
    private let limits: ContinuationLimits
    private let log: Logger

    /// A new continuation replaces it.
    private var current: Reception?
    private let origin: ContinuationOrigin
    /// A device received a state, or an activity of another device continued here.
    var onTransfer: (ActivityTransfer) -> Void = { _ in }

    init(
        boards: AdvertisingService, inbox: InboxService, sessions: any PeerMessaging, apps: AppsService,
        launching: LaunchingService, membership: any Membership, streams: StreamsService,
        documents: DocumentsService, time: any TimeSource, random: Randomness,
        limits: ContinuationLimits = ContinuationLimits(), log: Logger
    ) {
        self.boards = boards
        self.inbox = inbox
        self.sessions = sessions
        self.apps = apps
        self.launching = launching
        self.membership = membership
        self.streams = streams
        self.documents = documents
        self.time = time
        self.random = random
        self.limits = limits
        self.log = log
        origin = ContinuationOrigin(
            boards: boards, membership: membership, streams: streams, documents: documents.origin, time: time,
            limits: limits)
    }

    func start() throws {
        sessions.handlers.continuation = self
        origin.onTransfer = { [weak self] in self?.onTransfer($0) }
        launching.onChange { [weak self] in self?.launchingChanged($0) }
    }

    func stop() {
        if let current { run(current.machine.cancelled(), of: current) }
    }
}

// MARK: - The receiver

extension ContinuationService {
    private func start(_ wish: StartContinuation, for requester: any Client, reply: @escaping ClientReply) {
        let started = time.now
        let claim: Claim
        do throws(Failure) { claim = try self.claim(of: wish) } catch { return reply(.failure(error)) }
        guard wish.app == nil || !wish.inBrowser else {
            reply(.failure(Failure(.malformed, "choose either an app or a browser, not both")))
            return
        }
        begin(
            claim, Resolution.Wish(app: wish.app, inBrowser: wish.inBrowser), activation: wish.activationToken,
            for: requester, started: started, reply: reply)
    }

    /// An entry of this device's history, in its app if installed, or a search.
    func open(
        _ state: ActivityState, of bundle: BundleID, activation: ActivationToken?, for requester: any Client,
        reply: @escaping ClientReply
    ) {
        let app = apps.app(bundle)
        guard app != nil || state.webpageURL != nil else {
            return reply(.failure(Failure(.noApp, "\(bundle) is not installed")))
        }
        guard let team = app.flatMap(apps.team) ?? membership.account.map(Team.personal) else {
            return reply(.failure(Failure(.noAccount, "this device has no account, so the app has no team")))
        }
        let offer = Offer(
            activity: .random(using: &random), type: state.type, title: DisplayText(cleaning: state.title ?? ""),
            bundle: bundle, appName: app?.name ?? DisplayText(cleaning: bundle.name), team: team,
            supportsStreams: false, hasWebPage: state.webpageURL != nil, since: time.wallTime)
        begin(
            Claim(offer: offer, device: membership.device, source: .history(state)),
            Resolution.Wish(app: app?.bundle, inBrowser: app == nil), activation: activation, for: requester,
            started: time.now, reply: reply)
    }

    private func begin(
        _ claim: Claim, _ wish: Resolution.Wish, activation: ActivationToken?, for requester: any Client,
        started: Instant, reply: @escaping ClientReply
    ) {
        let (offer, device) = (claim.offer, claim.device)
        let resolution = launching.resolve(offer, wish: wish, direction: claim.source.direction)
        if case .nothing(let why) = resolution.target {
            reply(.failure(Failure(.noApp, why)))
            return
        }
        let browser = resolution.target == .webPage ? launching.browser(preferring: requester) : nil
        // It ends before this one's first frame.
        if let current { run(current.machine.cancelled(), of: current) }

        let reception = Reception(
            id: .random(using: &random), offer: offer, device: device, source: claim.source, resolution: resolution,
            browser: browser, requester: requester, activation: activation, reply: reply, started: started)
        current = reception
        log.info(
            "Continuation started",
            metadata: ["continuation": "\(reception.id.short)", "origin": "\(device.short)"])
        run(reception.machine.begin(at: time.now), of: reception)
    }

    private struct Claim {
        let offer: Offer
        let device: DeviceID
        let source: Reception.Source
    }

    /// Without a device in the request, only one device may have the activity: each device chooses its IDs, so a member
    /// could substitute its activity for another's.
    private func claim(of wish: StartContinuation) throws(Failure) -> Claim {
        let activity = wish.activity
        let claimants = wish.device.map { [$0] } ?? boards.peers(offering: activity).union(inbox.senders(of: activity))
        guard claimants.count <= 1 else { throw .severalDevices }
        if let device = claimants.first {
            if let offer = inbox.sentOffer(activity, from: device) {
                return Claim(offer: offer, device: device, source: .inbox)
            }
            if let offer = boards.peerOffer(activity, on: device) {
                return Claim(offer: offer, device: device, source: .peer)
            }
        }
        guard boards.ownOffer(activity) == nil else {
            throw Failure(.notAllowed, "this activity is already on this device")
        }
        throw Failure(.activityGone, "no connected device offers this activity any longer")
    }

    private func run(_ action: ReceiverStateMachine.Action, of reception: Reception) {
        reportPhases(of: reception)
        switch action {
        case .launch: launch(reception)
        case .announce: announce(reception)
        case .fetch: fetch(reception)
        case .bring: bring(reception)
        case .deliver(let state): deliver(state, reception)
        case .giveToRequester(let state):
            end(reception)
            tellStreams(reception, reception.requester)
            noteTransfer(reception, state)
            // The requester dismisses an activity that was sent here: it exists nowhere else.
            if reception.source != .inbox { tellOrigin(reception) }
            reception.reply(.continuation(.outcome(outcome(of: reception, .state(state)))))
        case .complete:
            end(reception)
            tellOrigin(reception)
            if let bundle = reception.bundle { launching.used(bundle) }
            reception.reply(
                .continuation(.outcome(outcome(of: reception, reception.bundle.map { .app($0) } ?? .pageShown))))
        case .fail(let failure, let tellApp, let cancelFetch):
            end(reception)
            log.info(
                "Continuation failed",
                metadata: ["continuation": "\(reception.id.short)", "code": "\(failure.code)"])
            documents.stopBringing(reception.id)
            if cancelFetch, reception.source == .peer {
                sessions.send(.continuation(.cancelFetch(reception.id)), to: reception.device)
            }
            if tellApp {
                reception.recipient?.send(.continuation(.didFail(reception.id, type: reception.offer.type, failure)))
            }
            reception.reply(.failure(failure))
        case .nothing: break
        }
    }

    private func launch(_ reception: Reception) {
        if let browser = reception.browser {
            reception.recipient = browser
            run(reception.machine.appReady(at: time.now), of: reception)
            return
        }
        guard let bundle = reception.bundle else { return }
        launching.ensureRunning(
            bundle, for: reception.offer.type, activation: reception.activation, deadline: limits.launch
        ) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let client):
                reception.recipient = client
                run(reception.machine.appReady(at: time.now), of: reception)
            case .failure(let failure): run(reception.machine.failed(failure), of: reception)
            }
        }
    }

    private func launchingChanged(_ change: LaunchingChange) {
        switch change {
        case .apps(let change): if let bundle = current?.bundle, change.bundles.contains(bundle) { rightsChanged() }
        case .approval(let change): if let bundle = current?.bundle, change.apps.contains(bundle) { rightsChanged() }
        case .switches: rightsChanged()
        case .running, .browsers, .used, .preferred, .choice: break
        }
    }

    /// An app that is removed, loses its team's trust or its site's approval receives nothing.
    private func rightsChanged() {
        guard let current, let bundle = current.bundle else { return }
        let now = launching.resolve(
            current.offer, wish: Resolution.Wish(app: bundle), direction: current.source.direction)
        guard now.bundle != bundle || now.isPageAlone != current.resolution.isPageAlone else { return }
        run(current.machine.failed(Failure(.noApp, "\(bundle) may no longer continue it")), of: current)
    }

    private func announce(_ reception: Reception) {
        let originName = membership.member(reception.device)?.name ?? DisplayText(cleaning: "")
        reception.recipient?.request(
            .continuation(.willContinue(reception.id, type: reception.offer.type, originName: originName)),
            deadline: limits.announce
        ) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success: run(reception.machine.announced(at: time.now), of: reception)
            case .failure(let failure):
                run(reception.machine.failed(reception.failure(ofRecipient: failure)), of: reception)
            }
        }
    }

    private func fetch(_ reception: Reception) {
        switch reception.source {
        case .peer: break
        case .inbox: return takeSent(reception)
        case .history(let state): return fetched(.success(state), saving: .zero, of: reception)
        }
        let request = FetchRequest(
            activity: reception.offer.activity, continuation: reception.id, team: reception.offer.team,
            onlyWebPage: reception.resolution.isPageAlone, takesDocuments: true)
        sessions.request(.continuation(.fetch(request)), to: reception.device, deadline: limits.fetch) {
            [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.continuation(.fetched(let state, let saving, let saved, let references, let filesLeft)))
            where state.type == reception.offer.type:
                reception.saved = saved
                reception.references = references
                reception.filesLeft = filesLeft
                fetched(state, saving: saving, of: reception)
            case .success:
                let failure = Failure(.malformed, "the origin sent an unexpected answer")
                run(reception.machine.failed(failure), of: reception)
            case .failure(let failure): run(reception.machine.failed(failure), of: reception)
            }
        }
    }

    /// The origin need not be connected.
    private func takeSent(_ reception: Reception) {
        reception.saved = reception.offer.saved
        do throws(Failure) {
            let state = try inbox.sentState(reception.offer.activity, from: reception.device)
            fetched(state, saving: .zero, of: reception)
        } catch {
            run(reception.machine.failed(error), of: reception)
        }
    }

    private func fetched(_ state: CarriedState, saving: Duration, of reception: Reception) {
        let isPage = reception.resolution.isPageAlone
        guard isPage || reception.references.isEmpty else {
            reception.carried = state
            return run(reception.machine.fetchedWithDocuments(saving: saving, at: time.now), of: reception)
        }
        fetched(state.opened(), saving: saving, of: reception)
    }

    private func fetched(_ state: Result<ActivityState, Failure>, saving: Duration, of reception: Reception) {
        let isPage = reception.resolution.isPageAlone
        do throws(Failure) {
            let opened = try state.get()
            let given = isPage ? try opened.page(of: reception.offer, for: reception.pageViewer) : opened
            if !isPage { reception.noteFilesLeft() }
            run(reception.machine.fetched(given, saving: saving, at: time.now), of: reception)
        } catch {
            log.notice("Origin sent an unusable state", metadata: ["origin": "\(reception.device.short)"])
            run(reception.machine.failed(error), of: reception)
        }
    }

    private func bring(_ reception: Reception) {
        guard let state = reception.carried.take() else { return }
        let wishes = DocumentWishes(
            continuation: reception.id, activity: reception.offer.activity, device: reception.device,
            deviceName: membership.member(reception.device)?.name ?? DisplayText(cleaning: ""),
            team: reception.offer.team, app: reception.bundle)
        documents.bring(
            reception.references, for: state, by: wishes,
            progress: { progress in
                reception.reply(.documents(.documentProgress(progress)))
                reception.recipient?.send(.documents(.documentProgress(progress)))
            },
            then: { [weak self] result in
                guard let self else { return }
                switch result {
                case .success(let brought):
                    reception.documents = brought.documents
                    reception.noteFilesLeft()
                    run(reception.machine.brought(brought.state, at: time.now), of: reception)
                case .failure(let failure): run(reception.machine.failed(failure), of: reception)
                }
            })
    }

    /// Called first, because the app may request streams as soon as it has the state.
    private func tellStreams(_ reception: Reception, _ client: any Client) {
        guard !reception.resolution.isPageAlone, reception.source == .peer else { return }
        streams.stateDelivered(reception.offer, from: reception.device, by: reception.id, to: client)
    }

    private func deliver(_ state: ActivityState, _ reception: Reception) {
        if let recipient = reception.recipient { tellStreams(reception, recipient) }
        let message = LocalMessage.continuation(
            .continueActivity(reception.id, state, documents: reception.documents))
        reception.recipient?.request(message, deadline: limits.deliver) { [weak self] result in
            guard let self else { return }
            switch result {
            // `accepted` is false if the framework opened a document instead. The app has the state anyway.
            case .success:
                noteTransfer(reception, state)
                run(reception.machine.delivered(at: time.now), of: reception)
            case .failure(let failure):
                run(reception.machine.failed(reception.failure(ofRecipient: failure)), of: reception)
            }
        }
    }

    private func end(_ reception: Reception) {
        if current === reception { current = nil }
    }

    private func noteTransfer(_ reception: Reception, _ state: ActivityState) {
        guard reception.source.direction == .receiving else { return }
        onTransfer(
            ActivityTransfer(
                .received, reception.offer, at: time.wallTime, device: reception.device,
                named: membership.member(reception.device)?.name, app: reception.bundle,
                persistentIdentifier: state.persistentIdentifier))
    }

    private func tellOrigin(_ reception: Reception) {
        switch reception.source {
        case .peer:
            sessions.send(.continuation(.continued(reception.offer.activity, reception.id)), to: reception.device)
        case .inbox: inbox.sentEnded(reception.offer.activity, from: reception.device) {}
        case .history: break
        }
        log.info("Continued", metadata: ["continuation": "\(reception.id.short)"])
    }

    private func reportPhases(of reception: Reception) {
        let phases = reception.machine.phases
        while reception.reported < phases.count {
            reception.reply(.continuation(.progress(phases[reception.reported], of: reception.id)))
            reception.reported += 1
        }
    }

    private func outcome(of reception: Reception, _ how: ContinuationOutcome.How) -> ContinuationOutcome {
        var targetName = reception.offer.appName
        if case .app(let bundle) = how, let app = apps.app(bundle) { targetName = app.name }
        if let browser = reception.browser { targetName = browser.name }
        return ContinuationOutcome(
            continuation: reception.id, phases: reception.machine.phases, how: how, targetName: targetName,
            saved: reception.saved, facts: [Fact("activitySince", .time(reception.offer.since))],
            documents: reception.documents)
    }
}

extension ContinuationService {
    /// Answers with progress, then done or a failure.
    func download(_ path: AbsolutePath, for client: any Client, reply: @escaping ClientReply) {
        documents.download(path, for: client, reply: reply)
    }

    func cancel(_ continuation: ContinuationID, for client: any Client, reply: @escaping ClientReply) {
        guard let current, current.id == continuation,
            client === current.recipient || client === current.requester
        else {
            return reply(.failure(Failure(.notAllowed, "this program has no such continuation in progress")))
        }
        run(current.machine.cancelled(Failure(.cancelled, "cancelled by the user")), of: current)
        reply(.done(accepted: true))
    }
}

extension ContinuationService: LocalMessageHandler {
    func handle(_ message: LocalMessage.Continuation, from client: any Client, reply: @escaping ClientReply) {
        switch message {
        case .startContinuation(let wish): start(wish, for: client, reply: reply)
        case .progress, .outcome, .willContinue, .continueActivity, .didFail, .wasContinued:
            reply(.failure(.notForTheDaemon))
        }
    }

    func clientClosed(_ client: any Client) {
        // A script's state has no recipient now; an app continues without the requester.
        guard let current, current.requester === client, current.isForRequester else { return }
        run(current.machine.cancelled(), of: current)
    }
}

// MARK: - The origin

extension ContinuationService: PeerMessageHandler {
    func handle(
        _ message: PeerMessage.Continuation, from device: DeviceID, reply: @escaping (PeerMessage) -> Void
    ) {
        switch message {
        case .fetch(let request):
            origin.answer(request, from: device, reply: reply)
        case .continued(let activity, let continuation):
            origin.continued(activity, by: continuation, of: device)
        case .cancelFetch(let continuation):
            origin.cancelled(continuation, of: device)
        case .fetched: reply(.failure(.unknownRequest))
        }
    }

    func sessionClosed(_ device: DeviceID) { origin.sessionClosed(device) }
}

extension Failure {
    static let severalDevices = Failure(
        .severalDevices, "several devices have an activity with this id: name the device")
}
