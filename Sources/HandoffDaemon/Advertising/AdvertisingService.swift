// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

final class AdvertisingService: Feature {
    static let watchesPerClient = 16
    /// Fit into one frame even with texts of maximum length.
    static let listedActivities = 256

    private let sessions: any PeerMessaging
    private let inbox: InboxService
    private let launching: LaunchingService
    private let membership: any Membership
    private let time: any TimeSource

    private let own: OwnBoard
    private let peers: PeerBoards
    private let lists: WatchedLists
    private var alarm: (any Alarm)?

    var onSave: (ActivityState, BundleID) -> Void = { _, _ in }
    /// Call the closure once the states are gone.
    var onDelete: (SavedActivities, BundleID, @escaping (Failure?) -> Void) -> Void = { $2(nil) }

    init(
        sessions: any PeerMessaging, inbox: InboxService, apps: AppsService, launching: LaunchingService,
        membership: any Membership, policy: PolicyService, presence: PresenceService, time: any TimeSource,
        limits: BoardLimits = BoardLimits(), saving: SavingLimits = SavingLimits(), log: Logger
    ) {
        self.sessions = sessions
        self.inbox = inbox
        self.launching = launching
        self.membership = membership
        self.time = time
        own = OwnBoard(
            sessions: sessions, apps: apps, launching: launching, policy: policy, presence: presence, time: time,
            limits: limits, saving: saving, log: log)
        peers = PeerBoards(sessions: sessions, time: time, log: log)
        lists = WatchedLists(
            own: own, peers: peers, inbox: inbox, launching: launching, membership: membership, time: time)
        own.onChange = { [weak self] isOffered in self?.changed(isOffered) }
        peers.onChange = { [weak self] in self?.peersChanged() }
    }

    func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.deadlineReached() }
        own.start()
        own.onSave = { [weak self] in self?.onSave($0, $1) }
        sessions.handlers.advertising = self
        // Lists contain device names, but no other part of the roster.
        membership.onChange { [weak self] in if $0.isOfMembers || !$0.renamed.isEmpty { self?.rightsChanged() } }
        launching.onChange { [weak self] in self?.launchingChanged($0) }
        inbox.onChange { [weak self] in self?.lists.refresh() }
    }

    func stop() {
        own.stop()
        alarm?.set(nil)
    }

    /// Lists first: a person may be looking at one.
    private func changed(_ isOffered: Bool) {
        if isOffered { lists.refresh() }
        arm()
    }

    private func peersChanged() {
        changed(true)
        sessions.watchingChanged()
    }

    private func launchingChanged(_ change: LaunchingChange) {
        switch change {
        case .apps, .switches: rightsChanged()
        case .running, .browsers, .used, .preferred, .approval, .choice:
            lists.forgetTargets()
            lists.refresh()
        }
    }

    private func rightsChanged() {
        lists.forgetTargets()
        own.rightsChanged()
        lists.refresh()
    }

    private func deadlineReached() {
        let isChanged = peers.expire()
        own.deadlineReached()
        if isChanged { peersChanged() }
    }

    private func arm() { alarm?.set([own.nextDeadline, peers.nextDeadline].compactMap(\.self).min()) }
}

extension AdvertisingService {
    func ownOffer(_ activity: ActivityID) -> (offer: Offer, source: OfferSource<any Client>)? {
        own.offer(activity)
    }

    /// Includes hidden offers, for a device that already received the state.
    func ownEntry(_ activity: ActivityID) -> (offer: Offer, source: OfferSource<any Client>)? {
        own.entry(activity)
    }

    func savedState(of activity: ActivityID) -> SavedState? { own.savedState(of: activity) }

    /// Calls `then` once each app with changes has saved, or failed to.
    func saveStates(then: @escaping () -> Void) { own.saveStates(then: then) }

    func saved(_ state: ActivityState, of activity: ActivityID, by client: any Client) {
        own.saved(state, of: activity, by: client)
    }

    /// Each device chooses its own IDs, so they prove nothing.
    func peers(offering activity: ActivityID) -> Set<DeviceID> {
        Set(peers.boards.keys.filter { peerOffer(activity, on: $0) != nil })
    }

    func peerOffer(_ activity: ActivityID, on device: DeviceID) -> Offer? {
        peers.offer(activity, on: device)
    }

    func ownActivities(of type: ActivityType) -> [OwnActivity] { own.activities(of: type) }
    func peerOffers(of device: DeviceID) -> [Offer] { peers.offers(of: device) }

    var ownOfferCount: Int { own.count }
    var peerOfferCount: Int { peers.offerCount }
}

extension AdvertisingService: PeerMessageHandler {
    func sessionOpened(_ device: DeviceID) {
        peers.sessionOpened(device)
        // Offers may have expired unnoticed during sleep.
        own.deadlineReached()
        sessions.send(.advertising(.boardSnapshot(own.snapshot)), to: device)
    }

    func sessionClosed(_ device: DeviceID) {
        lists.sessionClosed(device)
        peers.sessionClosed(device)
    }

    func isWatching(_ device: DeviceID) -> Bool {
        lists.isWatched && peers.boards[device]?.offers.isEmpty == false
    }

    func handle(
        _ message: PeerMessage.Advertising, from device: DeviceID, reply: @escaping (PeerMessage) -> Void
    ) {
        switch message {
        case .boardSnapshot(let snapshot): peers.received(snapshot, from: device)
        case .boardDelta(let delta): peers.received(delta, from: device)
        case .boardRequest: reply(.advertising(.boardSnapshot(own.snapshot)))
        case .offerQuestion(let type): reply(.advertising(.offerAnswer(own.answer(about: type))))
        case .offerAnswer: reply(.failure(.unknownRequest))
        }
    }
}

extension AdvertisingService: LocalMessageHandler {
    func clientCaughtUp(_ client: any Client) { lists.refresh() }

    func clientClosed(_ client: any Client) {
        lists.clientClosed(client)
        sessions.watchingChanged()
        own.clientClosed(client)
    }

    func handle(_ message: LocalMessage.Advertising, from client: any Client, reply: @escaping ClientReply) {
        switch message {
        case .publish(let publication):
            reply(own.publish(publication, by: client).map(LocalMessage.failure) ?? .done(accepted: true))
        case .withdraw(let activity):
            own.withdraw(activity, by: client)
            reply(.done(accepted: true))
        case .withhold(let withheld):
            own.withhold(withheld, by: client)
            reply(.done(accepted: true))
        case .changed(let activity):
            own.changed(activity, by: client)
            reply(.done(accepted: true))
        case .deleteSaved(let saved):
            own.deleteSaved(saved, by: client)
            guard let bundle = client.bundle else { return reply(.done(accepted: true)) }
            onDelete(saved, bundle) { reply($0.map(LocalMessage.failure) ?? .done(accepted: true)) }
        case .listActivities(let watch, let all):
            lists.list(watch: watch, all: all, for: client, reply: reply)
            sessions.watchingChanged()
        case .save, .saved, .activityList: reply(.failure(.notForTheDaemon))
        }
    }
}
