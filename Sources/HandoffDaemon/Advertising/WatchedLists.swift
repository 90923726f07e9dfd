// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// All devices' offers, as this device's user sees them.
final class WatchedLists {
    private let own: OwnBoard
    private let peers: PeerBoards
    private let inbox: InboxService
    private let launching: LaunchingService
    private let membership: any Membership
    private let time: any TimeSource

    private var watches: [Watch] = []
    /// Avoids resolving each offer's app whenever another offer changes.
    private var listed = Lines()
    /// For activities that the peer sent here.
    private var listedSent = Lines()

    private typealias Lines = [DeviceID: [ActivityID: ListedActivity]]

    private struct Watch {
        let client: any Client
        let all: Bool
        let reply: ClientReply
        var shown: [ListedActivity]
    }

    init(
        own: OwnBoard, peers: PeerBoards, inbox: InboxService, launching: LaunchingService, membership: any Membership,
        time: any TimeSource
    ) {
        self.own = own
        self.peers = peers
        self.inbox = inbox
        self.launching = launching
        self.membership = membership
        self.time = time
    }

    var isWatched: Bool { !watches.isEmpty }

    /// `refresh` must follow.
    func forgetTargets() { (listed, listedSent) = ([:], [:]) }

    func sessionClosed(_ device: DeviceID) { listed[device] = nil }
    func clientClosed(_ client: any Client) { watches.removeAll { $0.client === client } }

    func list(watch: Bool, all: Bool, for client: any Client, reply: @escaping ClientReply) {
        guard !watch || watches.count(where: { $0.client === client }) < AdvertisingService.watchesPerClient else {
            reply(
                .failure(
                    Failure(.limitReached, "a client may watch at most \(AdvertisingService.watchesPerClient) lists")))
            return
        }
        let shown = Self.listed(activities, all: all)
        if watch { watches.append(Watch(client: client, all: all, reply: reply, shown: shown)) }
        reply(.advertising(.activityList(shown)))
    }

    func refresh() {
        guard !watches.isEmpty else { return }
        let activities = activities
        lazy var everything = Self.listed(activities, all: true)
        lazy var continuable = Self.listed(activities, all: false)
        for index in watches.indices {
            let list = watches[index].all ? everything : continuable
            // A slow client later receives only the newest list.
            guard list != watches[index].shown, !watches[index].client.isBehind else { continue }
            watches[index].shown = list
            watches[index].reply(.advertising(.activityList(list)))
        }
    }

    private static func listed(_ activities: [ListedActivity], all: Bool) -> [ListedActivity] {
        Array((all ? activities : activities.filter(\.isContinuable)).prefix(AdvertisingService.listedActivities))
    }

    private var activities: [ListedActivity] {
        var list = ownActivities
        for (device, board) in peers.boards {
            let lines = activities(of: device, board.offers, known: listed[device])
            listed[device] = Dictionary(lines.map { ($0.offer.activity, $0) }) { first, _ in first }
            list += lines
        }
        let sent = inbox.sentOffers
        listedSent = listedSent.filter { sent[$0.key] != nil }
        for (device, offers) in sent {
            let lines = activities(of: device, offers, isSent: true, known: listedSent[device])
            listedSent[device] = Dictionary(lines.map { ($0.offer.activity, $0) }) { first, _ in first }
            list += lines
        }
        // Two devices may offer one activity in the same millisecond; ordering by device keeps rows in place.
        list.sort {
            if $0.offer.since == $1.offer.since, $0.offer.activity == $1.offer.activity { return $0.device < $1.device }
            return Offer.newestFirst($0.offer, $1.offer)
        }
        return list
    }

    private func activities(
        of device: DeviceID, _ offers: [Offer], isSent: Bool = false, known: [ActivityID: ListedActivity]?
    ) -> [ListedActivity] {
        guard let member = membership.member(device) else { return [] }
        return offers.filter { !$0.isExpired(at: time.wallTime) }.map { offer in
            if let before = known?[offer.activity], before.offer == offer { return before }
            let resolution = launching.resolve(offer, wish: Resolution.Wish())
            return ListedActivity(
                offer: offer, device: device, deviceName: member.name, deviceKind: member.kind,
                isFromThisDevice: false, target: resolution.target, targetName: resolution.targetName,
                isForBrowserToo: resolution.isForBrowserToo, isSent: isSent)
        }
    }

    private var ownActivities: [ListedActivity] {
        guard own.count > 0, let device = membership.member(membership.device) else { return [] }
        return own.offers.map { offer in
            ListedActivity(
                offer: offer, device: device.device, deviceName: device.name, deviceKind: device.kind,
                isFromThisDevice: true,
                target: .nothing("it is on this device already"), targetName: DisplayText(cleaning: ""))
        }
    }
}
