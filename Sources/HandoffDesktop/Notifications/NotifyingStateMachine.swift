// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// At most one notification per offer, and one per device: about its newest offer that can be continued here.
struct NotifyingStateMachine: ~Copyable {
    enum Action: Hashable, Sendable {
        /// Replaces `replacing` if still there. `shown` or `notShown` answers.
        case show(Notice, NoticeTicket, replacing: UInt32?)
        case close(UInt32)
        /// `continued` or `notContinued` answers.
        case goOn(ListedActivity)
        /// Switches notifications of its device off. `notSilenced` reports a failure; otherwise the settings change.
        case silence(ListedActivity)
        case keepSeen
    }

    let limits: NotifyingLimits
    private(set) var seen: SeenOffers
    private(set) var settings: NotificationSettings
    var devices: [DeviceID: NotifyingDevice] = [:]
    private var front: FrontApp?
    private var isAway = false
    private var isInhibited = false
    /// No notification until then: the server refused one.
    private var pause: Instant?
    private var lastTicket: UInt64 = 0
    /// Their notifications no longer offer `silence`.
    private var introduced: Set<DeviceID> = []
    private var hasSeenMore = false

    init(
        limits: NotifyingLimits = NotifyingLimits(), settings: NotificationSettings = NotificationSettings(),
        seen: SeenOffers = SeenOffers()
    ) {
        self.limits = limits
        self.settings = settings
        self.seen = seen
    }

    var nextDeadline: Instant? {
        devices.values.reduce(nil as Instant?) { $0.earlier($1.due) }.earlier(pause)
    }

    // MARK: Events of the daemon and the user

    mutating func offersChanged(_ offers: [ListedActivity], at now: Instant) -> [Action] {
        front = offers.first { $0.isFromThisDevice && $0.offer.saved == nil }.map(FrontApp.init)
        for device in devices.keys { devices[device]?.offers = [] }
        for offer in offers where offer.isWorthNotifying {
            devices[offer.device, default: NotifyingDevice()].offers.append(offer)
        }
        return reconcile(at: now)
    }

    mutating func settingsChanged(_ settings: NotificationSettings, at now: Instant) -> [Action] {
        self.settings = settings
        return reconcile(at: now)
    }

    /// No one, or a different user, is at this device.
    mutating func presenceChanged(isAway: Bool, at now: Instant) -> [Action] {
        self.isAway = isAway
        return reconcile(at: now)
    }

    mutating func deadlineReached(at now: Instant) -> [Action] {
        if let pause, pause <= now { self.pause = nil }
        return reconcile(at: now)
    }

    // MARK: Events of the server

    /// Do not disturb. Present notifications stay.
    mutating func inhibitionChanged(_ isInhibited: Bool, at now: Instant) -> [Action] {
        self.isInhibited = isInhibited
        return reconcile(at: now)
    }

    mutating func serverChanged(at now: Instant) -> [Action] {
        pause = nil
        isInhibited = false
        for device in devices.keys { devices[device]?.serverEnded() }
        return reconcile(at: now)
    }

    mutating func shown(_ ticket: NoticeTicket, as id: UInt32, at now: Instant) -> [Action] {
        guard case .asking(ticket, let notice, _)? = devices[ticket.device]?.face else { return [.close(id)] }
        devices[ticket.device]?.face = .shown(id, notice)
        if !isAway {
            devices[ticket.device]?.lastShown = now
            if notice.subject == .offer {
                devices[ticket.device]?.offered(at: now, isUpdate: notice.isUpdate)
                introduced.insert(ticket.device)
            }
            see(notice, andOlderOf: devices[ticket.device]?.offers ?? [])
        }
        return reconcile(at: now)
    }

    mutating func notShown(_ ticket: NoticeTicket, at now: Instant) -> [Action] {
        guard case .asking(ticket, _, let before)? = devices[ticket.device]?.face else { return [] }
        pause = now.advanced(by: limits.retry)
        devices[ticket.device]?.face = before.map { .shown($0.id, $0.notice) } ?? .none
        return reconcile(at: now)
    }

    mutating func closed(_ id: UInt32, at now: Instant) -> [Action] {
        guard let device = device(showing: id) else { return [] }
        devices[device]?.turn = nil
        switch devices[device]?.face {
        case .shown?: devices[device]?.face = .none
        // Many servers close a pressed notification.
        case .goingOn(_, let activity)?: devices[device]?.face = .goingOn(nil, activity)
        case .asking(let ticket, let notice, _)?: devices[device]?.face = .asking(ticket, notice, before: nil)
        case .some(.none), nil: break
        }
        return reconcile(at: now)
    }

