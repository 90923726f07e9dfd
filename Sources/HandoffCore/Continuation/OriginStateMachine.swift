// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Who has the state of an activity that is offered.
package enum OfferSource<App> {
    case app(App)
    /// The app quit; this it had saved.
    case saved(SavedState)
}

package enum OriginFetchAction<App> {
    case ask(App, deadline: Duration)
    /// `saved`: when the app that quit had saved it.
    case answer(ActivityState, saved: WallTime)
    case refuse(Failure)
}

extension OriginFetchAction: Equatable where App: Equatable {}

package enum OriginSaveAction: Hashable, Sendable {
    /// `saved`: the app quit meanwhile, and had saved it then.
    case answer(ActivityState, saved: WallTime? = nil)
    case refuse(Failure)
    /// The receiver took its wish back, or its session ended.
    case nothing
}

/// The fetches that other devices ask of this one. Says which to refuse, which to take to the app, and when an app may
/// be told that its activity was continued: once, by the device that got the state.
///
/// A live app is always asked. Where it has quit, or quits while it is asked, what it had saved last is given.
///
/// `App` is the handle of the app that gave the state; it is told even if it has turned to something else since.
package struct OriginStateMachine<App>: ~Copyable {
    private struct Key: Hashable {
        let device: DeviceID
        let continuation: ContinuationID
    }

    private struct Answered {
        let key: Key
        let activity: ActivityID
        /// Nil: it has quit, so there is nobody to tell.
        let app: App?
        let expires: Instant
    }

    private struct Saving {
        let request: FetchRequest
        let offer: Offer
        let app: App
        /// False: whoever asked took that back or is gone. It counts until the app has answered.
        var isWanted = true
    }

    private let limits: ContinuationLimits
    /// Waiting for the app: whatever it was asked and has not answered.
    private var saving: [Key: Saving] = [:]
    /// Oldest first.
    private var answered: [Answered] = []

    package init(limits: ContinuationLimits = ContinuationLimits()) { self.limits = limits }

    /// `offered`: what this device's board has for the activity and who offers it, nil for nothing.
    package mutating func fetchRequested(
        _ request: FetchRequest, by device: DeviceID, offered: (offer: Offer, source: OfferSource<App>)?,
        at now: Instant
    ) -> OriginFetchAction<App> {
        forget(before: now)
        let key = Key(device: device, continuation: request.continuation)
        guard saving[key] == nil, !answered.contains(where: { $0.key == key }) else {
            return .refuse(Failure(.notAllowed, "a continuation id counts once"))
        }
        guard saving.keys.count(where: { $0.device == device }) < limits.fetchesPerDevice else {
            return .refuse(Failure(.limitReached, "more than \(limits.fetchesPerDevice) fetches of one device at once"))
        }
        guard let (offer, source) = offered else {
            return .refuse(Failure(.activityGone, "the activity is no longer offered"))
        }
        if request.onlyWebPage {
            guard offer.hasWebPage else { return .refuse(Failure(.notAllowed, "the activity has no web page")) }
        } else if offer.team != request.team {
            return .refuse(Failure(.notAllowed, "the activity belongs to another developer team, by its key"))
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

    /// `kept`: what the app had saved before, if it is at hand.
    package mutating func saved(
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

    /// The app that is to be told. Nil for an activity that was not fetched by this device, or was told of before.
    package mutating func continued(
        _ activity: ActivityID, by continuation: ContinuationID, of device: DeviceID, at now: Instant
    ) -> App? {
        forget(before: now)
        let key = Key(device: device, continuation: continuation)
        guard let index = answered.firstIndex(where: { $0.key == key && $0.activity == activity }) else { return nil }
        return answered.remove(at: index).app
    }

    /// The receiver took its wish back: the app's answer, if it still comes, goes nowhere. True if one was under way.
    @discardableResult
    package mutating func cancelled(_ continuation: ContinuationID, of device: DeviceID) -> Bool {
        let key = Key(device: device, continuation: continuation)
        guard saving[key]?.isWanted == true else { return false }
        saving[key]?.isWanted = false
        return true
    }

    package mutating func sessionClosed(_ device: DeviceID) {
        for key in saving.keys where key.device == device { saving[key]?.isWanted = false }
        // What was answered stays: `continued` may come on the next session.
    }

    /// Those that nobody wants any more among them.
    package var fetchesUnderWay: Int { saving.count }

    private mutating func forget(before now: Instant) {
        answered.removeAll { $0.expires <= now }
    }
}

extension FetchRequest {
    /// Without an app to continue it, its web page alone.
    fileprivate func part(of state: ActivityState, _ offer: Offer) -> ActivityState {
        onlyWebPage ? state.pageAlone(of: offer) : state
    }
}

extension OfferSource: Equatable where App: Equatable {}
