// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire
package import Logging

/// What the clients here offer, told to the other devices at once; and what those offer, told to whoever watches.
package final class AdvertisingService: Feature {
    package static let name = "Advertising"

    /// For the answer to a request for a snapshot.
    static let snapshotDeadline: Duration = .seconds(10)
    /// Lists that one client may watch at a time.
    package static let watchesPerClient = 16
    /// Activities that a list has at most, the newest: more than a person looks through, and with all texts at their
    /// longest still one frame. How many there are is in the daemon's status.
    package static let listedActivities = 256

    private let clients: any ClientMessaging
    private let sessions: any PeerMessaging
    private let launching: any Launching
    private let membership: any Membership
    private let policy: any Policing
    private let time: any TimeSource
    private let log: Logger

    private var board: BoardStateMachine<ObjectIdentifier>
    private let keeper: StateKeeper
    /// What each client has current, offered or not: it may be offered later, when there is an account.
    private var publishers: [Publisher] = []
    private var peers: [DeviceID: PeerBoard] = [:]
    private var watches: [Watch] = []
    /// Of each peer's board, as it was listed last: an app is found for an offer once, not at each change of another.
    private var listed: [DeviceID: [ActivityID: ListedActivity]] = [:]
    private var alarm: (any Alarm)?

    private struct Publisher {
        let client: any Client
        var publication: Publication
        /// When it last spoke of it.
        var heard: Instant
    }

    private struct Watch {
        let client: any Client
        let all: Bool
        let reply: ClientReply
        var shown: [ListedActivity]
    }

    package init(
        clients: any ClientMessaging, sessions: any PeerMessaging, launching: any Launching,
        membership: any Membership, policy: any Policing, time: any TimeSource, limits: BoardLimits = BoardLimits(),
        saving: SavingLimits = SavingLimits(), log: Logger
    ) {
        self.clients = clients
        self.sessions = sessions
        self.launching = launching
        self.membership = membership
        self.policy = policy
        self.time = time
        self.log = log
        board = BoardStateMachine(limits: limits)
        var saving = saving
        saving.isOn = saving.isOn && limits.keep > .zero
        keeper = StateKeeper(time: time, limits: saving, log: log)
    }

    package func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.deadlineReached() }
        keeper.start()
        clients.register(self)
        sessions.register(self)
        membership.onChange { [weak self] in self?.teamsChanged() }
        // Tells of the policy's changes too.
        launching.onChange { [weak self] in self?.teamsChanged() }
    }

    package func stop() {
        keeper.stop()
        alarm?.set(nil)
    }

    // MARK: Our board

    private func publish(_ publication: Publication, by client: any Client, reply: ClientReply) {
        if client.role == .browser, let failure = publication.refusalForBrowsers {
            reply(.failure(failure))
            return
        }
        guard client.team != nil || client.stays else {
            reply(.failure(Failure(.noAccount, "this device has no account yet, so nothing can be offered")))
            return
        }
        // An app goes on as if nothing were; whoever runs a script sees that nothing is offered, and why.
        if !client.stays, let obstacle = policy.obstacle(to: .advertising, of: client.bundle) {
            reply(.failure(Failure(.notAllowed, obstacle.reason)))
            return
        }
        let failure = offer(publication, of: client, heard: time.now)
        publishers.removeAll { $0.client === client }
        if let failure {
            // What its user did before is over all the same.
            carryOut(board.clientClosed(ObjectIdentifier(client), now: time.now, wall: time.wallTime))
            reply(.failure(failure))
            return
        }
        publishers.append(Publisher(client: client, publication: publication, heard: time.now))
        reply(.done(accepted: true))
        if let bundle = client.bundle { launching.used(bundle) }
    }

    /// Nil: nothing of it may be offered, as it has no team or is switched off.
    private func offeringTeam(of client: any Client) -> Team? {
        policy.obstacle(to: .advertising, of: client.bundle) == nil ? client.team : nil
    }

    /// Of an app that quit.
    private func offeringTeam(ofFormer bundle: BundleID?) -> Team? {
        guard policy.obstacle(to: .advertising, of: bundle) == nil else { return nil }
        return bundle.flatMap(launching.app).flatMap(launching.team)
    }

    /// Puts it on the board, or takes it off where it may not be offered.
    private func offer(_ publication: Publication, of client: any Client, heard: Instant) -> Failure? {
        let handle = ObjectIdentifier(client)
        guard let team = offeringTeam(of: client) else {
            carryOut(board.clientClosed(handle, now: time.now, wall: time.wallTime))
            return nil
        }
        let offer = Offer(
            activity: publication.activity, type: publication.type, title: publication.title, bundle: client.bundle,
            appName: client.bundle.flatMap(launching.app)?.name ?? client.name, team: team,
            supportsStreams: publication.supportsStreams, hasWebPage: publication.hasWebPage, since: time.wallTime,
            expires: publication.expires, webHost: publication.browsedHost)
        switch board.published(offer, by: handle, heard: heard, now: time.now, wall: time.wallTime) {
        case .update(let update):
            carryOut(update)
            if board.entry(publication.activity) != nil { keeper.published(publication, by: client) }
            return nil
        case .refuse(let failure): return failure
        }
    }

    /// The peers come first: a person may be looking at one.
    private func carryOut(_ update: BoardUpdate) {
        if let delta = update.delta {
            for device in sessions.connected.sorted() { sessions.send(.boardDelta(delta), to: device) }
        }
        arm()
        guard update.isChanged else { return }
        keeper.forget { board.entry($0) != nil }
        refreshWatches()
    }

    /// An account came, apps came, went or changed, or something was switched off or on: what is offered and what it
    /// resolves to may be another.
    private func teamsChanged() {
        listed = [:]
        for publisher in publishers where needsOffer(publisher) {
            _ = offer(publisher.publication, of: publisher.client, heard: publisher.heard)
        }
        for offer in board.kept where offer.team != offeringTeam(ofFormer: offer.bundle) {
            carryOut(board.dropped(offer.activity, now: time.now, wall: time.wallTime))
        }
        refreshWatches()
    }

    /// What is on the board as it should be is left alone: the same again would mean that its user came back to it.
    private func needsOffer(_ publisher: Publisher) -> Bool {
        board.entry(publisher.publication.activity)?.offer.team != offeringTeam(of: publisher.client)
    }

    // MARK: Deadlines

    private func deadlineReached() {
        var isChanged = false
        for device in peers.keys where peers[device]?.expire(wall: time.wallTime) ?? false { isChanged = true }
        carryOut(board.deadlineReached(now: time.now, wall: time.wallTime))
        if isChanged { refreshWatches() }
    }

    private func arm() {
        let expiry = peers.values.lazy.compactMap(\.nextExpiry).min()
        let peerDeadline = expiry.map { time.now.advanced(by: time.wallTime.duration(to: $0)) }
        alarm?.set([board.nextDeadline, peerDeadline].compactMap(\.self).min())
    }
}