    mutating func pressed(_ id: UInt32, at now: Instant) -> [Action] {
        guard let device = device(showing: id) else { return [] }
        switch devices[device]?.face {
        case .shown(_, let notice)? where notice.canBeContinued:
            devices[device]?.face = .goingOn(id, notice.activity)
            return [.goOn(notice.activity)] + reconcile(at: now)
        // Its replacement is closed once it is there.
        case .asking(_, _, let before?)? where before.notice.canBeContinued:
            devices[device]?.face = .goingOn(nil, before.notice.activity)
            return [.goOn(before.notice.activity)] + reconcile(at: now)
        case .asking?, .goingOn?, .shown?, .some(.none), nil: return []
        }
    }

    mutating func fewerPressed(_ id: UInt32) -> [Action] {
        guard let device = device(showing: id), let notice = devices[device]?.face.notice, notice.isFirst else {
            return []
        }
        return [.silence(notice.activity)]
    }

    // MARK: Results

    mutating func continued(_ key: OfferKey, at now: Instant) -> [Action] {
        guard case .goingOn(let id, let activity)? = devices[key.device]?.face, OfferKey(activity) == key else {
            return continued(from: key.device, at: now)
        }
        devices[key.device]?.face = .none
        return (id.map { [.close($0)] } ?? []) + continued(from: key.device, at: now)
    }

    private mutating func continued(from device: DeviceID, at now: Instant) -> [Action] {
        devices[device]?.continued()
        return reconcile(at: now)
    }

    mutating func notContinued(_ key: OfferKey, _ failure: Failure, at now: Instant) -> [Action] {
        guard case .goingOn(let id, let activity)? = devices[key.device]?.face, OfferKey(activity) == key else {
            return []
        }
        devices[key.device]?.face = .none
        // A cancellation means that the user continued another activity. While the user is away, others could read a
        // message.
        guard failure.code != .cancelled, !isAway else {
            return (id.map { [.close($0)] } ?? []) + reconcile(at: now)
        }
        return say(failure, of: activity, before: id.map { ($0, Notice(activity)) }) + reconcile(at: now)
    }

    /// Started elsewhere on the desktop. Shown even if offers are quiet or off: it answers the user.
    mutating func failed(_ activity: ListedActivity, _ failure: Failure, at now: Instant) -> [Action] {
        guard failure.code != .cancelled, !isAway else { return [] }
        return say(failure, of: activity, before: present(of: activity)) + reconcile(at: now)
    }

    mutating func notSilenced(_ activity: ListedActivity, reason: String, at now: Instant) -> [Action] {
        guard !isAway else { return [] }
        return [show(Notice(activity, .notSaved(reason)), before: present(of: activity))] + reconcile(at: now)
    }

    private func present(of activity: ListedActivity) -> (id: UInt32, notice: Notice)? {
        let face = devices[activity.device]?.face
        return face?.id.map { ($0, face?.notice ?? Notice(activity)) }
    }

    private mutating func say(
        _ failure: Failure, of activity: ListedActivity, before: (id: UInt32, notice: Notice)?
    ) -> [Action] {
        let key = OfferKey(activity)
        let isOffered = devices[key.device]?.offers.contains { OfferKey($0) == key } ?? false
        return [show(Notice(activity, .failure(failure, mayBeRetried: isOffered)), before: before)]
    }

    private mutating func show(_ notice: Notice, before: (id: UInt32, notice: Notice)?) -> Action {
        var device = devices[notice.key.device] ?? NotifyingDevice()
        let action = show(notice, before: before, in: &device)
        devices[notice.key.device] = device
        return action
    }

    // MARK: Deciding

    private mutating func reconcile(at now: Instant) -> [Action] {
        var actions: [Action] = []
        for device in devices.keys.sorted() { actions += reconcile(device, at: now) }
        devices = devices.filter { !$0.value.isIdle(at: now, limits) }
        if hasSeenMore { actions.append(.keepSeen) }
        hasSeenMore = false
        return actions
    }

