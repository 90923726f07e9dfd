// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

enum OfferSource<App> {
    case app(App)
    case saved(SavedState)
}

enum OriginFetchAction<App> {
    case ask(App, deadline: Duration)
    case answer(ActivityState, saved: WallTime)
    case refuse(Failure)
}

extension OriginFetchAction: Equatable where App: Equatable {}

enum OriginSaveAction: Hashable, Sendable {
    /// `saved`: by an app that has quit.
    case answer(ActivityState, saved: WallTime? = nil)
    case refuse(Failure)
    case nothing
}

/// A running app is always asked. If it has quit, or quits while it is asked, its last saved state is sent. The `App`
/// that provided the state is notified once that its activity was continued, even if its current activity has changed
/// since.
struct OriginStateMachine<App>: ~Copyable {
    private struct Key: Hashable {
        let device: DeviceID
        let continuation: ContinuationID
    }

    private struct Answered {
        let key: Key
        let activity: ActivityID
        /// Nil: quit, so it is not notified.
        let app: App?
        let expires: Instant
    }

    private struct Saving {
        let request: FetchRequest
        let offer: Offer
        let app: App
        /// False: the receiver cancelled or is gone. The entry uses up the limit until the app has answered.
        var isWanted = true
    }

    private let limits: ContinuationLimits
    private var saving: [Key: Saving] = [:]
    private var answered: [Answered] = []

    init(limits: ContinuationLimits = ContinuationLimits()) { self.limits = limits }

    mutating func fetchRequested(
        _ request: FetchRequest, by device: DeviceID, offered: (offer: Offer, source: OfferSource<App>)?,
        at now: Instant
    ) -> OriginFetchAction<App> {
        forget(before: now)
        let key = Key(device: device, continuation: request.continuation)
        guard saving[key] == nil, !answered.contains(where: { $0.key == key }) else {
            return .refuse(Failure(.notAllowed, "a continuation id can be used only once"))
        }
        guard saving.keys.count(where: { $0.device == device }) < limits.fetchesPerDevice else {
            return .refuse(
                Failure(.limitReached, "more than \(limits.fetchesPerDevice) fetches by one device at the same time"))
        }
        guard let (offer, source) = offered else {
            return .refuse(Failure(.activityGone, "the activity is no longer offered"))
        }
        if request.onlyWebPage {
            guard offer.hasWebPage else { return .refuse(Failure(.notAllowed, "the activity has no web page")) }
        } else if offer.team != request.team {
            return .refuse(Failure(.notAllowed, "the activity belongs to another developer team, with a different key"))
        }
        switch source {
        case .app(let app):
            saving[key] = Saving(request: request, offer: offer, app: app)
            return .ask(app, deadline: limits.save)
        case .saved(let kept):
            answering(request, key, app: nil, at: now)
            return .answer(request.part(of: kept.state, offer), saved: kept.saved)
        }
    }

    mutating func saved(
        _ result: Result<ActivityState, Failure>, kept: SavedState? = nil, for continuation: ContinuationID,
        of device: DeviceID, at now: Instant
    ) -> OriginSaveAction {
        let key = Key(device: device, continuation: continuation)
        guard let saving = saving.removeValue(forKey: key), saving.isWanted else { return .nothing }
        switch (result, kept) {
        case (.success(let state), _):
            answering(saving.request, key, app: saving.app, at: now)
            return .answer(saving.request.part(of: state, saving.offer))
        case (.failure(let failure), let kept?) where failure.code == .appGone:
            answering(saving.request, key, app: nil, at: now)
            return .answer(saving.request.part(of: kept.state, saving.offer), saved: kept.saved)
        case (.failure(let failure), _): return .refuse(failure)
        }
    }

    private mutating func answering(_ request: FetchRequest, _ key: Key, app: App?, at now: Instant) {
        if answered.count >= limits.answeredFetches { answered.removeFirst() }
        answered.append(
            Answered(
                key: key, activity: request.activity, app: app, expires: now.advanced(by: limits.continuedWithin)))
    }

    /// Nil if this device did not fetch it, or the app was already notified.
    mutating func continued(
        _ activity: ActivityID, by continuation: ContinuationID, of device: DeviceID, at now: Instant
    ) -> App? {
        forget(before: now)
        let key = Key(device: device, continuation: continuation)
        guard let index = answered.firstIndex(where: { $0.key == key && $0.activity == activity }) else { return nil }
        return answered.remove(at: index).app
    }

    @discardableResult
    mutating func cancelled(_ continuation: ContinuationID, of device: DeviceID) -> Bool {
        let key = Key(device: device, continuation: continuation)
        guard saving[key]?.isWanted == true else { return false }
        saving[key]?.isWanted = false
        return true
    }

    mutating func sessionClosed(_ device: DeviceID) {
        for key in saving.keys where key.device == device { saving[key]?.isWanted = false }
        // Answered fetches stay: `continued` may arrive on the next session.
    }

    /// Includes cancelled fetches.
    var fetchesUnderWay: Int { saving.count }

    private mutating func forget(before now: Instant) {
        answered.removeAll { $0.expires <= now }
    }
}

extension FetchRequest {
    fileprivate func part(of state: ActivityState, _ offer: Offer) -> ActivityState {
        onlyWebPage ? state.pageAlone(of: offer) : state
    }
}

extension OfferSource: Equatable where App: Equatable {}

struct ContinuationLimits: Hashable, Sendable {
    /// From the app's start to its hello.
    var launch: Duration = .seconds(20)
    /// The receiving app's will-continue hook.
    var announce: Duration = .seconds(5)
    /// From the request to the origin's app to its state.
    var save: Duration = .seconds(8)
    /// At the receiver: longer than `save` and `DocumentLimits.prepare` together, so that the origin's answer arrives
    /// first.
    var fetch: Duration = .seconds(16)
    /// The receiving app's continue hook.
    var deliver: Duration = .seconds(10)
    /// Per device, while they wait for an app.
    var fetchesPerDevice = 8
    var answeredFetches = 64
    var continuedWithin: Duration = .seconds(120)
}
