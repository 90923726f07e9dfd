// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Logging

final class OutboxService: Feature {
    private let boards: AdvertisingService
    private let sessions: any PeerMessaging
    private let membership: any Membership
    private let policy: PolicyService
    private let inbox: InboxService
    private let phones: PhonesService
    private let time: any TimeSource
    private var random: Randomness
    private let limits: ContinuationLimits
    private let log: Logger
    private let shelf: SendStore
    var onTransfer: (ActivityTransfer) -> Void = { _ in }

    private var machine = OutboxStateMachine()
    private var askers: [ActivityID: ClientReply] = [:]
    private var alarm: (any Alarm)?

    init(
        boards: AdvertisingService, sessions: any PeerMessaging, membership: any Membership, policy: PolicyService,
        inbox: InboxService, phones: PhonesService, store: any StateStore, time: any TimeSource, random: Randomness,
        limits: ContinuationLimits = ContinuationLimits(), log: Logger
    ) {
        self.boards = boards
        self.sessions = sessions
        self.membership = membership
        self.policy = policy
        self.inbox = inbox
        self.phones = phones
        self.time = time
        self.random = random
        self.limits = limits
        self.log = log
        shelf = SendStore(store: store, log: log)
    }

    func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.deadlineReached() }
        for stored in try shelf.loadWaiting() { machine.restored(stored) }
        membersChanged(isOtherAccount: false)
        deadlineReached()
        sessions.handlers.outbox = self
        membership.onChange { [weak self] change in
            if change.isOfMembers { self?.membersChanged(isOtherAccount: change.isOtherAccount) }
        }
        policy.onChange { [weak self] change in
            guard let self, change.switches else { return }
            carryOut(machine.obstaclesChanged())
        }
    }

    func stop() { alarm?.set(nil) }

    private func membersChanged(isOtherAccount: Bool) {
        carryOut(machine.membersChanged(isOtherAccount ? [] : Set(membership.members.map(\.device))))
    }

    private func deadlineReached() { carryOut(machine.deadlineReached(now: time.now, wall: time.wallTime)) }

    // MARK: Requests

    private func send(_ activity: ActivityID, to name: String, reply: @escaping ClientReply) throws(Failure) {
        let device: DeviceID
        switch try receiver(name) {
        case .device(let chosen): device = chosen
        case .phone(let phone): return try sendPage(of: activity, to: phone, reply: reply)
        }
        guard let (offer, source) = boards.ownOffer(activity) else { throw .notOffered }
        let id = ActivityID.random(using: &random)
        try machine.wished(id, offer, to: device, at: time.wallTime)
        askers[id] = reply
        switch source {
        case .saved(let kept): carryOut(machine.saved(.success(kept.state), of: id))
        case .app(let app):
            let question = LocalMessage.advertising(.save(activity, deadline: limits.save))
            app.request(question, deadline: limits.save) { [weak self] in self?.saved($0, activity, by: app, of: id) }
        }
    }

    private func send(
        _ page: ActivityState, by browser: any Client, to name: String, reply: @escaping ClientReply
    ) throws(Failure) {
        let receiver = try receiver(name)
        guard page.type == .browsingWeb, let url = page.webpageURL, WebPageURL.isAllowed(url) else {
            throw Failure(.notAllowed, "a browser may send only a web page")
        }
        let device: DeviceID
        switch receiver {
        case .device(let chosen): device = chosen
        case .phone(let phone): return phones.hand(page, of: nil, to: phone, reply: reply)
        }
        guard let team = browser.team else { throw .noDevices }
        let id = ActivityID.random(using: &random)
        let offer = Offer(
            activity: id, type: page.type, title: page.title.map { DisplayText(cleaning: $0) }, bundle: nil,
            appName: browser.name, team: team, supportsStreams: false, hasWebPage: true, since: time.wallTime,
            webHost: WebURL.offeredHost(of: url, page.type))
        try machine.wished(id, offer, to: device, at: time.wallTime)
        askers[id] = reply
        carryOut(machine.saved(.success(page), of: id))
    }

    private enum Receiver {
        case device(DeviceID)
        case phone(Phone)
    }

    private func receiver(_ name: String) throws(Failure) -> Receiver {
        if let phone = try phones.choose(name) { return .phone(phone) }
        guard membership.account != nil else { throw .noDevices }
        let device = try DeviceChoice.one(name, of: membership.members)
        guard device != membership.device else { throw Failure(.notAllowed, "that is this device") }
        return .device(device)
    }

    private func sendPage(of activity: ActivityID, to phone: Phone, reply: @escaping ClientReply) throws(Failure) {
        guard let (offer, source) = boards.ownOffer(activity) else { throw .notOffered }
        switch source {
        case .saved(let kept): phones.hand(kept.state, of: offer.bundle, to: phone, reply: reply)
        case .app(let app):
            let question = LocalMessage.advertising(.save(activity, deadline: limits.save))
            app.request(question, deadline: limits.save) { [weak self] result in
                switch app.saved(result) {
                case .success(let answer): self?.phones.hand(answer.state, of: offer.bundle, to: phone, reply: reply)
                case .failure(let failure): reply(.failure(failure))
                }
            }
        }
    }

    private func saved(
        _ result: Result<LocalMessage, Failure>, _ activity: ActivityID, by app: any Client, of id: ActivityID
    ) {
        let state = app.saved(result).map(\.state)
        let kept = app.team == nil ? nil : boards.savedState(of: activity)
        carryOut(machine.saved(state, kept: kept, of: id))
        if case .success(let state) = state { boards.saved(state, of: activity, by: app) }
    }

    private func report(_ entry: OutboxStateMachine.Entry, _ standing: SendReport.Standing) -> SendReport {
        SendReport(
            offer: entry.offer, device: entry.device,
            deviceName: membership.member(entry.device)?.name ?? DisplayText(cleaning: entry.device.short),
            sent: entry.sent, until: entry.until, standing: standing)
    }

    private func report(_ entry: OutboxStateMachine.Entry) -> SendReport { report(entry, entry.standing.reported) }

    // MARK: Actions

    private func carryOut(_ actions: [OutboxStateMachine.Action]) {
        for action in actions {
            switch action {
            case .write(let sent): write(sent)
            case .note(let id, let failure): note(id, failure)
            case .remove(let id): shelf.remove(.waiting(id))
            case .handOver(let id, let device, let attempt): handOver(id, to: device, attempt)
            case .tell(let entry, let outcome): tell(entry, outcome)
            }
        }
        alarm?.set(machine.nextDeadline(now: time.now, wall: time.wallTime))
    }

    private func write(_ sent: SentActivity) {
        let id = sent.offer.activity
        guard let entry = machine[id] else { return }
        let stored = StoredSend(device: entry.device, time: entry.sent, content: .activity(sent))
        shelf.put(stored, at: .waiting(id)) { [weak self] failure in
            guard let self else { return }
            carryOut(machine.written(id, failure))
        }
    }

    private func note(_ id: ActivityID, _ failure: Failure) {
        guard let entry = machine[id] else { return }
        log.notice(
            "A device refused an activity",
            metadata: ["device": "\(entry.device.short)", "code": "\(failure.code)"])
        let stored = StoredSend(device: entry.device, time: entry.sent, content: .refused(entry.offer, failure))
        shelf.put(stored, inPlaceOf: .waiting(id))
    }

    private func handOver(_ id: ActivityID, to device: DeviceID, _ attempt: UInt64) {
        let answered = { [weak self] (result: Result<Void, Failure>) in
            guard let self else { return }
            carryOut(machine.answered(result, of: id, attempt: attempt, at: time.now))
        }
        if let obstacle = policy.obstacle(to: .advertising, of: machine[id]?.offer.bundle) {
            return carryOut(machine.heldBack(id, attempt: attempt, Failure(.notAllowed, obstacle.reason)))
        }
        let sent: SentActivity
        do throws(Failure) { sent = try shelf.activity(at: .waiting(id)) } catch { return answered(.failure(error)) }
        sessions.request(.sending(.sent(sent)), to: device, deadline: SendingLimits.handOver) { [weak self] result in
            let taken = result.flatMap { (answer) -> Result<Void, Failure> in
                guard answer == .sending(.taken(id)) else {
                    return .failure(Failure(.malformed, "the other device sent an unexpected answer"))
                }
                return .success(())
            }
            if case .success = taken { self?.noteTransfer(sent, to: device) }
            answered(taken)
        }
    }

    private func noteTransfer(_ sent: SentActivity, to device: DeviceID) {
        onTransfer(
            ActivityTransfer(
                .sent, sent.offer, at: time.wallTime, device: device, named: membership.member(device)?.name,
                persistentIdentifier: (try? sent.state.opened().get())?.persistentIdentifier))
    }

    private func tell(_ entry: OutboxStateMachine.Entry, _ outcome: OutboxStateMachine.Outcome) {
        guard let reply = askers.removeValue(forKey: entry.offer.activity) else { return }
        switch outcome {
        case .taken:
            log.info("Activity sent", metadata: ["device": "\(entry.device.short)"])
            reply(.sending(.sendList([report(entry, .taken)])))
        case .kept(let problem):
            log.info("Activity kept for its device", metadata: ["device": "\(entry.device.short)"])
            reply(.sending(.sendList([report(entry, .waiting(problem: problem))])))
        case .refused(let failure): reply(.failure(failure))
        }
    }
}

