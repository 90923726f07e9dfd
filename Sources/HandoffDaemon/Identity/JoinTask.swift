// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire
internal import Logging

final class JoinTask {
    private let book: AccountBook
    private let network: any PeerNetwork
    private let time: any TimeSource
    private let name: DisplayText
    private let kind: DeviceKind
    private let log: Logger
    var onSearchChange: () -> Void = {}
    var onJoined: (DeviceID, NetworkAddress) -> Void = { _, _ in }
    /// Outside a call from the owner.
    var onDeadlineChange: () -> Void = {}

    private var machine = JoinStateMachine()
    private var attempt: Attempt?
    private var link: (any EnrollLink)?
    /// Waits for this device's user; its connection may have ended.
    private var held: (admission: EnrollMessage.Admission, link: any EnrollLink)?

    private struct Attempt {
        let code: InviteCode
        let beaconKey: BeaconKey
        let callSecret: CallSecret
        let nonce = InviteProof.freshNonce()
        let showNumber: (String) -> Void
        let completion: (Result<Void, Failure>) -> Void
    }

    init(
        book: AccountBook, network: any PeerNetwork, time: any TimeSource,
        name: DisplayText, kind: DeviceKind, log: Logger
    ) {
        self.book = book
        self.network = network
        self.time = time
        self.name = name
        self.kind = kind
        self.log = log
    }

    var isIdle: Bool { machine.isIdle }
    var isSearching: Bool { machine.isSearching }
    var nextDeadline: Instant? { machine.nextDeadline }
    var beaconKey: BeaconKey? { attempt?.beaconKey }

    /// Calls `showNumber` before `completion` if the inviter compares numbers. Calls `completion` once, within this
    /// call or later. `confirming`: the code is public, so the number must be shown, and confirmed by `confirm`.
    func start(
        _ code: InviteCode, address: NetworkAddress?, others: [NetworkAddress] = [], confirming: Bool,
        showNumber: @escaping (String) -> Void,
        completion: @escaping (Result<Void, Failure>) -> Void
    ) {
        let attempt = Attempt(
            code: code, beaconKey: code.beaconKey, callSecret: code.callSecret, showNumber: showNumber,
            completion: completion)
        switch machine.joinRequested(address: address, others: others, confirming: confirming, at: time.now) {
        case .search:
            self.attempt = attempt
            onSearchChange()
        case .dial(let address, let id):
            self.attempt = attempt
            dial(address, id)
        case .refuse:
            completion(.failure(Failure(.notAllowed, "this device is already joining; wait until that has finished")))
        }
    }

    func inviterFound(at address: NetworkAddress) {
        guard case .dial(let address, let id) = machine.inviterFound(at: address) else { return }
        dial(address, id)
        onSearchChange()
    }

    func owns(_ link: any EnrollLink) -> Bool { self.link === link }

    func received(_ message: EnrollMessage) {
        guard let link else { return }
        switch message {
        case .comparison(let comparison): compare(comparison)
        case .admission(let admission):
            switch machine.admissionCame() {
            case .take(let address): take(admission, from: link, at: address)
            case .hold: held = (admission, link)
            case .violation: fail(.joiningViolated)
            case .ignore: break
            }
        case .refusal(let failure, _):
            if case .take = machine.answered() { fail(failure) }
        case .join, .opening:
            if case .take = machine.answered() { fail(.joiningViolated) }
        }
    }

    func confirm(matches: Bool) throws(Failure) {
        guard matches else {
            guard machine.numberRejected() else { throw .noNumber }
            return fail(held == nil ? .numbersDiffer : .numbersDifferAfterAdmission)
        }
        switch machine.numberConfirmed() {
        case .wait: break
        case .take(let address):
            if let held { take(held.admission, from: held.link, at: address) }
        case .nothing: throw .noNumber
        }
    }

    func closed(_ failure: Failure?) {
        link = nil
        guard case .take = machine.answered() else { return }
        fail(Failure(.connectionUnavailable, "the other device closed the connection before it answered"))
    }

    func deadlineReached() {
        switch machine.deadlineReached(now: time.now) {
        case .nothing: break
        case .failNotFound:
            fail(
                Failure(
                    .inviterNotFound,
                    "no device with this invite answered. An invite works once, for five minutes, and both devices must "
                        + "be on the same network. If the network drops multicast, give the address shown with the code: "
                        + "--address HOST:PORT"))
            onSearchChange()
        case .failNotAnswered:
            fail(Failure(.connectionUnavailable, "the other device did not answer"))
        case .failNotDecided:
            fail(Failure(.connectionUnavailable, "the number was not confirmed on the other device in time"))
        case .failNotConfirmed:
            fail(Failure(.cancelled, "the number was not confirmed on this device in time"))
        }
    }

