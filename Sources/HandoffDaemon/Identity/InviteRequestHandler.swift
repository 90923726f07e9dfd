// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire
internal import Logging

/// The member's side of joining.
final class InviteRequestHandler {
    /// A further connection closes the oldest: an honest device sends its request immediately.
    static let links = 64
    /// From an accepted connection to its request, and from the answer to the end.
    static let patience = Duration.seconds(10)

    private let book: AccountBook
    private let time: any TimeSource
    /// For later invites.
    var canAnnounce: Bool
    private let log: Logger
    var onAdmitted: () -> Void = {}
    /// Send to everyone on the network, at once.
    var onAnnounce: (_ code: InviteCode, _ name: DisplayText, _ kind: DeviceKind) -> Void = { _, _, _ in }

    private var machine = InviteStateMachine<InviteCode>()
    enum News {
        /// Call `decide`.
        case asked(JoinRequestSummary)
        /// It left, or its time is over.
        case left(DeviceID)
        case ended(Result<Member, Failure>)
    }

    private var waiting: ((News) -> Void)?
    /// At most one with the typed code.
    private var candidates: [Candidate] = []
    private var announced: Announced?
    /// Cached: deriving it for each datagram is expensive.
    private(set) var beaconKey: BeaconKey?
    /// For the open invite and some earlier, the latest last. A device with an old code learns why it is invalid.
    private var calls: [(caller: Caller, secret: CallSecret, forgotten: Instant)] = []
    private var guests: [Guest] = []
    /// Wrong codes per source before it must wait.
    private var wrongTries = Paces<String>(InviteLimits.triesPerSource, most: InviteLimits.sources)

    private struct Guest {
        let link: any EnrollLink
        let deadline: Instant
        var hasAsked = false
    }

    private struct Announced {
        let code: InviteCode
        var machine = AnnouncedInviteStateMachine()
        var next: Instant

        var nextDeadline: Instant? { machine.nextDeadline.earlier(machine.isAnnounced ? next : nil) }
    }

    private struct Candidate {
        let isAnnounced: Bool
        let guest: Guest
        let key: DevicePublicKey
        let request: EnrollMessage.JoinRequest
        /// For the other device's part of the number.
        let commitment: [UInt8]
        let proof: InviteProof
        let nonce: [UInt8]
        var isCompared = false

        var device: DeviceID { key.id }
    }

    init(book: AccountBook, time: any TimeSource, canAnnounce: Bool, log: Logger) {
        self.book = book
        self.canAnnounce = canAnnounce
        self.time = time
        self.log = log
    }

    var callers: [(caller: Caller, secret: CallSecret)] {
        calls.filter { time.now < $0.forgotten }.map { ($0.caller, $0.secret) }
    }

    var nextDeadline: Instant? {
        let silent = candidates.compactMap { $0.isCompared ? nil : $0.guest.deadline }
        return (silent + guests.map(\.deadline)).reduce(machine.nextDeadline.earlier(announced?.nextDeadline)) {
            $0.earlier($1)
        }
    }

    /// `asking`: the inviter confirms each device. `announced`: new devices on the network can choose this device, and
    /// are always confirmed. Throws `.noAccount` and `.limitReached`.
    func open(
        asking: Bool, announced: Bool, told: @escaping (News) -> Void
    ) throws(Failure) -> (code: InviteCode, expires: WallTime, announcedAs: DisplayText?) {
        guard book.record != nil else { throw book.noMembership }
        guard book.members.count < Limits.devicesPerAccount else { throw .accountFull }
        let code = InviteCode()
        let before = waiting
        waiting = told
        beaconKey = code.beaconKey
        takeCalls(of: .invited, with: code)
        dropCandidates(.anotherInvite)
        self.announced = nil
        forgetAnnounced(after: .zero)
        if announced, asking, canAnnounce {
            let code = InviteCode()
            self.announced = Announced(code: code, next: time.now)
            takeCalls(of: .announced, with: code)
        }
        let expires: Instant
        switch machine.inviteRequested(code, asking: asking, at: time.now) {
        case .show(let end):
            expires = end
        case .replaceAndShow(let end):
            expires = end
            before?(.ended(.failure(.anotherInvite)))
        }
        log.info("Invite opened", metadata: ["announced": "\(self.announced != nil)"])
        announce()
        return (
            code, time.wallTime.advanced(by: time.now.duration(to: expires)),
            self.announced.flatMap { _ in book.member(book.device)?.name }
        )
    }

