// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire
internal import Logging

final class OwnBoard {
    private let sessions: any PeerMessaging
    private let apps: AppsService
    private let launching: LaunchingService
    private let policy: PolicyService
    private let presence: PresenceService
    private let time: any TimeSource

    private var board: BoardStateMachine
    private let keeper: StateKeeper
    /// Includes activities that cannot be offered yet.
    private var publishers: [Publisher] = []
    private var withheld: [ClientID: (client: any Client, type: ActivityType)] = [:]
    var onChange: (_ isOffered: Bool) -> Void = { _ in }
    var onSave: (ActivityState, BundleID) -> Void {
        get { keeper.onSave }
        set { keeper.onSave = newValue }
    }

    private struct Publisher {
        let client: any Client
        var publication: Publication
        var heard: Instant
    }

    init(
        sessions: any PeerMessaging, apps: AppsService, launching: LaunchingService, policy: PolicyService,
        presence: PresenceService, time: any TimeSource, limits: BoardLimits, saving: SavingLimits, log: Logger
    ) {
        self.sessions = sessions
        self.apps = apps
        self.launching = launching
        self.policy = policy
        self.presence = presence
        self.time = time
        board = BoardStateMachine(limits: limits)
        var saving = saving
        saving.isOn = saving.isOn && limits.keep > .zero
        keeper = StateKeeper(time: time, limits: saving, log: log)
    }

    func start() {
        keeper.start()
        presence.onChange { [weak self] in self?.presenceChanged() }
        presenceChanged()
    }

    func stop() { keeper.stop() }

    var nextDeadline: Instant? { board.nextDeadline }
    func deadlineReached() { carryOut(board.deadlineReached(now: time.now, wall: time.wallTime)) }

    var offers: [Offer] { board.offers }
    var count: Int { board.count }
    var snapshot: BoardSnapshot { board.snapshot }

    func offer(_ activity: ActivityID) -> (offer: Offer, source: OfferSource<any Client>)? {
        board.isOffered(activity, now: time.now) ? entry(activity) : nil
    }

    func entry(_ activity: ActivityID) -> (offer: Offer, source: OfferSource<any Client>)? {
        guard let (offer, handle) = board.entry(activity), !offer.isExpired(at: time.wallTime) else { return nil }
        guard let handle else { return keeper.state(of: activity).map { (offer, .saved($0)) } }
        return publishers.first { $0.client.id == handle }.map { (offer, .app($0.client)) }
    }

    func savedState(of activity: ActivityID) -> SavedState? { keeper.state(of: activity) }

    func saveStates(then: @escaping () -> Void) { keeper.saveAll(then: then) }

    func saved(_ state: ActivityState, of activity: ActivityID, by client: any Client) {
        keeper.saved(state, of: activity, by: client)
    }

    // MARK: Clients' messages

    /// Nil: accepted, even if it cannot be offered yet.
    func publish(_ publication: Publication, by client: any Client) -> Failure? {
        if client.audience == .browser, let failure = publication.refusalForBrowsers {
            return failure
        }
        guard client.team != nil || client.stays else {
            return Failure(.noAccount, "this device has no account yet, so nothing can be offered")
        }
        // An app continues undisturbed, but a script's user must see why nothing is offered.
        if !client.stays, let obstacle = policy.obstacle(to: .advertising, of: client.bundle) {
            return Failure(.notAllowed, obstacle.reason)
        }
        let failure = offer(publication, of: client, heard: time.now)
        publishers.removeAll { $0.client === client }
        if let failure {
            carryOut(board.clientClosed(client.id, now: time.now, wall: time.wallTime))
            return failure
        }
        publishers.append(Publisher(client: client, publication: publication, heard: time.now))
        withheld[client.id] = nil
        if let bundle = client.bundle { launching.used(bundle) }
        return nil
    }

