// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffTrust
package import HandoffWire
package import Logging

/// Who this device is and who belongs to its account: founding, inviting, joining, and the roster.
///
/// The two sides of joining have an owner each, `InviteDesk` and `JoinErrand`; what is stored is in `AccountBook`. This
/// class is what the other features see of them.
package final class IdentityService: Feature {
    package static let name = "Identity"

    private let network: any PeerNetwork
    private let time: any TimeSource
    private let log: Logger

    private let book: AccountBook
    private let accountDesk: AccountDesk
    private let desk: InviteDesk
    private let errand: JoinErrand
    private var replays = ReplayWindow()
    private var alarm: (any Alarm)?
    private var changeObservers: [() -> Void] = []
    private var addressObservers: [(DeviceID, NetworkAddress) -> Void] = []

    /// Who is connected, and where: for lists.
    package weak var peers: (any PeerMessaging)?
    /// Hosts of this device that another one could dial, for showing beside a code. Asked where the listener's own address
    /// is "any".
    package var localHosts: () -> [String] = { [] }
    /// This device has another key than before, for what it does from now on: it left its account. Told before the
    /// observers of changes.
    package var onNewCredentials: (DeviceCredentials) -> Void = { _ in }

    /// Throws `DamagedStateError` for an account file that cannot be believed, and what the store throws.
    package init(
        credentials: DeviceCredentials, store: any StateStore, network: any PeerNetwork, time: any TimeSource,
        name: DisplayText, kind: DeviceKind, log: Logger
    ) throws {
        self.network = network
        self.time = time
        self.log = log
        book = try AccountBook(store: store, credentials: credentials)
        accountDesk = AccountDesk(
            book: book, time: time, name: name, kind: kind, log: log)
        desk = InviteDesk(book: book, time: time, log: log)
        errand = JoinErrand(
            book: book, network: network, time: time, name: name, kind: kind, log: log)
        desk.onAdmitted = { [weak self] in self?.changed() }
        errand.onSearchChange = { [weak self] in self?.changed() }
        errand.onDeadlineChange = { [weak self] in self?.setAlarm() }
        errand.onJoined = { [weak self] member, address in
            self?.changed()
            for observer in self?.addressObservers ?? [] { observer(member, address) }
        }
    }

    package func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.alarmRang() }
        setAlarm()
    }

    package func stop() {
        alarm?.set(nil)
        desk.stop()
        errand.stop()
    }

    private func alarmRang() {
        desk.deadlineReached()
        errand.deadlineReached()
        setAlarm()
    }

    private func setAlarm() {
        alarm?.set([desk.nextDeadline, errand.nextDeadline].compactMap { $0 }.min())
    }

    private func changed() {
        setAlarm()
        for observer in changeObservers { observer() }
    }
}

extension IdentityService: Membership {
    package var device: DeviceID { book.device }
    package var account: AccountID? { book.record?.roster.account }
    package var members: [Member] { book.members }
    package func member(_ device: DeviceID) -> Member? { book.member(device) }
    package var rosterUpdate: RosterUpdate { book.record?.update ?? RosterUpdate() }
    package var rosterDigest: [UInt8] { book.record?.digest ?? [] }

    package func merge(_ update: RosterUpdate) throws -> Bool {
        guard var record = book.record else { return false }
        let result = record.merge(update, on: book.device, at: time.wallTime)
        if !result.rejections.isEmpty {
            let verdicts = Set(result.rejections.map(\.rawValue)).sorted().joined(separator: " ")
            log.notice(
                "Roster statements rejected",
                metadata: ["count": "\(result.rejections.count)", "verdicts": "\(verdicts)"])
        }
        guard result.changed else { return false }
        try book.write(record)
        log.info("Roster changed", metadata: ["devices": "\(book.members.count)"])
        changed()
        return true
    }

    package func hasCaughtUp(_ device: DeviceID) {
        guard var record = book.record, record.hasCaughtUp(device) else { return }
        // Were it not kept, a former key would only be listened for a little longer.
        try? book.write(record)
    }