    private func takeCalls(of caller: Caller, with code: InviteCode) {
        calls.append((caller, code.callSecret, time.now.advanced(by: InviteLimits.callMemory)))
        if calls.count > InviteLimits.codes { calls.removeFirst() }
    }

    /// Everyone near has this code, and could find this device by it.
    private func forgetAnnounced(after memory: Duration) {
        for index in calls.indices where calls[index].caller == .announced {
            calls[index].forgotten = min(calls[index].forgotten, time.now.advanced(by: memory))
        }
    }

    private func announce() {
        guard var announced, announced.machine.isAnnounced, announced.next <= time.now else { return }
        announced.next = time.now.advanced(by: AnnouncedInviteLimits.interval)
        self.announced = announced
        // Perhaps renamed.
        if let own = book.member(book.device) { onAnnounce(announced.code, own.name, own.kind) }
    }

    /// Closes the oldest connection with the announced code, of the address with most such connections: neither one
    /// address nor a device without the typed code can close the connections of others.
    func accepted(_ link: any EnrollLink) {
        guests.append(Guest(link: link, deadline: time.now.advanced(by: Self.patience)))
        guard guests.count > Self.links else { return }
        let counts = Dictionary(grouping: guests.filter(\.link.hasPublicCode), by: \.link.host).mapValues(\.count)
        let most = counts.values.max()
        let index = guests.firstIndex { $0.link.hasPublicCode && counts[$0.link.host] == most } ?? 0
        guests.remove(at: index).link.close()
    }

    func owns(_ link: any EnrollLink) -> Bool { index(of: link) != nil }

    func closed(_ link: any EnrollLink) {
        if let index = index(of: link) { guests.remove(at: index) }
        guard let index = candidates.firstIndex(where: { $0.guest.link === link }) else { return }
        let candidate = candidates.remove(at: index)
        log.info("Joining device left", metadata: ["device": "\(candidate.device.short)"])
        if candidate.isCompared { waiting?(.left(candidate.device)) }
        guard candidate.isAnnounced else { return carryOut(machine.candidateLeft(at: time.now)) }
        announced?.machine.left(candidate.device)
    }

    func decide(_ device: DeviceID, admit: Bool) throws(Failure) {
        guard let index = candidates.firstIndex(where: { $0.isCompared && $0.device == device }) else {
            throw .noCandidate
        }
        let candidate = candidates[index]
        let isDecided =
            candidate.isAnnounced
            ? announced?.machine.decided(device, now: time.now) == true
            : machine.decided(device, admit: admit, at: time.now) != .nothing
        guard isDecided else { throw .noCandidate }
        candidates.remove(at: index)
        guests.append(
            Guest(link: candidate.guest.link, deadline: time.now.advanced(by: Self.patience), hasAsked: true))
        guard admit else {
            // Everyone has an announced code, so only a typed code is spoilt.
            guard !candidate.isAnnounced else { return refuse(candidate.guest.link, .numberDeclined) }
            refuse(candidate.guest.link, Failure(.declined))
            return end(.failure(.declinedHere))
        }
        self.admit(candidate.key, candidate.request, on: candidate.guest.link, proof: candidate.proof)
    }

    func inviterLeft() {
        guard machine.inviterLeft(at: time.now) == .end else { return }
        dropCandidates(.nobodyAsked)
        end(.failure(.nobodyAsked))
    }

    private func dropCandidates(_ failure: Failure) {
        let leaving = candidates
        candidates = []
        for candidate in leaving { refuse(candidate.guest.link, failure) }
    }

    private func carryOut(_ action: InviteStateMachine<InviteCode>.LeftAction) {
        if action == .end { end(.failure(Failure(.usedUp))) }
    }

    func received(_ message: EnrollMessage, on link: any EnrollLink) {
        if let index = candidates.firstIndex(where: { $0.guest.link === link }) { return compare(message, at: index) }
        guard let index = index(of: link) else { return }
        guard case .join(let request) = message, !guests[index].hasAsked else {
            log.info("Joining device violated the protocol")
            link.close()
            return
        }
        guests[index].hasAsked = true
        answer(request, on: link)
    }

