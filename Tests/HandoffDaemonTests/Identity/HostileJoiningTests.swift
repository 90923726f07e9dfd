// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffDaemon

// Shows X06, T02.

/// Peers that violate the joining protocol.
@Suite struct HostileJoiningTests {
    let simulation = JoiningSimulation()
    let laptop: JoiningDevice
    let phone = try! DeviceKey(scalar: [UInt8](repeating: 9, count: 32))

    init() throws {
        laptop = try simulation.device("laptop", number: 1)
        _ = laptop.ask(.createAccount)
    }

    private func proof(_ code: String, joiner: DeviceID? = nil, member: DeviceID? = nil) throws -> [UInt8] {
        InviteProof(code: try InviteCode(text: code), joiner: joiner ?? phone.id, member: member ?? laptop.id)
            .bytes(.joiner)
    }

    private func request(
        _ proof: [UInt8], versions: ClosedRange<UInt32> = ProtocolVersion.enroll, commitment: [UInt8]? = nil
    ) -> EnrollMessage {
        .join(
            .init(
                versions: versions, proof: proof, name: DisplayText(cleaning: "phone"), kind: .phone,
                commitment: commitment))
    }

    private func connect(key: DeviceKey? = nil) -> RecordingLink {
        let link = RecordingLink(key: (key ?? phone).publicKey.spki)
        laptop.identity.enrollLinkAccepted(link)
        return link
    }

    @Test func rightRequestIsAdmittedWithTheMembersProof() throws {
        let code = laptop.invite().code
        let link = connect()
        laptop.identity.enrollMessageReceived(request(try proof(code)), on: link)
        let admission = try #require(link.admission)
        let proof = InviteProof(code: try InviteCode(text: code), joiner: phone.id, member: laptop.id)
        #expect(proof.isValid(admission.proof, from: .member))
        #expect(!proof.isValid(admission.proof, from: .joiner))
    }

    /// The proof was made on a connection to an attacker, who forwards it.
    @Test func proofMadeForAnotherConnectionIsWrong() throws {
        let code = laptop.invite().code
        let middle = try DeviceKey(scalar: [UInt8](repeating: 8, count: 32))
        let link = connect(key: middle)
        laptop.identity.enrollMessageReceived(request(try proof(code, member: middle.id)), on: link)
        #expect(link.refusal == Failure(.wrongCode, ""))
        let replayed = connect(key: middle)
        laptop.identity.enrollMessageReceived(request(try proof(code)), on: replayed)
        #expect(replayed.refusal == Failure(.wrongCode, ""))
        #expect(laptop.identity.members.count == 1)
    }

