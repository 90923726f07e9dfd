// SPDX-License-Identifier: Apache-2.0

import HandoffCore
internal import HandoffTrust
import HandoffWire
import Logging

final class AccountService: Feature {
    private let identity: IdentityService
    private let sessions: any PeerMessaging
    private let localHosts: () -> [String]
    private let become: (DeviceCredentials) -> Void
    private var inviter: ClientID?
    private var joiner: ClientID?
    private var watched = WatchedContent(noun: "lists of devices") { .identity(.deviceList($0)) }
    private var watchedNearby = WatchedContent(noun: "lists of nearby devices") { .identity(.nearbyList($0)) }
    private let lastSeen: LastSeenKeeper
    /// Nil: unknown.
    var lastAddress: (DeviceID) -> NetworkAddress? = { _ in nil }

    /// `localHosts`: addresses to show beside a code if the listener's own is "any". `become` replaces this device's
    /// key, before the membership's observers are called.
    init(
        identity: IdentityService, sessions: any PeerMessaging, store: any StateStore, time: any TimeSource,
        localHosts: @escaping () -> [String], become: @escaping (DeviceCredentials) -> Void, log: Logger
    ) {
        self.identity = identity
        self.sessions = sessions
        self.localHosts = localHosts
        self.become = become
        lastSeen = LastSeenKeeper(store: store, time: time, log: log)
    }

    func start() throws {
        try lastSeen.start(members)
        sessions.handlers.account = self
        identity.onNearbyChange = { [weak self] in self?.nearbyChanged() }
        identity.onChange { [weak self] change in self?.membershipChanged(change) }
    }

    func stop() { lastSeen.stop() }

    private var members: Set<DeviceID> { Set(identity.members.map(\.device)) }

    private func membershipChanged(_ change: MembershipChange) {
        if change.isOfMembers { lastSeen.membersChanged(members) }
        devicesChanged()
    }

    private func devicesChanged() { watched.refresh { (try? accountSummary().devices) ?? [] } }
}

extension AccountService: LocalMessageHandler {
    func handle(_ message: LocalMessage.Identity, from client: any Client, reply: @escaping ClientReply) {
        switch message {
        case .createAccount: answer(reply) { () throws(Failure) in try createAccount() }
        case .recoverAccount(let wish): answer(reply) { () throws(Failure) in try recover(wish) }
        case .showRecoveryKey:
            answer(reply) { () throws(Failure) in try summary(with: identity.accountRequests.showKey()) }
        case .confirmRecoveryKey:
            answer(reply) { () throws(Failure) in
                try identity.accountRequests.confirmKey()
                return .done(accepted: true)
            }
        case .newRecoveryKey(let evenWithOthers):
            answer(reply) { () throws(Failure) in try replaceKey(evenWithOthers: evenWithOthers) }
        case .leaveAccount(let evenAsMember):
            answer(reply) { () throws(Failure) in try leave(evenAsMember: evenAsMember) }
        case .renameDevice(let device, let name):
            answer(reply) { () throws(Failure) in
                let member = try identity.accountRequests.rename(device, to: name)
                identity.changed()
                return .identity(.device(summary(of: member)))
            }
        case .removeDevice(let device, let onlyAsk, let withAdmitted):
            answer(reply) { () throws(Failure) in
                let removal = try identity.accountRequests.remove(device, onlyAsk: onlyAsk, withAdmitted: withAdmitted)
                var summary = summary(of: removal.member)
                summary.dependents = removal.dependents.map(self.summary(of:))
                summary.alsoRemoved = removal.alsoRemoved.map(self.summary(of:))
                if !onlyAsk { identity.changed() }
                return .identity(.device(summary))
            }
        case .showLog: answer(reply) { () throws(Failure) in .identity(.log(try identity.accountRequests.history())) }
        case .showAccount: answer(reply) { () throws(Failure) in .identity(.account(try accountSummary())) }
        case .listDevices(let watch, let isPatient):
            answer(reply) { () throws(Failure) in
                // Without an account, the list may fill later.
                let devices = watch ? (try? accountSummary().devices) ?? [] : try accountSummary().devices
                if watch { try watched.watch(devices, by: client, isPatient: isPatient, reply: reply) }
                return .identity(.deviceList(devices))
            }
            sessions.watchingChanged()
        case .createInvite(let asking, let announced):
            answer(reply) { () throws(Failure) in
                try createInvite(asking: asking, announced: announced, by: client.id, reply)
            }
        case .answerJoin(let device, let admit):
            answer(reply) { () throws(Failure) in
                try identity.invites.decide(device, admit: admit)
                identity.setAlarm()
                return .done(accepted: admit)
            }
        case .listNearby:
            answer(reply) { () throws(Failure) in
                let invites = identity.nearby.invites
                try watchedNearby.watch(invites, by: client, reply: reply)
                identity.watchesNearby = true
                return .identity(.nearbyList(invites))
            }
        case .joinAccount(let code, let address, let nearby): join(code, address, nearby: nearby, for: client.id, reply)
        case .confirmJoin(let matches):
            answer(reply) { () throws(Failure) in
                try identity.joinTask.confirm(matches: matches)
                identity.setAlarm()
                return .done(accepted: matches)
            }
        case .account, .invite, .joinAsked, .joinLeft, .inviteUsed, .nearbyList, .joinNumber, .device, .deviceList,
            .log:
            reply(.failure(.notForTheDaemon))
        }
    }