    private func compare(_ message: EnrollMessage, at index: Int) {
        let candidate = candidates[index]
        let link = candidate.guest.link
        guard !candidate.isCompared, case .opening(let nonce) = message,
            candidate.proof.isValid(candidate.commitment, to: nonce)
        else {
            log.info("Joining device violated the protocol")
            link.close()
            return closed(link)
        }
        candidates[index].isCompared = true
        waiting?(
            .asked(
                JoinRequestSummary(
                    device: candidate.device, name: candidate.request.name, kind: candidate.request.kind,
                    source: link.host, number: candidate.proof.number(joiner: nonce, member: candidate.nonce))))
    }

    func deadlineReached() {
        let now = time.now
        let late = guests.filter { $0.deadline <= now }
        guests.removeAll { $0.deadline <= now }
        for guest in late { guest.link.close() }
        if machine.deadlineReached(now: now) == .end {
            let reason =
                candidates.isEmpty
                ? "the code was not used within five minutes" : "no device was admitted or declined in time"
            dropCandidates(Failure(.inviteExpired, reason))
            end(.failure(Failure(.inviteExpired, reason)))
        }
        for candidate in candidates where !candidate.isCompared && candidate.guest.deadline <= now {
            candidate.guest.link.close()
            closed(candidate.guest.link)
        }
        for device in announced?.machine.deadlineReached(now: now) ?? [] {
            guard let index = candidates.firstIndex(where: { $0.isAnnounced && $0.device == device }) else { continue }
            refuse(
                candidates.remove(at: index).guest.link, Failure(.inviteExpired, "the device was not admitted in time"))
            waiting?(.left(device))
        }
        announce()
    }