extension AdvertisingService: Boards {
    package func ownOffer(_ activity: ActivityID) -> (offer: Offer, source: OfferSource<any Client>)? {
        guard let (offer, handle) = board.entry(activity), !offer.isExpired(at: time.wallTime) else { return nil }
        guard let handle else { return keeper.state(of: activity).map { (offer, .saved($0)) } }
        return publishers.first { ObjectIdentifier($0.client) == handle }.map { (offer, .app($0.client)) }
    }

    package func savedState(of activity: ActivityID) -> SavedState? { keeper.state(of: activity) }

    package func saved(_ state: ActivityState, of activity: ActivityID, by client: any Client) {
        keeper.saved(state, of: activity, by: client)
    }

    package func peerOffer(_ activity: ActivityID, on device: DeviceID?) -> (offer: Offer, device: DeviceID)? {
        let boards = device.map { device in peers.filter { $0.key == device } } ?? peers
        let found = boards.compactMap { device, board in board.offer(activity).map { (offer: $0, device: device) } }
        return found.filter { !$0.offer.isExpired(at: time.wallTime) }
            .min { ($1.offer.since, $0.device) < ($0.offer.since, $1.device) }
    }

    package var ownOfferCount: Int { board.count }
    package var peerOfferCount: Int { peers.values.reduce(0) { $0 + $1.offers.count } }
}

