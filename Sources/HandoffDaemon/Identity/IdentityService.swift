// SPDX-License-Identifier: Apache-2.0

import HandoffCore
internal import HandoffTrust
package import HandoffWire
import Logging

package final class IdentityService: Feature {
    let network: any PeerNetwork
    let time: any TimeSource
    let log: Logger

    let book: AccountBook
    let accountRequests: AccountRequestHandler
    let invites: InviteRequestHandler
    let joinTask: JoinTask
    private var calls = CallBook()
    private(set) var nearby = NearbyInvites()
    /// Otherwise announcements are not read.
    var watchesNearby = false { didSet { if !watchesNearby { nearby.clear() } } }
    var onNearbyChange: () -> Void = {}
    var replays = ReplayWindow()
    var sightings = BeaconSightings()
    var renewal = KeyRenewalSchedule()
    var copies: [DeviceID: CopySighting] = [:]
    /// As sent by the sessions.
    var toldExtent = AccountRecord.Extent()
    private var alarm: (any Alarm)?
    private var told: MembershipState?
    private var changeObservers: [(MembershipChange) -> Void] = []
    var searchObservers: [(InviterSearch) -> Void] = []

    /// `canAnnounce`: datagrams are sent. Throws `DamagedStateError` for an invalid account file, and the store's
    /// errors.
    init(
        credentials: DeviceCredentials, store: any StateStore, network: any PeerNetwork, time: any TimeSource,
        name: DisplayText, kind: DeviceKind, canAnnounce: Bool, log: Logger
    ) throws {
        self.network = network
        self.time = time
        self.log = log
        book = try AccountBook(store: store, credentials: credentials)
        accountRequests = AccountRequestHandler(
            book: book, time: time, name: name, kind: kind, log: log)
        invites = InviteRequestHandler(book: book, time: time, canAnnounce: canAnnounce, log: log)
        joinTask = JoinTask(
            book: book, network: network, time: time, name: name, kind: kind, log: log)
        invites.onAdmitted = { [weak self] in self?.changed() }
        invites.onAnnounce = { [weak self] code, name, kind in self?.announce(code, name, kind) }
        joinTask.onSearchChange = { [weak self] in self?.tell(.changed) }
        joinTask.onDeadlineChange = { [weak self] in self?.setAlarm() }
        joinTask.onJoined = { [weak self] member, address in
            self?.changed()
            self?.tell(.joined(by: member, at: address))
        }
        told = MembershipState(self, rosterDigest: rosterDigest)
        calls.follow(book)
    }

    package func start() throws {
        alarm = time.makeAlarm { [weak self] in self?.alarmRang() }
        network.enrollmentHandler = self
        network.callDirectory = self
        watchKey()
        setAlarm()
    }

    package func stop() {
        alarm?.set(nil)
        invites.stop()
        joinTask.stop()
    }

    private func alarmRang() {
        invites.deadlineReached()
        joinTask.deadlineReached()
        nearby.deadlineReached(now: time.now)
        onNearbyChange()
        renewKey()
        setAlarm()
    }

    func setAlarm() {
        let deadlines = [invites.nextDeadline, joinTask.nextDeadline, nearby.nextDeadline, renewal.nextDeadline]
        alarm?.set(deadlines.compactMap { $0 }.min())
    }

    private func announce(_ code: InviteCode, _ name: DisplayText, _ kind: DeviceKind) {
        guard let port = network.listeningAddress?.port,
            let datagram = try? Announcement(code: code.bytes, name: name, kind: kind, port: port).datagram()
        else { return }
        for observer in searchObservers { observer(.announce(datagram)) }
    }

    package func announcementReceived(_ datagram: [UInt8], from host: String) {
        guard watchesNearby, book.record == nil, let announcement = try? Announcement(datagram: datagram) else {
            return
        }
        nearby.received(announcement, from: host, now: time.now)
        setAlarm()
        onNearbyChange()
    }

    func changed() {
        calls.follow(book)
        watchKey()
        replays.keep(Set(members.map(\.device)))
        sightings.keep(Set(members.map(\.device)))
        setAlarm()
        let new = MembershipState(self, rosterDigest: rosterDigest)
        guard let change = told?.change(to: new) else { return }
        told = new
        for observer in changeObservers { observer(change) }
    }

    private func tell(_ search: InviterSearch) {
        setAlarm()
        for observer in searchObservers { observer(search) }
    }
}

extension IdentityService: Membership {
    package var device: DeviceID { book.device }
    package var account: AccountID? { book.record?.roster.account }
    package var members: [Member] { book.members }
    package func member(_ device: DeviceID) -> Member? { book.member(device) }
    package var end: MembershipEnd? { book.end }
    package var recoveryKey: RecoveryKeyState { accountRequests.recoveryKey }
    package func onChange(_ observer: @escaping (MembershipChange) -> Void) { changeObservers.append(observer) }
}

extension IdentityService: CallDirectory {
    var callers: [(caller: Caller, secret: CallSecret)] { calls.callers + invites.callers }
    func secrets(calling device: DeviceID?) -> [CallSecret] { calls.secrets(calling: device) }
}

extension IdentityService: EnrollmentHandler {
    func enrollLinkAccepted(_ link: any EnrollLink) {
        invites.accepted(link)
        setAlarm()
    }

    func enrollMessageReceived(_ message: EnrollMessage, on link: any EnrollLink) {
        if joinTask.owns(link) { joinTask.received(message) } else { invites.received(message, on: link) }
        setAlarm()
    }

    func enrollLinkClosed(_ link: any EnrollLink, failure: Failure?) {
        if joinTask.owns(link) { joinTask.closed(failure) } else { invites.closed(link) }
        setAlarm()
    }
}