    package func isFormerMember(_ device: DeviceID) -> Bool { book.record?.roster.isFormerMember(device) ?? false }

    package var removalNotice: RosterUpdate { RosterUpdate(statements: book.stored?.roster.removalNotice ?? []) }

    package func mergeRecovery(_ update: RosterUpdate) throws -> Bool {
        guard let roster = book.record?.roster else { return false }
        let recoveries = roster.recoveries(in: update.statements)
        return recoveries.isEmpty ? false : try merge(RosterUpdate(statements: recoveries))
    }

    package var removal: String? { book.removal }

    package func seal(_ beacon: Beacon, with key: BeaconKeyKind) -> [UInt8]? {
        let key =
            switch key {
            case .account: book.record?.beaconKey
            case .former: nil as BeaconKey?
            case .invite: inviteKey
            }
        return try? key?.seal(beacon)
    }

    package func open(_ datagram: [UInt8]) -> (beacon: Beacon, key: BeaconKeyKind)? {
        if let beacon = try? book.record?.beaconKey?.open(datagram) {
            guard isFresh(datagram, sent: beacon.time) else { return nil }
            hasCaughtUp(beacon.device)
            return (beacon, .account)
        }
        if let beacon = book.record?.openFormer(datagram, at: time.wallTime) {
            return isFresh(datagram, sent: beacon.time) ? (beacon, .former) : nil
        }
        if let beacon = try? inviteKey?.open(datagram) {
            // The key lives for minutes, and a device that joins may not have been told the time yet.
            return isFresh(datagram, sent: time.wallTime) ? (beacon, .invite) : nil
        }
        return nil
    }

    package var isSearchingInviter: Bool { errand.isSearching }

    package func inviterFound(at address: NetworkAddress) {
        errand.inviterFound(at: address)
        setAlarm()
    }

    package func onChange(_ observer: @escaping () -> Void) { changeObservers.append(observer) }

    package func onAddressLearned(_ observer: @escaping (DeviceID, NetworkAddress) -> Void) {
        addressObservers.append(observer)
    }

    private var inviteKey: BeaconKey? { desk.beaconKey ?? errand.beaconKey }

    private func isFresh(_ datagram: [UInt8], sent: WallTime) -> Bool {
        replays.judge(BeaconKey.nonce(of: datagram), sent: sent, now: time.wallTime) == .fresh
    }
}

extension IdentityService: EnrollmentHandler {
    /// Also for a while after an invite ended: who comes late with its code is to hear why it is not good any more.
    package var isEnrolling: Bool { desk.isRemembered }

    package func enrollLinkAccepted(_ link: any EnrollLink) {
        desk.accepted(link)
        setAlarm()
    }

    package func enrollMessageReceived(_ message: EnrollMessage, on link: any EnrollLink) {
        if errand.owns(link) { errand.received(message) } else { desk.received(message, on: link) }
        setAlarm()
    }

    package func enrollLinkClosed(_ link: any EnrollLink, failure: Failure?) {
        if errand.owns(link) { errand.closed(failure) } else { desk.closed(link) }
        setAlarm()
    }
}

extension IdentityService: ClientMessageHandler {
    package func handle(_ message: LocalMessage, from client: any Client, reply: @escaping ClientReply) -> Bool {
        switch message {
        case .createAccount: answer(reply) { () throws(Failure) in try createAccount() }
        case .recoverAccount(let wish): answer(reply) { () throws(Failure) in try recover(wish) }
        case .leaveAccount(let evenAsMember):
            answer(reply) { () throws(Failure) in try leave(evenAsMember: evenAsMember) }
        case .renameDevice(let device, let name):
            answer(reply) { () throws(Failure) in
                let member = try accountDesk.rename(device, to: name)
                changed()
                return .device(summary(of: member))
            }
        case .removeDevice(let device, let onlyAsk):
            answer(reply) { () throws(Failure) in
                let member = try accountDesk.remove(device, onlyAsk: onlyAsk)
                let summary = summary(of: member)
                if !onlyAsk { changed() }
                return .device(summary)
            }
        case .showLog: answer(reply) { () throws(Failure) in .log(try accountDesk.history()) }
        case .showAccount: answer(reply) { () throws(Failure) in .account(try accountSummary()) }
        case .listDevices: answer(reply) { () throws(Failure) in .deviceList(try accountSummary().devices) }
        case .createInvite: answer(reply) { () throws(Failure) in try createInvite(reply) }
        case .joinAccount(let code, let address): join(code, address, reply)
        default: return false
        }
        return true
    }