// MARK: - Other devices

extension AdvertisingService: PeerMessageHandler {
    package func sessionOpened(_ device: DeviceID) {
        peers[device] = PeerBoard()
        // Also the moment after a sleep, in which offers may have expired unseen.
        carryOut(board.deadlineReached(now: time.now, wall: time.wallTime))
        sessions.send(.boardSnapshot(board.snapshot), to: device)
    }

    package func sessionClosed(_ device: DeviceID) {
        listed[device] = nil
        guard let board = peers.removeValue(forKey: device), !board.offers.isEmpty else { return }
        arm()
        refreshWatches()
    }

    package func handle(_ message: PeerMessage, from device: DeviceID, reply: @escaping (PeerMessage) -> Void) -> Bool {
        switch message {
        case .boardSnapshot(let snapshot): snapshotReceived(snapshot, from: device)
        case .boardDelta(let delta):
            switch peers[device]?.deltaReceived(delta, wall: time.wallTime) {
            case .show?: peerChanged()
            case .askForSnapshot?: askForSnapshot(device)
            case .ignore?, nil: break
            }
        case .boardRequest: reply(.boardSnapshot(board.snapshot))
        default: return false
        }
        return true
    }

    private func snapshotReceived(_ snapshot: BoardSnapshot, from device: DeviceID) {
        if peers[device]?.snapshotReceived(snapshot, wall: time.wallTime) ?? false { peerChanged() }
    }

    private func peerChanged() {
        refreshWatches()
        arm()
    }

    private func askForSnapshot(_ device: DeviceID) {
        log.debug("a change of a peer's board was missed", metadata: ["device": "\(device.short)"])
        sessions.request(.boardRequest, to: device, deadline: Self.snapshotDeadline) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.boardSnapshot(let snapshot)): snapshotReceived(snapshot, from: device)
            case .success, .failure: peers[device]?.snapshotFailed()
            }
        }
    }
}

// MARK: - Clients

extension AdvertisingService: ClientMessageHandler {
    package func clientClosed(_ client: any Client) {
        watches.removeAll { $0.client === client }
        let kept = publishers.first { $0.client === client }.flatMap { keeper.state(of: $0.publication.activity) }
        publishers.removeAll { $0.client === client }
        let (handle, now, wall) = (ObjectIdentifier(client), time.now, time.wallTime)
        carryOut(
            kept.map { board.clientQuit(handle, saved: $0.saved, now: now, wall: wall) }
                ?? board.clientClosed(handle, now: now, wall: wall))
        keeper.clientClosed(client)
    }

    package func handle(_ message: LocalMessage, from client: any Client, reply: @escaping ClientReply) -> Bool {
        switch message {
        case .publish(let publication): publish(publication, by: client, reply: reply)
        case .withdraw(let activity):
            publishers.removeAll { $0.client === client && $0.publication.activity == activity }
            carryOut(
                board.withdrawn(
                    activity, by: ObjectIdentifier(client), of: client.bundle, now: time.now, wall: time.wallTime))
            reply(.done(accepted: true))
        case .changed(let activity):
            changed(activity, by: client)
            reply(.done(accepted: true))
        case .listActivities(let watch, let all): list(watch: watch, all: all, for: client, reply: reply)
        default: return false
        }
        return true
    }