extension OutboxService {
    /// Without a device in the request, only one may have sent the activity, as in `start_continuation`.
    private func sender(of activity: ActivityID, _ named: DeviceID?) throws(Failure) -> DeviceID {
        let senders = named.map { [$0] } ?? inbox.senders(of: activity)
        guard senders.count <= 1 else { throw .severalDevices }
        guard let device = senders.first, inbox.sentOffer(activity, from: device) != nil else {
            throw Failure(.activityGone, "no such activity was sent to this device, or it has been removed")
        }
        return device
    }
}

extension OutboxService: SessionObserver {
    func sessionOpened(_ device: DeviceID) { carryOut(machine.sessionOpened(device)) }
    func sessionClosed(_ device: DeviceID) { carryOut(machine.sessionClosed(device)) }
}

extension OutboxService: LocalMessageHandler {
    func handle(_ message: LocalMessage.Sending, from client: any Client, reply: @escaping ClientReply) {
        do throws(Failure) {
            switch message {
            case .sendActivity(let activity, let name): try send(activity, to: name, reply: reply)
            case .sendPage(let page, let name): try send(page, by: client, to: name, reply: reply)
            case .listSends: reply(.sending(.sendList(machine.list.filter { $0.standing.isShown }.map(report))))
            case .unsendActivity(let id):
                let (entry, actions) = try machine.unsent(id)
                reply(.sending(.sendList([report(entry)])))
                carryOut(actions)
            case .dismissSent(let activity, let device):
                inbox.sentEnded(activity, from: try sender(of: activity, device)) { reply(.done(accepted: true)) }
            case .sendList: throw .notForTheDaemon
            }
        } catch {
            reply(.failure(error))
        }
    }
}

extension Failure {
    fileprivate static let noDevices = Failure(
        .noAccount, "this device has no account yet, so it has no device to send to")
    fileprivate static let notOffered = Failure(
        .activityGone, "this device does not offer that activity, or no longer does")
}

extension OutboxStateMachine.Standing {
    /// The others may still fail, which notifies the requester.
    fileprivate var isShown: Bool { self != .saving && self != .writing }

    fileprivate var reported: SendReport.Standing {
        switch self {
        case .saving, .writing, .handing: .waiting(problem: nil)
        case .waiting(let problem): .waiting(problem: problem)
        case .heldBack(let problem): .waiting(problem: problem)
        case .refused(let failure): .refused(failure)
        }
    }
}
