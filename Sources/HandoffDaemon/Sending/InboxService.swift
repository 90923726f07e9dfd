// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

/// Stores activities on disk before it confirms them to the sender.
final class InboxService: Feature {
    /// Refuses further repetitions of a request.
    static let answersPerFile = 4

    private let sessions: any PeerMessaging
    private let membership: any Membership
    private let policy: PolicyService
    private let time: any TimeSource
    private let log: Logger
    private let shelf: SendStore

    private var machine = InboxStateMachine()
    private var waiting: [InboxStateMachine.Key: [(PeerMessage) -> Void]] = [:]
    private var observers: [() -> Void] = []
    private var alarm: (any Alarm)?

    init(
        sessions: any PeerMessaging, membership: any Membership, policy: PolicyService, store: any StateStore,
        time: any TimeSource, log: Logger
    ) {
        self.sessions = sessions
        self.membership = membership
        self.policy = policy
        self.time = time
        self.log = log
        shelf = SendStore(store: store, log: log)
    }

    func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.deadlineReached() }
        for stored in try shelf.loadTaken() { machine.restored(stored) }
        membersChanged(isOtherAccount: false)
        deadlineReached()
        sessions.handlers.inbox = self
        membership.onChange { [weak self] change in
            if change.isOfMembers { self?.membersChanged(isOtherAccount: change.isOtherAccount) }
        }
    }

    func stop() { alarm?.set(nil) }

    private func membersChanged(isOtherAccount: Bool) {
        let admitters = membership.members.compactMap { member in member.admittedBy.map { (member.device, $0) } }
        machine.admissionsChanged(Dictionary(admitters) { first, _ in first })
        carryOut(machine.membersChanged(isOtherAccount ? [] : Set(membership.members.map(\.device))))
    }

    private func deadlineReached() { carryOut(machine.deadlineReached(wall: time.wallTime)) }

    private func carryOut(_ actions: [InboxStateMachine.Action], noted: @escaping () -> Void = {}) {
        for action in actions {
            switch action {
            case .noteEnd(let key, let arrived):
                let stored = StoredSend(device: key.device, time: arrived, content: .ended(key.activity))
                shelf.put(stored, inPlaceOf: .taken(key.activity, from: key.device), then: noted)
            case .remove(let key): shelf.remove(.taken(key.activity, from: key.device))
            }
        }
        arm()
        guard !actions.isEmpty else { return }
        for observer in observers { observer() }
    }

    private func arm() {
        alarm?.set(machine.nextEnd.map(time.look(for:)))
    }
}

extension InboxService {
    /// By sending device, newest first.
    var sentOffers: [DeviceID: [Offer]] { machine.offers }

    /// Each device chooses its own IDs, so they prove nothing.
    func senders(of activity: ActivityID) -> Set<DeviceID> {
        machine.senders(of: activity).filter { sentOffer(activity, from: $0) != nil }
    }

    func sentOffer(_ activity: ActivityID, from device: DeviceID) -> Offer? {
        let offer = machine.offer(InboxStateMachine.Key(device: device, activity: activity))
        return offer.flatMap { $0.isExpired(at: time.wallTime) ? nil : $0 }
    }

    func sentState(_ activity: ActivityID, from device: DeviceID) throws(Failure) -> CarriedState {
        try shelf.activity(at: .taken(activity, from: device)).state
    }

    /// Calls `then` once the removal is safe from a crash.
    func sentEnded(_ activity: ActivityID, from device: DeviceID, then: @escaping () -> Void) {
        let actions = machine.ended(InboxStateMachine.Key(device: device, activity: activity))
        carryOut(actions, noted: then)
        if !actions.contains(where: \.isNote) { then() }
    }

    func onChange(_ observer: @escaping () -> Void) { observers.append(observer) }
}

extension InboxService: PeerMessageHandler {
    func handle(
        _ message: PeerMessage.Sending, from device: DeviceID, reply: @escaping (PeerMessage) -> Void
    ) {
        switch message {
        case .sent(let sent): take(sent, from: device, reply: reply)
        case .taken: reply(.failure(.unknownRequest))
        }
    }

    private func take(_ sent: SentActivity, from device: DeviceID, reply: @escaping (PeerMessage) -> Void) {
        if let obstacle = policy.obstacle(to: .receiving, of: nil) {
            return reply(.failure(Failure(.notAllowed, "the other device refused it: \(obstacle.reason)")))
        }
        let key = InboxStateMachine.Key(device: device, activity: sent.offer.activity)
        switch machine.arrived(sent.offer, from: device, now: time.now, wall: time.wallTime) {
        case .write:
            waiting[key] = [reply]
            let stored = StoredSend(device: device, time: time.wallTime, content: .activity(sent))
            shelf.put(stored, at: .taken(key.activity, from: device)) { [weak self] failure in
                self?.written(key, failure)
            }
        case .wait:
            guard waiting[key, default: []].count < Self.answersPerFile else {
                return reply(
                    .failure(Failure(.limitReached, "the other device is still writing this activity to its disk")))
            }
            waiting[key, default: []].append(reply)
        case .taken: reply(.sending(.taken(key.activity)))
        case .refuse(let failure): reply(.failure(failure))
        }
    }

    private func written(_ key: InboxStateMachine.Key, _ failure: Failure?) {
        let isKept = machine.written(key, failure)
        let replies = waiting.removeValue(forKey: key) ?? []
        if let failure {
            log.error("A received activity could not be written", metadata: ["reason": "\(failure)"])
        }
        // Its device was removed or it expired in the meantime.
        let notWritten = Failure(.stateNotWritable, "the other device could not write it to its disk; nothing is lost")
        for reply in replies { reply(isKept ? .sending(.taken(key.activity)) : .failure(notWritten)) }
        arm()
        guard isKept else { return }
        log.info("Received activity stored", metadata: ["device": "\(key.device.short)"])
        for observer in observers { observer() }
    }
}

extension InboxStateMachine.Action {
    fileprivate var isNote: Bool { if case .noteEnd = self { true } else { false } }
}
