// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

@testable import HandoffDesktop

/// Offers as the desktop receives them.
enum Offers {
    static let laptop = DeviceID(uncheckedBytes: Array(repeating: 1, count: 32))
    static let phone = DeviceID(uncheckedBytes: Array(repeating: 2, count: 32))
    static let desktop = DeviceID(uncheckedBytes: Array(repeating: 9, count: 32))
    static let reader = bundle("com.example.reader")
    static let notes = bundle("com.example.notes")

    static func bundle(_ name: String) -> BundleID {
        guard let bundle = try? BundleID(name) else { preconditionFailure("\(name) is no bundle identifier") }
        return bundle
    }

    /// `number`: the activity; higher numbers became current later.
    static func article(
        _ number: UInt8, title: String? = nil, from device: DeviceID = laptop, app: BundleID? = reader,
        host: WebHost? = nil, target: ListedActivity.Target? = nil, since: Int64? = nil
    ) -> ListedActivity {
        let isOwn = device == desktop
        let offer = Offer(
            activity: ActivityID(uncheckedBytes: Array(repeating: number, count: ActivityID.byteCount)),
            type: .browsingWeb, title: DisplayText(cleaning: title ?? "Article \(number)"), bundle: app,
            appName: DisplayText(cleaning: "Reader"),
            team: .personal(AccountID(uncheckedBytes: Array(repeating: 0, count: AccountID.byteCount))),
            since: WallTime(milliseconds: since ?? Int64(number)), webHost: host)
        return ListedActivity(
            offer: offer, device: device, deviceName: DisplayText(cleaning: device == phone ? "phone" : "laptop"),
            deviceKind: .laptop, isFromThisDevice: isOwn,
            target: isOwn ? .nothing("it is on this device already") : target ?? app.map { .app($0) } ?? .webPage,
            targetName: DisplayText(cleaning: "Reader"))
    }
}

extension NotifyingStateMachine.Action {
    var notice: Notice? { if case .show(let notice, _, _) = self { notice } else { nil } }
    var ticket: NoticeTicket? { if case .show(_, let ticket, _) = self { ticket } else { nil } }
    var replaces: UInt32? { if case .show(_, _, let id) = self { id } else { nil } }
}

extension [NotifyingStateMachine.Action] {
    var tickets: [NoticeTicket] { compactMap(\.ticket) }
    var titles: [String] { compactMap { $0.notice?.activity.offer.title?.text } }
    var closed: [UInt32] { compactMap { if case .close(let id) = $0 { id } else { nil } } }
    var goingOn: [String] {
        compactMap { if case .goOn(let activity) = $0 { activity.offer.title?.text } else { nil } }
    }
}

/// Wraps the noncopyable machine, because expectations cannot hold it.
final class Notifier {
    private var machine: NotifyingStateMachine

    init(settings: NotificationSettings = NotificationSettings(), seen: SeenOffers = SeenOffers()) {
        machine = NotifyingStateMachine(settings: settings, seen: seen)
    }

    typealias Actions = [NotifyingStateMachine.Action]

    var nextDeadline: Instant? { machine.nextDeadline }
    var seen: SeenOffers { machine.seen }

    func offersChanged(_ offers: [ListedActivity], at now: Instant) -> Actions {
        machine.offersChanged(offers, at: now)
    }
    func settingsChanged(_ settings: NotificationSettings, at now: Instant) -> Actions {
        machine.settingsChanged(settings, at: now)
    }
    func presenceChanged(isAway: Bool, at now: Instant) -> Actions { machine.presenceChanged(isAway: isAway, at: now) }
    func inhibitionChanged(_ isSo: Bool, at now: Instant) -> Actions { machine.inhibitionChanged(isSo, at: now) }
    func deadlineReached(at now: Instant) -> Actions { machine.deadlineReached(at: now) }
    func serverChanged(at now: Instant) -> Actions { machine.serverChanged(at: now) }
    func shown(_ ticket: NoticeTicket, as id: UInt32, at now: Instant) -> Actions {
        machine.shown(ticket, as: id, at: now)
    }
    func notShown(_ ticket: NoticeTicket, at now: Instant) -> Actions { machine.notShown(ticket, at: now) }
    func fewerPressed(_ id: UInt32) -> Actions { machine.fewerPressed(id) }
    func notSilenced(_ activity: ListedActivity, reason: String, at now: Instant) -> Actions {
        machine.notSilenced(activity, reason: reason, at: now)
    }
    func closed(_ id: UInt32, at now: Instant) -> Actions { machine.closed(id, at: now) }
    func pressed(_ id: UInt32, at now: Instant) -> Actions { machine.pressed(id, at: now) }
    func continued(_ key: OfferKey, at now: Instant) -> Actions { machine.continued(key, at: now) }
    func notContinued(_ key: OfferKey, _ failure: Failure, at now: Instant) -> Actions {
        machine.notContinued(key, failure, at: now)
    }
    func failed(_ activity: ListedActivity, _ failure: Failure, at now: Instant) -> Actions {
        machine.failed(activity, failure, at: now)
    }
}