    /// Only this device's user and its history learn of it. Nil: no longer.
    func withhold(_ activity: WithheldActivity?, by client: any Client) {
        withheld[client.id] = activity.map { (client, $0.type) }
        keeper.withheld(activity, by: client)
    }

    func withdraw(_ activity: ActivityID, by client: any Client) {
        publishers.removeAll { $0.client === client && $0.publication.activity == activity }
        carryOut(
            board.withdrawn(
                activity, by: client.id, of: client.bundle, now: time.now, wall: time.wallTime))
    }

    func changed(_ activity: ActivityID, by client: any Client) {
        let isMeant = { (publisher: Publisher) in
            publisher.client === client && publisher.publication.activity == activity
        }
        guard let index = publishers.firstIndex(where: isMeant) else {
            // Perhaps withheld.
            return keeper.changed(activity, by: client)
        }
        publishers[index].heard = time.now
        if board.refreshed(activity, by: client.id, now: time.now) {
            keeper.changed(activity, by: client)
        } else {
            _ = offer(publishers[index].publication, of: client, heard: time.now)
        }
    }

    /// Applies to all processes of the app.
    func deleteSaved(_ saved: SavedActivities, by client: any Client) {
        guard let bundle = client.bundle else { return }
        keeper.deleted(saved, of: bundle)
        for offer in board.kept where offer.bundle == bundle {
            guard saved.contains(keeper.state(of: offer.activity)?.state.persistentIdentifier) else { continue }
            carryOut(board.dropped(offer.activity, now: time.now, wall: time.wallTime))
        }
    }

    func clientClosed(_ client: any Client) {
        let kept = publishers.first { $0.client === client }.flatMap { keeper.state(of: $0.publication.activity) }
        publishers.removeAll { $0.client === client }
        withheld[client.id] = nil
        let (handle, now, wall) = (client.id, time.now, time.wallTime)
        carryOut(
            kept.map { board.clientQuit(handle, saved: $0.saved, now: now, wall: wall) }
                ?? board.clientClosed(handle, now: now, wall: wall))
        keeper.clientClosed(client)
    }

    // MARK: Explanation

    /// For another device, so it reveals nothing about activities that are not offered.
    func answer(about type: ActivityType) -> OfferAnswer {
        let offered = snapshot.offers.count { $0.type == type }
        guard offered == 0 else { return OfferAnswer(offered: UInt32(offered)) }
        if let off = policy.obstacle(to: .advertising, of: nil) {
            return OfferAnswer(offered: 0, obstacle: off.isByAdministrator ? .byAdministrator : .switchedOff)
        }
        return switch presence.word.presence {
        case .here: OfferAnswer(offered: 0)
        case .locked: OfferAnswer(offered: 0, obstacle: .locked)
        case .idle: OfferAnswer(offered: 0, obstacle: .idle)
        case .elsewhere: OfferAnswer(offered: 0, obstacle: .elsewhere)
        }
    }

    func activities(of type: ActivityType) -> [OwnActivity] {
        let shown = Set(offers.map(\.activity))
        let current = publishers.filter { $0.publication.type == type }.map { publisher in
            OwnActivity(
                app: name(of: publisher.client), title: publisher.publication.title,
                hindrance: hindrance(of: publisher, shown: shown))
        }
        let kept = board.kept.filter { $0.type == type }.map {
            OwnActivity(app: $0.appName, title: $0.title, hindrance: shown.contains($0.activity) ? nil : .hidden)
        }
        let withheld = withheld.values.filter { $0.type == type }.map {
            OwnActivity(app: name(of: $0.client), hindrance: .notEligible)
        }
        return current + kept + withheld
    }

    private func hindrance(of publisher: Publisher, shown: Set<ActivityID>) -> OwnActivity.Hindrance? {
        let activity = publisher.publication.activity
        if let off = policy.obstacle(to: .advertising, of: publisher.client.bundle) { return .switchedOff(off) }
        guard publisher.client.team != nil else { return .noTeam }
        guard board.entry(activity) != nil else { return .expired }
        return shown.contains(activity) ? nil : .hidden
    }

