// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Which continuations entitle a device or a client to streams. At the origin, the devices that received the state; at
/// the receiver, the client that it was delivered to. The oldest entries of a device or a client are dropped.
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
    /// Both are sorted, oldest first.
    private var grants: [Grant] = []
    private var deliveries: [Delivery] = []

    init(limits: StreamLimits = StreamLimits()) { self.limits = limits }

    var count: Int { grants.count + deliveries.count }

    // MARK: At the origin

    /// The device received the state that this app has just saved.
    mutating func stateGiven(for pass: StreamPass, by client: ClientID) {
        if grants.count(where: { $0.pass.device == pass.device }) >= limits.grantsPerDevice,
            let oldest = grants.firstIndex(where: { $0.pass.device == pass.device })
        {
            grants.remove(at: oldest)
        }
        grants.append(Grant(pass: pass, client: client))
    }

    /// The app to ask. `offered`: the board's present offer for the activity, and its source.
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

    /// The stream that the client may open. `team`: the team that the client may act for now.
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