    private func changed(_ activity: ActivityID, by client: any Client) {
        let isMeant = { (publisher: Publisher) in
            publisher.client === client && publisher.publication.activity == activity
        }
        guard let index = publishers.firstIndex(where: isMeant) else { return }
        publishers[index].heard = time.now
        if board.refreshed(activity, by: ObjectIdentifier(client), now: time.now) {
            keeper.changed(activity, by: client)
        } else {
            // It had gone by itself.
            _ = offer(publishers[index].publication, of: client, heard: time.now)
        }
    }

    private func list(watch: Bool, all: Bool, for client: any Client, reply: @escaping ClientReply) {
        guard !watch || watches.count(where: { $0.client === client }) < Self.watchesPerClient else {
            reply(.failure(Failure(.limitReached, "a client watches at most \(Self.watchesPerClient) lists")))
            return
        }
        let shown = Self.listed(activities, all: all)
        if watch { watches.append(Watch(client: client, all: all, reply: reply, shown: shown)) }
        reply(.activityList(shown))
    }

    private func refreshWatches() {
        guard !watches.isEmpty else { return }
        let activities = activities
        let everything = Self.listed(activities, all: true)
        let continuable = Self.listed(activities, all: false)
        for index in watches.indices {
            let list = watches[index].all ? everything : continuable
            guard list != watches[index].shown else { continue }
            watches[index].shown = list
            watches[index].reply(.activityList(list))
        }
    }

    /// Without `all` only what something here goes on with.
    private static func listed(_ activities: [ListedActivity], all: Bool) -> [ListedActivity] {
        Array((all ? activities : activities.filter(\.isContinuable)).prefix(listedActivities))
    }

    /// Newest first.
    private var activities: [ListedActivity] {
        var list = ownActivities
        for (device, board) in peers { list += activities(of: device, board) }
        // Devices may offer the same activity in the same millisecond; the device decides, so that no line jumps.
        list.sort {
            if $0.offer.since == $1.offer.since, $0.offer.activity == $1.offer.activity { return $0.device < $1.device }
            return Offer.newestFirst($0.offer, $1.offer)
        }
        return list
    }

    private func activities(of device: DeviceID, _ board: PeerBoard) -> [ListedActivity] {
        guard let member = membership.member(device) else { return [] }
        let known = listed[device] ?? [:]
        var list: [ListedActivity] = []
        var current: [ActivityID: ListedActivity] = [:]
        for offer in board.offers where !offer.isExpired(at: time.wallTime) {
            let activity: ListedActivity
            if let before = known[offer.activity], before.offer == offer {
                activity = before
            } else {
                let resolution = launching.resolve(offer, wish: Resolution.Wish())
                activity = ListedActivity(
                    offer: offer, device: device, deviceName: member.name, deviceKind: member.kind,
                    isFromThisDevice: false, target: resolution.target, targetName: resolution.targetName,
                    isForBrowserToo: resolution.isForBrowserToo)
            }
            list.append(activity)
            current[offer.activity] = activity
        }
        listed[device] = current
        return list
    }

    private var ownActivities: [ListedActivity] {
        guard board.count > 0, let own = membership.member(membership.device) else { return [] }
        return board.offers.map { offer in
            ListedActivity(
                offer: offer, device: own.device, deviceName: own.name, deviceKind: own.kind, isFromThisDevice: true,
                target: .nothing("it is on this device already"), targetName: DisplayText(cleaning: ""))
        }
    }
}

extension Client {
    /// It is there for its user whatever this device may offer now: what it publishes is kept for later.
    fileprivate var stays: Bool { role == .app || role == .browser }
}

extension Publication {
    /// Of other activities it counts for nothing, whatever they say.
    fileprivate var browsedHost: WebHost? { type == .browsingWeb && hasWebPage ? webHost : nil }

    fileprivate var refusalForBrowsers: Failure? {
        guard type == .browsingWeb, hasWebPage else {
            return Failure(.notAllowed, "a browser offers the web page that it shows, and nothing else")
        }
        return supportsStreams ? Failure(.notAllowed, "a browser offers no streams") : nil
    }
}