    @Test func versionOutsideTheRangeIsRefusedAndCostsNoTry() throws {
        let code = laptop.invite().code
        for _ in 0..<5 {
            let old = connect()
            laptop.identity.enrollMessageReceived(request(try proof(code), versions: 98...99), on: old)
            #expect(old.refusal == Failure(.versionUnsupported, ""))
            #expect(
                old.refusal?.reason
                    == "the inviting device speaks versions 1 to 2 of joining, the joining device 98 to 99: update the older one"
            )
        }
        let link = connect()
        laptop.identity.enrollMessageReceived(request(try proof(code)), on: link)
        #expect(link.admission != nil)
    }

    // MARK: Numbers to compare

    /// A device that knows the other's nonce cannot reveal one that differs from its commitment.
    @Test func nonceThatDiffersFromItsCommitmentEndsTheConnection() throws {
        let invite = laptop.invite(asking: true)
        let proof = InviteProof(code: try InviteCode(text: invite.code), joiner: phone.id, member: laptop.id)
        let commitment = proof.commitment(to: InviteProof.freshNonce())
        for nonce in [InviteProof.freshNonce(), [], [1]] {
            let link = connect()
            laptop.identity.enrollMessageReceived(request(proof.bytes(.joiner), commitment: commitment), on: link)
            guard case .comparison(let comparison)? = link.sent.last else {
                return #expect(Bool(false), "\(link.sent)")
            }
            #expect(proof.isValid(comparison.proof, from: .member))
            laptop.identity.enrollMessageReceived(.opening(nonce: nonce), on: link)
            #expect(link.isClosed)
        }
        #expect(invite.answers.asked.isEmpty)
        // That was the last question.
        #expect(invite.answers.inviteUsed == .failure(Failure(.inviteUsedUp, "")))
    }

    @Test func comparisonAcceptsExactlyOneNonce() throws {
        let invite = laptop.invite(asking: true)
        let proof = InviteProof(code: try InviteCode(text: invite.code), joiner: phone.id, member: laptop.id)
        let nonce = InviteProof.freshNonce()
        let asking = request(proof.bytes(.joiner), commitment: proof.commitment(to: nonce))
        let repeated = connect()
        laptop.identity.enrollMessageReceived(asking, on: repeated)
        laptop.identity.enrollMessageReceived(asking, on: repeated)
        #expect(repeated.isClosed)
        let twice = connect()
        laptop.identity.enrollMessageReceived(asking, on: twice)
        laptop.identity.enrollMessageReceived(.opening(nonce: nonce), on: twice)
        #expect(!twice.isClosed && invite.answers.asked.count == 1)
        laptop.identity.enrollMessageReceived(.opening(nonce: nonce), on: twice)
        #expect(twice.isClosed)
        #expect(laptop.identity.members.count == 1)
    }

    @Test func candidateThatFallsSilentMakesRoom() throws {
        let invite = laptop.invite(asking: true)
        let proof = InviteProof(code: try InviteCode(text: invite.code), joiner: phone.id, member: laptop.id)
        let silent = connect()
        let asking = request(proof.bytes(.joiner), commitment: [UInt8](repeating: 0, count: 32))
        laptop.identity.enrollMessageReceived(asking, on: silent)
        let refused = connect()
        laptop.identity.enrollMessageReceived(asking, on: refused)
        #expect(refused.refusal == Failure(.inviteUsedUp, ""))
        simulation.time.advance(by: .seconds(10))
        #expect(silent.isClosed)
        let next = connect()
        laptop.identity.enrollMessageReceived(asking, on: next)
        #expect(next.refusal == nil && !next.isClosed)
    }

    /// Without another connection whose deadline would be checked.
    @Test func candidateThatFallsSilentAloneIsClosedAsAnyOther() throws {
        let invite = laptop.invite(asking: true)
        let proof = InviteProof(code: try InviteCode(text: invite.code), joiner: phone.id, member: laptop.id)
        let silent = connect()
        let asking = request(proof.bytes(.joiner), commitment: [UInt8](repeating: 0, count: 32))
        laptop.identity.enrollMessageReceived(asking, on: silent)
        simulation.time.advance(by: .seconds(9))
        #expect(!silent.isClosed)
        simulation.time.advance(by: .seconds(1))
        #expect(silent.isClosed)
    }

    /// A request of the previous version, which cannot show a number.
    @Test func olderDeviceIsAdmittedOnlyWithoutConfirmation() throws {
        let asking = laptop.invite(asking: true)
        let refused = connect()
        laptop.identity.enrollMessageReceived(request(try proof(asking.code), versions: 1...1), on: refused)
        #expect(refused.refusal == Failure(.versionUnsupported, ""))
        let code = laptop.invite().code
        let admitted = connect()
        laptop.identity.enrollMessageReceived(request(try proof(code), versions: 1...1), on: admitted)
        #expect(admitted.admission != nil)
    }

    @Test func connectionAsksOnce() throws {
        let code = laptop.invite().code
        let link = connect()
        laptop.identity.enrollMessageReceived(request([UInt8](repeating: 0, count: 32)), on: link)
        laptop.identity.enrollMessageReceived(request(try proof(code)), on: link)
        #expect(link.admission == nil)
        #expect(link.isClosed)
    }

    @Test func answerInsteadOfARequestEndsTheConnection() {
        _ = laptop.invite()
        let link = connect()
        laptop.identity.enrollMessageReceived(.refusal(Failure(.internal, ""), triesLeft: 0), on: link)
        #expect(link.isClosed)
        #expect(link.sent.isEmpty)
    }

    @Test func keyOfAnotherKindIsRefused() throws {
        let code = laptop.invite().code
        let link = RecordingLink(key: [1, 2, 3])
        laptop.identity.enrollLinkAccepted(link)
        laptop.identity.enrollMessageReceived(request(try proof(code)), on: link)
        #expect(link.refusal == Failure(.malformed, ""))
    }

    @Test func deviceCannotJoinItself() throws {
        let code = laptop.invite().code
        let link = connect(key: laptop.key)
        laptop.identity.enrollMessageReceived(request(try proof(code, joiner: laptop.id)), on: link)
        #expect(link.refusal == Failure(.notAllowed, ""))
    }

    /// Shows X06. A joining device and an inviter that are as slow as allowed: it ends before the network's time limit
    /// for joining.
    @Test func aJoinerThatIsAsSlowAsItMayBeIsGoneWithinTheBound() throws {
        let invite = laptop.invite(asking: true)
        let proof = InviteProof(code: try InviteCode(text: invite.code), joiner: phone.id, member: laptop.id)
        let nonce = InviteProof.freshNonce()
        let link = connect()
        simulation.time.advance(by: .milliseconds(9998))
        laptop.identity.enrollMessageReceived(
            request(proof.bytes(.joiner), commitment: proof.commitment(to: nonce)), on: link)
        simulation.time.advance(by: .milliseconds(1))
        laptop.identity.enrollMessageReceived(.opening(nonce: nonce), on: link)
        simulation.time.advance(by: InviteLimits.decision - .milliseconds(2))
        #expect(!link.isClosed)
        #expect(laptop.ask(.answerJoin(phone.id, admit: true)).all == [.done(accepted: true)])
        #expect(link.admission != nil)
        // It never closes.
        simulation.time.advance(by: .seconds(9))
        #expect(!link.isClosed)
        simulation.time.advance(by: .seconds(1))
        #expect(link.isClosed)
        #expect(simulation.time.now <= .zero.advanced(by: .seconds(140)))
        #expect(try invite.answers.inviteUsed?.get().device == phone.id)
    }

    /// Neither the inviter nor the device answers.
    @Test func anUnansweredComparisonEndsTheInviteAtItsTimeLimit() throws {
        let invite = laptop.invite(asking: true)
        let proof = InviteProof(code: try InviteCode(text: invite.code), joiner: phone.id, member: laptop.id)
        let nonce = InviteProof.freshNonce()
        let asking = request(proof.bytes(.joiner), commitment: proof.commitment(to: nonce))
        let link = connect()
        laptop.identity.enrollMessageReceived(asking, on: link)
        laptop.identity.enrollMessageReceived(.opening(nonce: nonce), on: link)
        simulation.time.advance(by: InviteLimits.decision - .milliseconds(1))
        #expect(!link.isClosed && invite.answers.inviteUsed == nil)
        simulation.time.advance(by: .milliseconds(1))
        #expect(link.refusal?.code == .inviteExpired)
        #expect(link.isClosed)
        #expect(invite.answers.inviteUsed == .failure(Failure(.inviteExpired, "")))
        #expect(laptop.identity.members.count == 1)
        let again = connect()
        laptop.identity.enrollMessageReceived(asking, on: again)
        #expect(again.refusal?.code == .inviteExpired)
    }

    @Test func silentConnectionIsClosed() {
        _ = laptop.invite()
        let link = connect()
        simulation.time.advance(by: .seconds(9))
        #expect(!link.isClosed)
        simulation.time.advance(by: .seconds(1))
        #expect(link.isClosed)
    }

    /// A thousand silent connections: few are held at a time, and an honest device can join.
    @Test func silentConnectionsDoNotKeepOthersOut() throws {
        let code = laptop.invite().code
        let silent = (0..<1000).map { _ in connect() }
        #expect(silent.filter { !$0.isClosed }.count <= 64)
        let link = connect()
        laptop.identity.enrollMessageReceived(request(try proof(code)), on: link)
        #expect(link.admission != nil)
    }

    @Test func fullAccountAdmitsNoDevice() throws {
        for number in 0..<UInt8(Limits.devicesPerAccount - 1) {
            let device = try DeviceKey(scalar: [UInt8](repeating: 100 + number, count: 32))
            let code = laptop.invite().code
            let link = connect(key: device)
            laptop.identity.enrollMessageReceived(request(try proof(code, joiner: device.id)), on: link)
            #expect(link.admission != nil)
        }
        #expect(laptop.identity.members.count == Limits.devicesPerAccount)
        #expect(laptop.ask(.createInvite(asking: false)).failure?.code == .limitReached)
    }

    /// The invite is older than the 64th device, which another member admitted. Both ends receive the reason, and
    /// nothing is stored.
    @Test(arguments: [false, true]) func aDeviceTooManyIsRefusedAndTheInviterTold(asking: Bool) throws {
        let desktop = try simulation.device("desktop", number: 2)
        _ = desktop.join(laptop.invite().code, at: laptop)
        simulation.settle()
        let invite = laptop.invite(asking: asking)
        for number in 0..<UInt8(Limits.devicesPerAccount - 2) {
            let device = try DeviceKey(scalar: [UInt8](repeating: 100 + number, count: 32))
            let proof = InviteProof(
                code: try InviteCode(text: desktop.invite().code), joiner: device.id, member: desktop.id)
            let link = RecordingLink(key: device.publicKey.spki)
            desktop.identity.enrollLinkAccepted(link)
            desktop.identity.enrollMessageReceived(request(proof.bytes(.joiner)), on: link)
        }
        #expect(try laptop.identity.merge(desktop.identity.rosterUpdate))
        #expect(laptop.identity.members.count == Limits.devicesPerAccount)
        let stored = laptop.store.files
        let link = connect()
        let asked = request(try proof(invite.code), commitment: [UInt8](repeating: 0, count: 32))
        laptop.identity.enrollMessageReceived(asked, on: link)
        let reason =
            "the account has 64 devices, the most that an account can have; remove one first: handoff device remove"
        #expect(link.refusal?.code == .limitReached && link.refusal?.reason == reason)
        #expect(link.isClosed)
        guard case .failure(let told)? = invite.answers.inviteUsed else {
            Issue.record("the inviter is not told: \(invite.answers.all)")
            return
        }
        #expect(told.code == .limitReached && told.reason == reason)
        #expect(invite.answers.asked.isEmpty)
        #expect(laptop.store.files == stored)
        let again = connect()
        laptop.identity.enrollMessageReceived(asked, on: again)
        #expect(again.refusal?.code == .inviteUsedUp)
    }

    /// A removal of a nearer device takes precedence over an admission by a more distant member.
    @Test func aFullRosterTakesNoDeviceAndTheInviterIsNotified() throws {
        let desktop = try simulation.device("desktop", number: 2)
        _ = desktop.join(laptop.invite().code, at: laptop)
        simulation.settle()
        let account = try #require(laptop.identity.account)
        let removed = try (0..<(Limits.rosterStatements - 2) / 2).flatMap { _ in
            let key = DeviceKey().publicKey
            let description = DeviceDescription(key: key.spki, name: DisplayText(cleaning: "phone"), kind: .phone)
            return try [
                RosterStatement.Kind.admitted(description),
                .revoked(key.id, kept: [], secretHash: [UInt8](repeating: 1, count: 32)),
            ].map {
                try RosterStatement(account: account, time: simulation.time.wallTime, epoch: 0, kind: $0)
                    .signed(by: laptop.key)
            }
        }
        #expect(try desktop.identity.merge(RosterUpdate(statements: removed)))
        #expect(desktop.identity.rosterUpdate.statements.count == Limits.rosterStatements)
        #expect(desktop.identity.members.count == 2)
        let invite = desktop.invite()
        let stored = desktop.store.files
        let link = RecordingLink(key: phone.publicKey.spki)
        desktop.identity.enrollLinkAccepted(link)
        desktop.identity.enrollMessageReceived(request(try proof(invite.code, member: desktop.id)), on: link)
        #expect(link.refusal?.code == .limitReached)
        #expect(link.refusal?.reason == "the account's roster is full; nothing was changed")
        #expect(invite.answers.inviteUsed == .failure(Failure(.limitReached, "")))
        #expect(desktop.store.files == stored)
    }

    // MARK: A false inviter

    @Test func memberThatDoesNotProveTheCodeIsNotBelieved() throws {
        let desktop = try simulation.device("desktop", number: 2)
        let impostor = try ImpostorMember(simulation: simulation)
        let joining = desktop.ask(.joinAccount(code: InviteCode().text, address: impostor.node.address.description))
        simulation.settle()
        #expect(impostor.asked == 1)
        #expect(joining.failure?.code == .notAllowed)
        #expect(desktop.identity.account == nil)
        #expect(desktop.store.files["account.bin"] == nil)
    }

    @Test func rosterThatLeavesTheJoinerOutIsNotBelieved() throws {
        let desktop = try simulation.device("desktop", number: 2)
        let code = InviteCode()
        let impostor = try ImpostorMember(simulation: simulation, code: code)
        let joining = desktop.ask(.joinAccount(code: code.text, address: impostor.node.address.description))
        simulation.settle()
        #expect(joining.failure?.code == .malformed)
        #expect(desktop.identity.account == nil)
    }
}