    private func name(of client: any Client) -> DisplayText {
        client.bundle.flatMap(apps.app)?.name ?? client.name
    }

    // MARK: Permission to offer

    func rightsChanged() {
        for publisher in publishers where needsOffer(publisher) {
            _ = offer(publisher.publication, of: publisher.client, heard: publisher.heard)
        }
        for offer in board.kept where offer.team != offeringTeam(ofFormer: offer.bundle) {
            carryOut(board.dropped(offer.activity, now: time.now, wall: time.wallTime))
        }
    }

    private func presenceChanged() {
        carryOut(board.userIsAway(presence.word.presence.isAway, now: time.now, wall: time.wallTime))
    }

    /// Publishing a correct offer again would mean that the user returned to it.
    private func needsOffer(_ publisher: Publisher) -> Bool {
        board.entry(publisher.publication.activity)?.offer.team != offeringTeam(of: publisher.client)
    }

    /// Nil: no team, or switched off.
    private func offeringTeam(of client: any Client) -> Team? {
        policy.obstacle(to: .advertising, of: client.bundle) == nil ? client.team : nil
    }

    private func offeringTeam(ofFormer bundle: BundleID?) -> Team? {
        guard policy.obstacle(to: .advertising, of: bundle) == nil else { return nil }
        return bundle.flatMap(apps.app).flatMap(apps.team)
    }

    private func offer(_ publication: Publication, of client: any Client, heard: Instant) -> Failure? {
        let handle = client.id
        guard let team = offeringTeam(of: client) else {
            carryOut(board.clientClosed(handle, now: time.now, wall: time.wallTime))
            keeper.current(publication.activity, publication.type, of: client, isOffered: false)
            return nil
        }
        let offer = Offer(
            activity: publication.activity, type: publication.type, title: publication.title, bundle: client.bundle,
            appName: name(of: client), team: team,
            supportsStreams: publication.supportsStreams, hasWebPage: publication.hasWebPage, since: time.wallTime,
            expires: publication.expires, webHost: publication.browsedHost)
        let update = board.published(
            offer, by: handle, isHeld: client.isScript, heard: heard, now: time.now, wall: time.wallTime)
        switch update {
        case .update(let update):
            carryOut(update)
            if board.entry(publication.activity) != nil {
                keeper.current(publication.activity, publication.type, of: client, isOffered: true)
            }
            return nil
        case .refuse(let failure): return failure
        }
    }

    /// Peers first: a person may be looking at one.
    private func carryOut(_ update: BoardUpdate) {
        if let delta = update.delta {
            for device in sessions.connected.sorted() { sessions.send(.advertising(.boardDelta(delta)), to: device) }
        }
        if update.isChanged { keeper.forget { board.entry($0) != nil } }
        onChange(update.isChanged)
    }
}

extension Client {
    /// Offered later if it cannot be now.
    fileprivate var stays: Bool { !isScript }

    /// A user starts and stops a script to offer and withdraw an activity, so absence is irrelevant.
    fileprivate var isScript: Bool { audience == .control }
}

extension Publication {
    fileprivate var browsedHost: WebHost? { type == .browsingWeb && hasWebPage ? webHost : nil }

    fileprivate var refusalForBrowsers: Failure? {
        guard type == .browsingWeb, hasWebPage else {
            return Failure(.notAllowed, "a browser may offer only the web page it shows")
        }
        return supportsStreams ? Failure(.notAllowed, "a browser offers no streams") : nil
    }
}

struct OwnActivity: Hashable {
    enum Hindrance: Hashable {
        case notEligible
        case noTeam
        case switchedOff(PolicySwitch)
        case expired
        /// While the user is away.
        case hidden
    }

    var app: DisplayText
    var title: DisplayText?
    /// Nil: it is offered.
    var hindrance: Hindrance?
}