    private mutating func reconcile(_ id: DeviceID, at now: Instant) -> [Action] {
        guard var device = devices[id] else { return [] }
        let wanted = wanted(of: device, at: now)
        device.due = nil
        var actions: [Action] = []
        switch device.face {
        case .asking, .goingOn: break
        case .shown(let shown, let notice):
            if let wanted {
                if !wanted.says(theSameAs: notice) { actions = next(wanted, in: &device, at: now) }
                if case .shown = device.face, !isStill(notice, offeredBy: device) {
                    device.face = .none
                    actions.append(.close(shown))
                }
            } else if isAway || !isStill(notice, offeredBy: device) {
                device.face = .none
                actions = [.close(shown)]
            }
        case .none:
            if let wanted { actions = next(wanted, in: &device, at: now) }
        }
        devices[id] = device
        return actions
    }

    private mutating func next(_ notice: Notice, in device: inout NotifyingDevice, at now: Instant) -> [Action] {
        guard pause == nil else { return [] }
        let due = device.lastShown.map { $0.advanced(by: limits.dwell) } ?? now
        guard due <= now else {
            device.due = due
            return []
        }
        if case .shown(let id, let before) = device.face {
            return [show(notice, before: (id, before), in: &device)]
        }
        guard devices.values.count(where: \.isShowing) < limits.shownAtOnce else { return [] }
        return [show(notice, before: nil, in: &device)]
    }

    private mutating func show(
        _ notice: Notice, before: (id: UInt32, notice: Notice)?, in device: inout NotifyingDevice
    ) -> Action {
        lastTicket += 1
        let ticket = NoticeTicket(device: notice.key.device, number: lastTicket)
        device.face = .asking(ticket, notice, before: before)
        return .show(notice, ticket, replacing: before?.id)
    }

    /// The newest unseen offer, or the present one.
    private mutating func wanted(of device: NotifyingDevice, at now: Instant) -> Notice? {
        guard !isAway else { return nil }
        for offer in device.offers {
            let key = OfferKey(offer)
            let isThere = device.face.notice?.key == key
            guard isThere || !seen.contains(key) else { continue }
            guard isThere || !isInhibited else { return nil }
            let level = settings.level(for: offer)
            guard level != .off, front?.isSame(as: offer) != true else {
                // The user knows or does not want it; later it would be outdated.
                see(key)
                continue
            }
            let mayBegin = offer.isSent || device.due != nil || device.mayBegin(at: now, limits)
            guard mayBegin || device.face.notice != nil else {
                see(key)
                continue
            }
            if isThere, let notice = device.face.notice, notice.subject != .offer { return notice }
            var notice = Notice(offer, isQuiet: level == .quiet)
            notice.isUpdate =
                isThere || !offer.isSent && (device.face.notice != nil || device.isInTurn(at: now, limits))
            notice.isFirst = device.face.notice?.isFirst ?? !introduced.contains(offer.device)
            return notice
        }
        return nil
    }

    /// Older offers are seen too: the newer one took precedence.
    private mutating func see(_ notice: Notice, andOlderOf offers: [ListedActivity]) {
        see(notice.key)
        for offer in offers where offer.offer.since <= notice.activity.offer.since { see(OfferKey(offer)) }
    }

    private mutating func see(_ key: OfferKey) {
        if seen.insert(key) { hasSeenMore = true }
    }

    private func isStill(_ notice: Notice, offeredBy device: NotifyingDevice) -> Bool {
        guard notice.subject == .offer else { return true }
        guard let offer = device.offers.first(where: { OfferKey($0) == notice.key }) else { return false }
        return settings.level(for: offer) != .off && front?.isSame(as: offer) != true
    }

    private func device(showing id: UInt32) -> DeviceID? { devices.first { $0.value.face.id == id }?.key }
}

/// Recognizes late answers.
struct NoticeTicket: Hashable, Sendable {
    let device: DeviceID
    let number: UInt64
}

struct NotifyingLimits: Hashable, Sendable {
    /// Between changes, so that short-lived offers are never shown. The first after a quiet time is immediate.
    var dwell = Duration.seconds(1)
    /// Between a device's notifications that do not replace a visible notification, except for sent activities. Ends
    /// when the user continues an activity of that device.
    var interval = Duration.seconds(3600)
    /// If the first notification's activity ends, another may still follow.
    var settling = Duration.seconds(5)
    var shownAtOnce = 8
    var retry = Duration.seconds(30)
}