/// Answers every request with an account of its own, which does not admit the joining device.
private final class ImpostorMember: EnrollmentHandler {
    let key = DeviceKey()
    let node: MemoryNode
    private let code: InviteCode?
    private(set) var asked = 0

    init(simulation: JoiningSimulation, code: InviteCode? = nil) throws {
        self.code = code
        node = simulation.network.node("impostor", device: key.id, key: key.publicKey.spki)
        node.network.enrollmentHandler = self
        try node.network.start()
    }

    func enrollMessageReceived(_ message: EnrollMessage, on link: any EnrollLink) {
        asked += 1
        guard let joiner = try? DevicePublicKey(spki: link.remoteKey),
            let record = try? AccountRecord.founded(
                by: key, name: DisplayText(cleaning: "impostor"), kind: .phone, time: WallTime(milliseconds: 0)
            ).record
        else { return }
        let proof = InviteProof(code: code ?? InviteCode(), joiner: joiner.id, member: key.id)
        link.send(
            .admission(
                .init(proof: proof.bytes(.member), roster: record.update)))
    }

    func enrollLinkAccepted(_ link: any EnrollLink) {}
    func enrollLinkClosed(_ link: any EnrollLink, failure: Failure?) {}
}

/// The far end of a joining connection, which only records.
final class RecordingLink: EnrollLink {
    let host: String
    var source: String { host }
    let hasPublicCode: Bool
    let remoteKey: [UInt8]
    private(set) var sent: [EnrollMessage] = []
    private(set) var isClosed = false

    init(key: [UInt8], host: String = "10.0.0.9", hasPublicCode: Bool = false) {
        self.hasPublicCode = hasPublicCode
        remoteKey = key
        self.host = host
    }

    func send(_ message: EnrollMessage) { sent.append(message) }
    func close() { isClosed = true }

    var admission: EnrollMessage.Admission? {
        if case .admission(let admission)? = sent.last { admission } else { nil }
    }
    var refusal: Failure? {
        if case .refusal(let failure, _)? = sent.last { failure } else { nil }
    }
}