    func stop() {
        let leaving = guests + candidates.map(\.guest)
        (guests, candidates) = ([], [])
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
        // Without the typed code, nothing can be tried on it.
        if link.hasPublicCode {
            guard let announced, case let claim = proof(announced.code), claim.isValid(request.proof, from: .joiner)
            else { return refuse(link, Failure(.noInvite)) }
            return answerAnnounced(joiner, request, on: link, proof: claim)
        }
        guard wrongTries.nextFree(of: link.source) <= time.now else { return refuse(link, .tooManyTries) }
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
            guard let proven else { preconditionFailure("a request without proof of the code was admitted") }
            admit(joiner, request, on: link, proof: proven)
        case .compare:
            guard let proven else { preconditionFailure("a request without proof of the code was compared") }
            beginComparing(joiner, request, on: link, proof: proven, isAnnounced: false)
        case .refuse(let refusal):
            refuse(link, Failure(refusal), triesLeft: refusal.triesLeft)
        case .refuseAndEnd(let refusal):
            refuse(link, Failure(refusal))
            end(.failure(Failure(refusal)))
        }
    }

    private func answerAnnounced(
        _ joiner: DevicePublicKey, _ request: EnrollMessage.JoinRequest, on link: any EnrollLink, proof: InviteProof
    ) {
        switch announced?.machine.joinRequested(by: joiner.id, at: link.host, now: time.now) {
        case .compare: beginComparing(joiner, request, on: link, proof: proof, isAnnounced: true)
        case .admitAgain: admit(joiner, request, on: link, proof: proof)
        case .refuse(.busy): refuse(link, .busy)
        case .refuse(.tooOften): refuse(link, .tooManyQuestions)
        case .refuse(.usedUp), nil: refuse(link, Failure(.usedUp))
        }
    }

    private func beginComparing(
        _ joiner: DevicePublicKey, _ request: EnrollMessage.JoinRequest, on link: any EnrollLink, proof: InviteProof,
        isAnnounced: Bool
    ) {
        // Only ask about a device that can be admitted.
        do throws(Failure) { _ = try admission(of: joiner, request, proof) } catch {
            return giveUp(link, error, isAnnounced ? joiner.id : nil)
        }
        // Version 1 sends no commitment.
        guard let commitment = request.commitment, let index = index(of: link) else {
            return giveUp(link, .cannotCompare, isAnnounced ? joiner.id : nil)
        }
        let guest = guests.remove(at: index)
        let nonce = InviteProof.freshNonce()
        candidates.append(
            Candidate(
                isAnnounced: isAnnounced, guest: guest, key: joiner, request: request, commitment: commitment,
                proof: proof, nonce: nonce))
        link.send(.comparison(.init(proof: proof.bytes(.member), nonce: nonce)))
    }

    /// The admission is on disk before it is sent. If the message is lost, the same key receives it again.
    private func admit(
        _ joiner: DevicePublicKey, _ request: EnrollMessage.JoinRequest, on link: any EnrollLink, proof: InviteProof
    ) {
        let wasMember = book.member(joiner.id) != nil
        let message: EnrollMessage
        do throws(Failure) {
            let record: AccountRecord
            (record, message) = try admission(of: joiner, request, proof)
            if !wasMember { try store(record) }
        } catch {
            return giveUp(link, error)
        }
        machine.deviceAdmitted(joiner.id, at: time.now)
        announced?.machine.inviteEnded(admitted: joiner.id)
        log.info("Device admitted", metadata: ["device": "\(joiner.id.short)"])
        link.send(message)
        if let member = book.member(joiner.id) { end(.success(member)) }
        if !wasMember { onAdmitted() }
    }

    /// Throws if the message is too large to send: the device would be a member without an account.
    private func admission(
        of joiner: DevicePublicKey, _ request: EnrollMessage.JoinRequest, _ proof: InviteProof
    ) throws(Failure) -> (AccountRecord, EnrollMessage) {
        guard var record = book.record else { throw .noAccount }
        do {
            try record.admit(
                joiner, name: request.name, kind: request.kind, by: book.credentials.key, time: time.wallTime)
        } catch StatementRejection.removedBefore {
            throw .newKeyNeeded
        } catch {
            throw record.roster.members.count < Limits.devicesPerAccount ? .rosterFull : .accountFull
        }
        let message = EnrollMessage.admission(.init(proof: proof.bytes(.member), roster: record.update))
        guard let bytes = try? message.encoded(), bytes.count <= FrameLimits.of(.enroll, from: .answerer).later else {
            throw .rosterTooLarge
        }
        return (record, message)
    }

    private func store(_ record: AccountRecord) throws(Failure) {
        do throws(Failure) { try book.write(record) } catch {
            log.error("Admission could not be stored", metadata: ["reason": "\(error.reason)"])
            throw Failure(error.code, "the inviting device could not store the admission")
        }
    }

    /// The device may try again, for example after a disk error. A full account ends the invite. `chooser`: has the
    /// announced code.
    private func giveUp(_ link: any EnrollLink, _ failure: Failure, _ chooser: DeviceID? = nil) {
        refuse(link, failure)
        guard failure.code == .limitReached else {
            guard let chooser else { return carryOut(machine.candidateLeft(at: time.now)) }
            announced?.machine.left(chooser)
            return
        }
        machine.accountFilled(at: time.now)
        end(.failure(failure))
    }

    /// The joining device shows this text too.
    private static func tooFarApart(_ request: EnrollMessage.JoinRequest) -> Failure {
        let ours = ProtocolVersion.enroll
        return Failure(
            .versionUnsupported,
            "the inviting device speaks versions \(ours.lowerBound) to \(ours.upperBound) of joining, the joining device "
                + "\(request.minimumVersion) to \(request.maximumVersion): update the older one")
    }

    private func refuse(_ link: any EnrollLink, _ failure: Failure, triesLeft: Int = 0) {
        log.info("Device not admitted", metadata: ["code": "\(failure.code)"])
        link.send(.refusal(failure, triesLeft: triesLeft))
        link.close()
    }

    private func end(_ result: Result<Member, Failure>) {
        beaconKey = nil
        announced?.machine.inviteEnded(admitted: nil)
        forgetAnnounced(after: AnnouncedInviteLimits.memory)
        dropCandidates(Failure(.usedUp))
        let told = waiting
        waiting = nil
        told?(.ended(result))
    }

    private func index(of link: any EnrollLink) -> Int? { guests.firstIndex { $0.link === link } }
}