    func cancel() {
        guard !isIdle else { return }
        log.info("Joining was cancelled")
        stop()
        onSearchChange()
    }

    func stop() {
        machine.stopped()
        attempt = nil
        held = nil
        let leaving = link
        link = nil
        leaving?.close()
    }

    private func dial(_ address: NetworkAddress, _ id: Int) {
        guard let attempt else { return }
        network.dialToEnroll(address, with: attempt.callSecret) { [weak self] result in self?.dialled(id, result) }
    }

    private func dialled(_ id: Int, _ result: Result<any EnrollLink, Failure>) {
        switch result {
        case .success(let link):
            guard machine.connected(dial: id, at: time.now) == .ask, let attempt else { return link.close() }
            self.link = link
            ask(link, attempt)
        case .failure(let failure):
            switch machine.dialFailed(id, at: time.now) {
            case .search: onSearchChange()
            case .dial(let address, let id): dial(address, id)
            case .fail:
                let question =
                    failure.code == .connectionUnavailable ? "; is the invite with this code still open there?" : ""
                fail(Failure(failure.code, failure.reason + question))
            case .nothing: break
            }
        }
        onDeadlineChange()
    }

    private func ask(_ link: any EnrollLink, _ attempt: Attempt) {
        guard let proof = proof(attempt.code, on: link) else {
            _ = machine.answered()
            return fail(Failure(.malformed, "the other device has no P-256 key"))
        }
        link.send(
            .join(
                .init(
                    proof: proof.bytes(.joiner), name: name, kind: kind, commitment: proof.commitment(to: attempt.nonce)
                )))
    }

    /// The member must prove the code too before the number is shown or the nonce revealed.
    private func compare(_ comparison: EnrollMessage.Comparison) {
        guard let link, let attempt, let proof = proof(attempt.code, on: link) else { return }
        guard machine.comparisonCame(at: time.now) == .open else {
            guard case .take = machine.answered() else { return }
            return fail(.joiningViolated)
        }
        guard proof.isValid(comparison.proof, from: .member) else {
            _ = machine.answered()
            return fail(.inviterNotProven)
        }
        link.send(.opening(nonce: attempt.nonce))
        attempt.showNumber(proof.number(joiner: attempt.nonce, member: comparison.nonce))
    }

    private func take(_ admission: EnrollMessage.Admission, from link: any EnrollLink, at address: NetworkAddress) {
        guard let attempt, let member = try? DevicePublicKey(spki: link.remoteKey).id,
            let proof = proof(attempt.code, on: link), proof.isValid(admission.proof, from: .member)
        else {
            return fail(.inviterNotProven)
        }
        do {
            try book.write(
                try AccountRecord(admission, joiner: book.device, member: member, time: time.wallTime))
        } catch let rejection as AccountRecord.AdmissionRejection {
            log.notice("Admission not accepted", metadata: ["verdict": "\(rejection)"])
            return fail(Failure(.malformed, "the roster from the other device is not valid: \(rejection.rawValue)"))
        } catch {
            return fail(error as? Failure ?? Failure(.internal, "the account could not be stored"))
        }
        log.info("Joined account", metadata: ["devices": "\(book.members.count)"])
        finish(.success(()))
        onJoined(member, address)
    }

    private func proof(_ code: InviteCode, on link: any EnrollLink) -> InviteProof? {
        guard let member = try? DevicePublicKey(spki: link.remoteKey).id else { return nil }
        return InviteProof(code: code, joiner: book.device, member: member)
    }

    private func fail(_ failure: Failure) {
        log.info("Not joined", metadata: ["code": "\(failure.code)"])
        finish(.failure(failure))
    }

    private func finish(_ result: Result<Void, Failure>) {
        let completion = attempt?.completion
        attempt = nil
        held = nil
        let leaving = link
        link = nil
        leaving?.close()
        completion?(result)
    }
}

extension Failure {
    fileprivate static let joiningViolated = Failure(.malformed, "the other device violated the joining protocol")
    fileprivate static let noNumber = Failure(.noInvite, "no number is waiting to be confirmed on this device")
    fileprivate static let numbersDiffer = Failure(
        .joinDeclined, "the numbers do not match, so this device did not join; another device may have the same name")
    fileprivate static let numbersDifferAfterAdmission = Failure(
        .joinDeclined,
        "the numbers were not confirmed here, so this device did not join; the other device has admitted it: remove it there"
    )
    fileprivate static let inviterNotProven = Failure(
        .notAllowed, "the other device did not prove that it made this invite")
}
