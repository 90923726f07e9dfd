// SPDX-License-Identifier: Apache-2.0

import HandoffCore
internal import HandoffWire

struct NotifyingDevice {
    enum Face {
        /// Can become `asking`.
        case none
        /// Replaces the previous one. Can become `shown`, `goingOn` and `none`.
        case asking(NoticeTicket, Notice, before: (id: UInt32, notice: Notice)?)
        /// By the server's ID. Can become `asking`, `goingOn` and `none`.
        case shown(UInt32, Notice)
        /// The user pressed Continue. Nil: the server has closed it. Can become `asking` and `none`.
        case goingOn(UInt32?, ListedActivity)

        var notice: Notice? {
            switch self {
            case .none: nil
            case .asking(_, let notice, _), .shown(_, let notice): notice
            case .goingOn(_, let activity): Notice(activity)
            }
        }

        var id: UInt32? {
            switch self {
            case .none: nil
            case .asking(_, _, let before): before?.id
            case .shown(let id, _): id
            case .goingOn(let id, _): id
            }
        }
    }

    /// Can be continued here, newest first.
    var offers: [ListedActivity] = []
    var face = Face.none
    var lastShown: Instant?
    /// The last offer, also if it replaced another.
    var lastOffered: Instant?
    /// The first of consecutive offers. Nil if the user or the server closed the last one.
    var turn: Instant?
    /// A replacement waits for `dwell`.
    var due: Instant?

    var isShowing: Bool { if case .none = face { false } else { true } }

    func isIdle(at now: Instant, _ limits: NotifyingLimits) -> Bool {
        offers.isEmpty && !isShowing && hasPassed(limits.dwell, since: lastShown, at: now)
            && hasPassed(limits.interval, since: lastOffered, at: now)
    }

    /// Without a notification that the offer replaces.
    func mayBegin(at now: Instant, _ limits: NotifyingLimits) -> Bool {
        hasPassed(limits.interval, since: lastOffered, at: now) || isInTurn(at: now, limits)
    }

    func isInTurn(at now: Instant, _ limits: NotifyingLimits) -> Bool {
        turn.map { now < $0.advanced(by: limits.settling) } ?? false
    }

    private func hasPassed(_ time: Duration, since before: Instant?, at now: Instant) -> Bool {
        before.map { $0.advanced(by: time) <= now } ?? true
    }

    mutating func offered(at now: Instant, isUpdate: Bool) {
        if !isUpdate { turn = now }
        lastOffered = now
    }

    /// The user is interested, so the next offer may be shown at once.
    mutating func continued() { (lastOffered, turn) = (nil, nil) }

    mutating func serverEnded() {
        switch face {
        case .asking, .shown, .none: face = .none
        case .goingOn(_, let activity): face = .goingOn(nil, activity)
        }
    }
}

struct FrontApp {
    private let bundle: BundleID?
    private let host: WebHost?

    init(_ activity: ListedActivity) {
        bundle = activity.offer.bundle
        host = activity.offer.webHost
    }

    /// The same app, or another page of the same site.
    func isSame(as activity: ListedActivity) -> Bool {
        if let host, host == activity.offer.webHost { return true }
        guard let bundle else { return false }
        if case .app(bundle) = activity.target { return true }
        return bundle == activity.offer.bundle
    }
}

extension ListedActivity {
    /// A script's activity does not interest a person.
    var isWorthNotifying: Bool {
        guard !isFromThisDevice else { return false }
        return switch target {
        case .app, .webPage: true
        case .script, .nothing: false
        }
    }
}