    private func answer(_ reply: ClientReply, _ work: () throws(Failure) -> LocalMessage) {
        do throws(Failure) { reply(try work()) } catch { reply(.failure(error)) }
    }

    private func createAccount() throws(Failure) -> LocalMessage {
        try checkNotJoining()
        let recovery = try identity.accountRequests.create()
        identity.changed()
        return try summary(with: recovery)
    }

    private func replaceKey(evenWithOthers: Bool) throws(Failure) -> LocalMessage {
        try checkNotJoining()
        let recovery = try identity.accountRequests.replaceKey(evenWithOthers: evenWithOthers) { identity.changed() }
        identity.changed()
        return try summary(with: recovery)
    }

    private func summary(with key: RecoveryKey) throws(Failure) -> LocalMessage {
        var summary = try accountSummary()
        summary.recoveryKey = key.text
        return .identity(.account(summary))
    }

    private func recover(_ wish: RecoverAccount) throws(Failure) -> LocalMessage {
        try checkNotJoining()
        try identity.accountRequests.recover(wish)
        identity.changed()
        return .identity(.account(try accountSummary()))
    }

    private func leave(evenAsMember: Bool) throws(Failure) -> LocalMessage {
        try checkNotJoining()
        try identity.accountRequests.removeThisDevice(isMeant: evenAsMember)
        // The other devices are notified while the account still exists here.
        identity.changed()
        try identity.accountRequests.leave()
        become(identity.book.credentials)
        identity.changed()
        return .done(accepted: true)
    }

    private func checkNotJoining() throws(Failure) {
        guard identity.joinTask.isIdle else { throw Failure(.notAllowed, "this device is joining an account") }
    }

    func clientCaughtUp(_ client: any Client) {
        devicesChanged()
        nearbyChanged()
    }

    private func nearbyChanged() { watchedNearby.refresh { identity.nearby.invites } }

    /// The invite ends: no other client would be asked.
    func clientClosed(_ client: any Client) {
        watched.clientClosed(client)
        sessions.watchingChanged()
        watchedNearby.clientClosed(client)
        identity.watchesNearby = watchedNearby.isWatched
        if joiner == client.id {
            joiner = nil
            identity.joinTask.cancel()
            identity.setAlarm()
        }
        guard inviter == client.id else { return }
        inviter = nil
        identity.invites.inviterLeft()
        identity.setAlarm()
    }

