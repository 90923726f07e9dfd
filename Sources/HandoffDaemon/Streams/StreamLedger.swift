// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Entitlements to streams, by continuation: at the origin, of devices that received the state; at the receiver, of the
/// client that got it.
struct StreamLedger: ~Copyable {
    private struct Grant {
        let pass: StreamPass
        var client: ClientID?
    }

    private struct Delivery {
        let pass: StreamPass
        let client: ClientID
    }

    private let limits: StreamLimits
    /// Both oldest first.
    private var grants: [Grant] = []
    private var deliveries: [Delivery] = []

    init(limits: StreamLimits = StreamLimits()) { self.limits = limits }

    var count: Int { grants.count + deliveries.count }

    // MARK: At the origin

    mutating func stateGiven(for pass: StreamPass, by client: ClientID) {
        if grants.count(where: { $0.pass.device == pass.device }) >= limits.grantsPerDevice,
            let oldest = grants.firstIndex(where: { $0.pass.device == pass.device })
        {
            grants.remove(at: oldest)
        }
        grants.append(Grant(pass: pass, client: client))
    }

    func origin(
        of activity: ActivityID, by continuation: ContinuationID, of device: DeviceID,
        offered: (offer: Offer, source: OfferSource<ClientID>)?
    ) -> Result<(client: ClientID, pass: StreamPass), Failure> {
        guard let grant = grants.last(where: { $0.pass.isFor(activity, continuation, of: device) }) else {
            return .failure(Failure(.notAllowed, "that device did not receive this activity in this continuation"))
        }
        guard let client = grant.client else { return .failure(.originGone) }
        guard let (offer, source) = offered else {
            return .failure(Failure(.activityGone, "the activity is no longer offered"))
        }
        guard offer.team == grant.pass.team else {
            return .failure(Failure(.notAllowed, "the activity now belongs to another developer team"))
        }
        guard case .app(client) = source else { return .failure(.originGone) }
        guard offer.supportsStreams else { return .failure(.streamsNotSupported) }
        return .success((client, grant.pass))
    }

    // MARK: At the receiver

    mutating func stateDelivered(for pass: StreamPass, to client: ClientID) {
        if deliveries.count(where: { $0.client == client }) >= limits.deliveriesPerClient,
            let oldest = deliveries.firstIndex(where: { $0.client == client })
        {
            deliveries.remove(at: oldest)
        }
        deliveries.append(Delivery(pass: pass, client: client))
    }

    /// `team`: the client may act for it now.
    func receiver(
        of continuation: ContinuationID, for client: ClientID, team: Team?
    ) -> Result<StreamPass, Failure> {
        let own = deliveries.last { $0.pass.continuation == continuation && $0.client == client }
        guard let own else {
            return .failure(Failure(.notAllowed, "this program received no activity in that continuation"))
        }
        guard own.pass.team == team else {
            return .failure(Failure(.notAllowed, "the program may no longer continue activities of that team"))
        }
        return .success(own.pass)
    }

    // MARK: Clients that leave

    mutating func clientClosed(_ client: ClientID) {
        deliveries.removeAll { $0.client == client }
        for index in grants.indices where grants[index].client == client { grants[index].client = nil }
    }

    mutating func membersChanged(_ isMember: (DeviceID) -> Bool) {
        grants.removeAll { !isMember($0.pass.device) }
        deliveries.removeAll { !isMember($0.pass.device) }
    }
}

extension Failure {
    fileprivate static var originGone: Failure { Failure(.appGone, "the app on the other device has quit") }
}

struct StreamLimits: Hashable, Sendable {
    var token: Duration = .seconds(10)
    /// For the origin's app to answer a request.
    var agree: Duration = .seconds(5)
    /// At the receiver: longer than `agree`, so that the origin's answer arrives first.
    var ask: Duration = .seconds(8)
    /// Until the other device is asked.
    var turn: Duration = .seconds(10)
    /// For an app to confirm the number of bytes after they ended, on a busy machine; the client's connection reveals a
    /// crash immediately.
    var word: Duration = .seconds(10)
    /// Per device at a time; further requests wait. Half of a session's limit.
    var asksPerDevice = 32
    var setUpsPerClient = 128
    var setUpsPerDevice = 160
    var streamsPerClient = 192
    /// For all clients. Each uses two descriptors.
    var streams = 384
    /// Continuations that may still request streams; the oldest are dropped.
    var grantsPerDevice = 64
    var deliveriesPerClient = 64
}

/// Returns the memory of streams and documents to the system. The process would keep it: small allocations with a
/// longer life are above it.
struct MemoryReturn {
    /// After the end of a stream or document, unless another ends first.
    static let rest: Duration = .seconds(2)
    /// Even if more streams keep ending.
    static let longestWait: Duration = .seconds(10)

    private enum State {
        /// Can transition to: due.
        case resting
        /// Can transition to: resting.
        case due(Instant, atLatest: Instant)
    }

    private var state = State.resting

    init() {}

    var nextDeadline: Instant? {
        switch state {
        case .resting: nil
        case .due(let instant, _): instant
        }
    }

    mutating func loadEnded(at now: Instant) {
        let soon = now.advanced(by: Self.rest)
        switch state {
        case .resting: state = .due(soon, atLatest: now.advanced(by: Self.longestWait))
        case .due(_, let latest): state = .due(min(soon, latest), atLatest: latest)
        }
    }

    mutating func deadlineReached(at now: Instant) -> Bool {
        guard let nextDeadline, nextDeadline <= now else { return false }
        state = .resting
        return true
    }
}
