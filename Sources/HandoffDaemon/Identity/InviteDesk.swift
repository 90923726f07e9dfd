// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire
internal import Logging

/// The member's side of joining: makes invites, hears whoever comes, signs in whoever proves the code.
final class InviteDesk {
    /// Joining connections at a time. One more closes the oldest: whoever means it says so at once.
    static let links = 64
    /// From an accepted connection to its request, and from our answer to its end.
    static let patience = Duration.seconds(10)

    private let book: AccountBook
    private let time: any TimeSource
    private let log: Logger
    /// A device was signed in.
    var onAdmitted: () -> Void = {}

    private var machine = InviteStateMachine<InviteCode>()
    /// The user who waits for the invite to be used.
    private var waiting: ((Result<Member, Failure>) -> Void)?
    /// Of the open invite; kept, since deriving it for each datagram is dear.
    private(set) var beaconKey: BeaconKey?
    private var guests: [Guest] = []
    /// How often each source may be wrong before it has to wait. Who has the right code never waits for it.
    private var wrongTries = Paces<String>(InviteLimits.triesPerSource, most: InviteLimits.sources)

    private struct Guest {
        let link: any EnrollLink
        let deadline: Instant
        var hasAsked = false
    }

    init(book: AccountBook, time: any TimeSource, log: Logger) {
        self.book = book
        self.time = time
        self.log = log
    }

    var isRemembered: Bool { machine.isRemembered }

    var nextDeadline: Instant? {
        ([machine.nextDeadline] + guests.map { $0.deadline }).compactMap { $0 }.min()
    }

    /// `used` is called once, when the invite ended one way or the other. Throws `.noAccount` and `.limitReached`.
    func open(
        used: @escaping (Result<Member, Failure>) -> Void
    ) throws(Failure) -> (code: InviteCode, expires: WallTime) {
        guard book.record != nil else { throw book.noMembership }
        guard book.members.count < Limits.devicesPerAccount else { throw .accountFull }
        let code = InviteCode()
        let before = waiting
        waiting = used
        beaconKey = code.beaconKey
        let expires: Instant
        switch machine.inviteRequested(code, at: time.now) {
        case .show(let end):
            expires = end
        case .replaceAndShow(let end):
            expires = end
            before?(.failure(Failure(.cancelled, "another invite replaced this one; this code is no longer valid")))
        }
        log.info("Invite opened")
        return (code, time.wallTime.advanced(by: time.now.duration(to: expires)))
    }

    func accepted(_ link: any EnrollLink) {
        guests.append(Guest(link: link, deadline: time.now.advanced(by: Self.patience)))
        if guests.count > Self.links { guests.removeFirst().link.close() }
    }

    func owns(_ link: any EnrollLink) -> Bool { index(of: link) != nil }

    func closed(_ link: any EnrollLink) {
        if let index = index(of: link) { guests.remove(at: index) }
    }

    func received(_ message: EnrollMessage, on link: any EnrollLink) {
        guard let index = index(of: link) else { return }
        guard case .join(let request) = message, !guests[index].hasAsked else {
            log.info("Joining device violated the protocol")
            link.close()
            return
        }
        guests[index].hasAsked = true
        answer(request, on: link)
    }

    func deadlineReached() {
        let now = time.now
        let late = guests.filter { $0.deadline <= now }
        guests.removeAll { $0.deadline <= now }
        for guest in late { guest.link.close() }
        if machine.deadlineReached(now: now) == .end {
            end(.failure(Failure(.inviteExpired, "nobody used the code within five minutes")))
        }
    }

    func stop() {
        let leaving = guests
        guests = []
        for guest in leaving { guest.link.close() }
    }