    private func answer(_ reply: ClientReply, _ work: () throws(Failure) -> LocalMessage) {
        do throws(Failure) { reply(try work()) } catch { reply(.failure(error)) }
    }

    private func createAccount() throws(Failure) -> LocalMessage {
        try checkNotJoining()
        let recovery = try accountDesk.create()
        changed()
        var summary = try accountSummary()
        summary.recoveryKey = recovery.text
        return .account(summary)
    }

    private func recover(_ wish: RecoverAccount) throws(Failure) -> LocalMessage {
        try checkNotJoining()
        try accountDesk.recover(wish)
        changed()
        return .account(try accountSummary())
    }

    private func leave(evenAsMember: Bool) throws(Failure) -> LocalMessage {
        try checkNotJoining()
        try accountDesk.removeThisDevice(isMeant: evenAsMember)
        // The others hear it while it is still known here.
        changed()
        try accountDesk.leave()
        onNewCredentials(book.credentials)
        changed()
        return .done(accepted: true)
    }

    private func checkNotJoining() throws(Failure) {
        guard errand.isIdle else { throw Failure(.notAllowed, "this device is joining an account") }
    }

    private func createInvite(_ reply: @escaping ClientReply) throws(Failure) -> LocalMessage {
        let invite = try desk.open { [weak self] result in
            guard let self else { return }
            reply(.inviteUsed(result.map { self.summary(of: $0) }))
        }
        setAlarm()
        return .invite(InviteOffer(code: invite.code.text, expires: invite.expires, addresses: reachableAddresses))
    }

    private func join(_ code: String, _ address: String?, _ reply: @escaping ClientReply) {
        do throws(Failure) {
            try accountDesk.checkNoAccount()
            let code = try parse(code)
            let address = try address.map { text throws(Failure) in
                guard let address = NetworkAddress(text) else {
                    throw Failure(.malformed, "an address is HOST:PORT, or [HOST]:PORT for IPv6")
                }
                return address
            }
            errand.start(code, address: address) { [weak self] result in
                guard let self else { return }
                self.answer(reply) { () throws(Failure) in
                    try result.get()
                    return .account(try self.accountSummary())
                }
            }
            setAlarm()
        } catch {
            reply(.failure(error))
        }
    }

    private func parse(_ code: String) throws(Failure) -> InviteCode {
        do throws(WireError) { return try InviteCode(text: code) } catch { throw Failure(.malformed, error.reason) }
    }

    private func accountSummary() throws(Failure) -> AccountSummary {
        guard let account else { throw book.noMembership }
        return AccountSummary(account: account, devices: book.members.map(summary(of:)))
    }

    private func summary(of member: Member) -> DeviceSummary {
        DeviceSummary(
            device: member.device, name: member.name, kind: member.kind, isThisDevice: member.device == device,
            isConnected: peers?.connected.contains(member.device) ?? false,
            address: peers?.address(of: member.device)?.description ?? "", admitted: member.admitted,
            admittedBy: member.admittedBy.flatMap { book.member($0)?.name })
    }

    private var reachableAddresses: [String] {
        guard let listening = network.listeningAddress else { return [] }
        guard ["0.0.0.0", "::"].contains(listening.host) else { return [listening.description] }
        return localHosts().map { NetworkAddress(host: $0, port: listening.port).description }
    }
}