    private func createInvite(
        asking: Bool, announced: Bool, by client: ClientID, _ reply: @escaping ClientReply
    ) throws(Failure) -> LocalMessage {
        let invite = try identity.invites.open(asking: asking, announced: announced) { [weak self] news in
            guard let self else { return }
            switch news {
            case .asked(let request): reply(.identity(.joinAsked(request)))
            case .left(let device): reply(.identity(.joinLeft(device)))
            case .ended(let result): reply(.identity(.inviteUsed(result.map { self.summary(of: $0) })))
            }
        }
        inviter = client
        identity.setAlarm()
        return .identity(
            .invite(
                InviteOffer(
                    code: invite.code.text, expires: invite.expires, addresses: reachableAddresses,
                    announcedAs: invite.announcedAs)))
    }

    private func join(
        _ code: String, _ address: String?, nearby: Bool, for client: ClientID, _ reply: @escaping ClientReply
    ) {
        do throws(Failure) {
            try identity.accountRequests.checkNoAccount()
            let code = try parse(code)
            let address = try address.map { text throws(Failure) in
                guard let address = NetworkAddress(text) else {
                    throw Failure(.malformed, "an address is HOST:PORT, or [HOST]:PORT for IPv6")
                }
                return address
            }
            if identity.joinTask.isIdle { joiner = client }
            let others = nearby ? address.map { identity.nearby.others(than: $0, for: code) } ?? [] : []
            identity.joinTask.start(code, address: address, others: others, confirming: nearby) { number in
                reply(.identity(.joinNumber(number)))
            } completion: { [weak self] result in
                guard let self else { return }
                self.answer(reply) { () throws(Failure) in
                    try result.get()
                    return .identity(.account(try self.accountSummary()))
                }
            }
            identity.setAlarm()
        } catch {
            reply(.failure(error))
        }
    }

    private func parse(_ code: String) throws(Failure) -> InviteCode {
        do throws(WireError) { return try InviteCode(text: code) } catch { throw Failure(.malformed, error.reason) }
    }

    private func accountSummary() throws(Failure) -> AccountSummary {
        guard let account = identity.account else { throw identity.book.noMembership }
        return AccountSummary(account: account, devices: identity.members.map(summary(of:)))
    }

    private func summary(of member: Member) -> DeviceSummary {
        let isConnected = sessions.connected.contains(member.device)
        var summary = DeviceSummary(
            device: member.device, name: member.name, kind: member.kind, isThisDevice: member.device == identity.device,
            isConnected: isConnected, address: address(of: member.device),
            admitted: member.admitted, admittedBy: member.admittedBy.map(name(of:)),
            isAdmitterRemoved: member.admittedBy.map { identity.member($0) == nil } ?? false,
            lastSeen: isConnected ? nil : lastSeen[member.device])
        summary.software = sessions.software(of: member.device)
        summary.clock = sessions.clock(of: member.device) ?? identity.clock(of: member.device)
        summary.problem = sessions.problem(of: member.device).map { DisplayText(cleaning: "\($0)") }
        return summary
    }

    private func address(of device: DeviceID) -> String {
        sessions.endpoint(of: device)?.description ?? lastAddress(device)?.description ?? ""
    }

    /// Includes devices that are no longer members.
    private func name(of device: DeviceID) -> DisplayText {
        identity.book.stored?.roster.name(of: device) ?? DisplayText(cleaning: device.short)
    }

    private var reachableAddresses: [String] {
        guard let listening = identity.network.listeningAddress else { return [] }
        guard ["0.0.0.0", "::"].contains(listening.host) else { return [listening.description] }
        return localHosts().map { NetworkAddress(host: $0, port: listening.port).description }
    }
}

extension AccountService: SessionObserver {
    func sessionOpened(_ device: DeviceID) { sessionChanged(device) }
    func sessionClosed(_ device: DeviceID) { sessionChanged(device) }
    func isWatching(_ device: DeviceID) -> Bool { watched.isLookedAt }

    private func sessionChanged(_ device: DeviceID) {
        // A membership's end also closes a session.
        if identity.member(device) != nil { lastSeen.connected(device) }
        devicesChanged()
    }
}