    private func answer(_ request: EnrollMessage.JoinRequest, on link: any EnrollLink) {
        guard
            ProtocolVersion.agreed(
                ours: ProtocolVersion.enroll, theirMinimum: request.minimumVersion,
                theirMaximum: request.maximumVersion) != nil
        else {
            return refuse(link, Self.tooFarApart(request))
        }
        guard wrongTries.nextFree(of: link.source) <= time.now else { return refuse(link, .tooManyTries) }
        let joiner: DevicePublicKey
        do throws(KeyRejection) {
            joiner = try DevicePublicKey(spki: link.remoteKey)
        } catch {
            return refuse(link, Failure(.malformed, "a device has a P-256 key"))
        }
        guard joiner.id != book.device else {
            return refuse(link, Failure(.notAllowed, "a device cannot join its own account"))
        }
        func proof(_ code: InviteCode) -> InviteProof {
            InviteProof(code: code, joiner: joiner.id, member: book.device)
        }
        var proven: InviteProof?
        let action = machine.joinRequested(by: joiner.id, at: time.now) { code in
            let claim = proof(code)
            guard claim.isValid(request.proof, from: .joiner) else { return false }
            proven = claim
            return true
        }
        if proven == nil { _ = wrongTries.take(link.source, at: time.now) }
        switch action {
        case .admit:
            guard let proven else { preconditionFailure("an unproven request was admitted") }
            admit(joiner, request, on: link, proof: proven.bytes(.member))
        case .refuse(let refusal):
            refuse(link, Failure(refusal), triesLeft: refusal.triesLeft)
        case .refuseAndEnd(let refusal):
            refuse(link, Failure(refusal))
            end(.failure(Failure(refusal)))
        }
    }

    /// On disk first: a device that was told it is in, is in.
    private func admit(
        _ joiner: DevicePublicKey, _ request: EnrollMessage.JoinRequest, on link: any EnrollLink, proof: [UInt8]
    ) {
        guard var record = book.record else { return refuse(link, .noAccount) }
        let wasMember = book.member(joiner.id) != nil
        do {
            try record.admit(
                joiner, name: request.name, kind: request.kind, by: book.credentials.key, time: time.wallTime)
            if !wasMember { try book.write(record) }
        } catch let failure as Failure {
            log.error("Admission could not be stored", metadata: ["reason": "\(failure.reason)"])
            return refuse(link, Failure(failure.code, "the inviting device could not store the admission"))
        } catch StatementRejection.removedBefore {
            return refuse(link, .newKeyNeeded)
        } catch {
            return refuse(link, .accountFull)
        }
        machine.deviceAdmitted(joiner.id, at: time.now)
        log.info("Device admitted", metadata: ["device": "\(joiner.id.short)"])
        link.send(.admission(.init(proof: proof, roster: record.update)))
        if let member = book.member(joiner.id) { end(.success(member)) }
        if !wasMember { onAdmitted() }
    }

    /// In words that are right on both devices: the joining one shows them.
    private static func tooFarApart(_ request: EnrollMessage.JoinRequest) -> Failure {
        let ours = ProtocolVersion.enroll
        return Failure(
            .versionUnsupported,
            "the inviting device speaks versions \(ours.lowerBound) to \(ours.upperBound) of joining, the joining one "
                + "\(request.minimumVersion) to \(request.maximumVersion): update the older one")
    }

    private func refuse(_ link: any EnrollLink, _ failure: Failure, triesLeft: Int = 0) {
        log.info("Device not admitted", metadata: ["code": "\(failure.code)"])
        link.send(.refusal(failure, triesLeft: triesLeft))
        link.close()
    }

    private func end(_ result: Result<Member, Failure>) {
        beaconKey = nil
        let told = waiting
        waiting = nil
        told?(result)
    }

    private func index(of link: any EnrollLink) -> Int? { guests.firstIndex { $0.link === link } }
}

extension Failure {
    fileprivate static let tooManyTries = Failure(
        .limitReached, "too many tries from this network; wait some seconds, then try again")
    static let noAccount = Failure(.noAccount, "this device has no account: create or join one first")
    fileprivate static let newKeyNeeded = Failure(
        .deviceRemoved, "this device was removed from the account; with a new key it can join: handoff account leave")
    static let accountFull = Failure(.limitReached, "an account has at most \(Limits.devicesPerAccount) devices")

    fileprivate init(_ refusal: InviteStateMachine<InviteCode>.Refusal) {
        switch refusal {
        case .noInvite:
            self.init(.noInvite, "that device has no open invite with this code")
        case .wrongCode(let triesLeft):
            let warning = triesLeft == 1 ? "; one try is left" : triesLeft < 4 ? "; \(triesLeft) tries are left" : ""
            self.init(.wrongCode, "the code is wrong\(warning)")
        case .expired:
            self.init(.inviteExpired, "the invite's five minutes are over: make another one")
        case .usedUp:
            self.init(.inviteUsedUp, "the invite is used up: make another one")
        }
    }
}

extension InviteStateMachine.Refusal {
    fileprivate var triesLeft: Int {
        if case .wrongCode(let triesLeft) = self { triesLeft } else { 0 }
    }
}
