// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The fetches that other devices ask of this one. Says which to refuse, which to take to the app, and when an app may
/// be told that its activity was continued: once, by the device that got the state.
package struct OriginStateMachine: ~Copyable {
    private struct Key: Hashable {
        let device: DeviceID
        let continuation: ContinuationID
    }

    private struct Answered {
        let key: Key
        let activity: ActivityID
        let expires: Instant
    }

    private let limits: ContinuationLimits
    /// Waiting for the app.
    private var saving: [Key: FetchRequest] = [:]
    /// Oldest first.
    private var answered: [Answered] = []

    package init(limits: ContinuationLimits = ContinuationLimits()) { self.limits = limits }

    package enum FetchAction: Hashable, Sendable {
        case askApp(deadline: Duration)
        case refuse(Failure)
    }

    /// `offer`: what this device's board has for the activity, nil for nothing.
    package mutating func fetchRequested(
        _ request: FetchRequest, by device: DeviceID, offer: Offer?, at now: Instant
    ) -> FetchAction {
        forget(before: now)
        let key = Key(device: device, continuation: request.continuation)
        guard saving[key] == nil, !answered.contains(where: { $0.key == key }) else {
            return .refuse(Failure(.notAllowed, "a continuation id counts once"))
        }
        guard saving.keys.count(where: { $0.device == device }) < limits.fetchesPerDevice else {
            return .refuse(Failure(.limitReached, "more than \(limits.fetchesPerDevice) fetches of one device at once"))
        }
        guard let offer else {
            return .refuse(Failure(.activityGone, "the activity is no longer offered"))
        }
        if request.onlyWebPage {
            guard offer.hasWebPage else { return .refuse(Failure(.notAllowed, "the activity has no web page")) }
        } else if offer.team != request.team {
            return .refuse(Failure(.notAllowed, "the activity belongs to another developer team"))
        }
        saving[key] = request
        return .askApp(deadline: limits.save)
    }

    package enum SaveAction: Hashable, Sendable {
        case answer(ActivityState)
        case refuse(Failure)
        /// The receiver took its wish back, or its session ended.
        case nothing
    }

    package mutating func saved(
        _ result: Result<ActivityState, Failure>, for continuation: ContinuationID, of device: DeviceID, at now: Instant
    ) -> SaveAction {
        let key = Key(device: device, continuation: continuation)
        guard let request = saving.removeValue(forKey: key) else { return .nothing }
        switch result {
        case .failure(let failure): return .refuse(failure)
        case .success(var state):
            if request.onlyWebPage {
                state = ActivityState(
                    type: state.type, title: state.title, webpageURL: state.webpageURL, referrerURL: state.referrerURL)
            }
            if answered.count >= limits.answeredFetches { answered.removeFirst() }
            answered.append(
                Answered(key: key, activity: request.activity, expires: now.advanced(by: limits.continuedWithin)))
            return .answer(state)
        }
    }

    /// True: the app is to be told. False for one that was not fetched by this device, or was told of before.
    package mutating func continued(
        _ activity: ActivityID, by continuation: ContinuationID, of device: DeviceID, at now: Instant
    ) -> Bool {
        forget(before: now)
        let key = Key(device: device, continuation: continuation)
        guard let index = answered.firstIndex(where: { $0.key == key && $0.activity == activity }) else { return false }
        answered.remove(at: index)
        return true
    }

    /// The receiver took its wish back: the app's answer, if it still comes, goes nowhere. True if one was under way.
    @discardableResult
    package mutating func cancelled(_ continuation: ContinuationID, of device: DeviceID) -> Bool {
        saving.removeValue(forKey: Key(device: device, continuation: continuation)) != nil
    }

    package mutating func sessionClosed(_ device: DeviceID) {
        saving = saving.filter { $0.key.device != device }
        // What was answered stays: `continued` may come on the next session.
    }

    package var fetchesUnderWay: Int { saving.count }

    private mutating func forget(before now: Instant) {
        answered.removeAll { $0.expires <= now }
    }
}
