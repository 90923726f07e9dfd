// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffDaemon

// Shows T02, X06.

@Suite struct JoiningTests {
    let simulation = JoiningSimulation()
    let laptop: JoiningDevice
    let desktop: JoiningDevice
    let strangersPhone: JoiningDevice

    init() throws {
        laptop = try simulation.device("laptop", number: 1)
        desktop = try simulation.device("desktop", number: 2)
        strangersPhone = try simulation.device("strangers-phone", number: 3)
        _ = laptop.ask(.createAccount)
    }

    @Test func rightCodeJoinsInOneStep() throws {
        let invite = laptop.invite()
        let joining = desktop.join(invite.code, at: laptop)
        simulation.settle()
        let account = try #require(joining.account)
        #expect(joining.all.count == 1)
        #expect(account.account == laptop.identity.account)
        #expect(desktop.memberNames == ["laptop", "desktop"])
        #expect(laptop.memberNames == ["laptop", "desktop"])
        #expect(desktop.identity.rosterDigest == laptop.identity.rosterDigest)
        #expect(account.devices.first { $0.isThisDevice }?.admittedBy?.text == "laptop")
    }

    @Test func anAccountHasRoomForSixtyFourDevices() throws {
        for number in 2...Limits.devicesPerAccount {
            let phone = try simulation.device("phone-\(number)", number: UInt8(100 + number))
            let joining = phone.join(laptop.invite().code, at: laptop)
            simulation.settle()
            #expect(joining.account?.devices.count == number)
        }
        #expect(laptop.memberNames.count == Limits.devicesPerAccount)
        _ = strangersPhone.join(laptop.invite().code, at: laptop)
        simulation.settle()
        #expect(laptop.memberNames.count == Limits.devicesPerAccount)
    }

    @Test func inviterLearnsWhichDeviceUsedTheInvite() throws {
        let invite = laptop.invite()
        _ = desktop.join(invite.code, at: laptop)
        simulation.settle()
        #expect(try invite.answers.inviteUsed?.get().device == desktop.id)
        #expect(invite.answers.all.count == 2)
        #expect(laptop.changes.count == 2)
        #expect(laptop.changes.last?.joined == [desktop.id])
    }

    @Test func joinerLearnsWhereItsInviterIs() {
        _ = desktop.join(laptop.invite().code, at: laptop)
        simulation.settle()
        #expect(desktop.learned == [laptop.id: laptop.address])
    }

    @Test func bothSidesKnowAfterARestart() throws {
        _ = desktop.join(laptop.invite().code, at: laptop)
        simulation.settle()
        try desktop.restart()
        try laptop.restart()
        #expect(desktop.memberNames == ["laptop", "desktop"])
        #expect(laptop.memberNames == ["laptop", "desktop"])
        let sealed = try #require(desktop.identity.seal(desktop.makeBeacon(), with: .account))
        #expect(laptop.identity.open(sealed, from: "10.0.0.9")?.beacon.device == desktop.id)
    }

    @Test func newMemberInvitesTheNext() throws {
        _ = desktop.join(laptop.invite().code, at: laptop)
        simulation.settle()
        let tablet = try simulation.device("tablet", number: 4)
        _ = tablet.join(desktop.invite().code, at: desktop)
        simulation.settle()
        #expect(tablet.memberNames == ["laptop", "desktop", "tablet"])
        #expect(laptop.identity.member(tablet.id) == nil)
        #expect(try laptop.identity.merge(tablet.identity.rosterUpdate))
        #expect(laptop.identity.rosterDigest == tablet.identity.rosterDigest)
        #expect(try !laptop.identity.merge(tablet.identity.rosterUpdate))
    }

    /// Shows X06. A device with a wrong code receives no answer, and affects neither the invite nor other devices.
    @Test func wrongCodesDoNotEndTheInvite() throws {
        let invite = laptop.invite()
        for _ in 0..<InviteLimits.triesPerSource.burst * 3 {
            let answers = strangersPhone.join(InviteCode().text, at: laptop)
            simulation.settle()
            #expect(answers.failure?.code == .connectionUnavailable)
            #expect(answers.failure?.reason.hasSuffix("is the invite with this code still open there?") == true)
        }
        let joining = desktop.join(invite.code, at: laptop)
        simulation.settle()
        #expect(joining.account != nil)
        #expect(laptop.memberNames == ["laptop", "desktop"])
    }

    /// Without an open invite, a device with an old code is notified for an hour; others receive no answer.
    @Test func oldInviteCodeIsReportedForAnHour() throws {
        let first = laptop.invite()
        let second = laptop.invite()
        let replaced = desktop.join(first.code, at: laptop)
        simulation.settle()
        #expect(replaced.failure?.code == .wrongCode)
        simulation.time.advance(by: InviteLimits.lifetime + InviteLimits.memory)
        let late = desktop.join(second.code, at: laptop)
        simulation.settle()
        #expect(late.failure?.code == .noInvite)
        simulation.time.advance(by: InviteLimits.callMemory)
        let muchTooLate = desktop.join(second.code, at: laptop)
        simulation.settle()
        #expect(muchTooLate.failure?.code == .connectionUnavailable)
    }

    @Test func onlyTheLastCodesAreRemembered() {
        let invites = (0...InviteLimits.codes).map { _ in laptop.invite() }
        let first = desktop.join(invites[0].code, at: laptop)
        simulation.settle()
        #expect(first.failure?.code == .connectionUnavailable)
        let last = desktop.join(invites[1].code, at: laptop)
        simulation.settle()
        #expect(last.failure?.code == .wrongCode)
    }

    @Test func mistypedCodeCostsNoTry() {
        let invite = laptop.invite()
        let mistyped = (invite.code.first == "A" ? "B" : "A") + invite.code.dropFirst()
        let answers = desktop.join(mistyped, at: laptop)
        #expect(answers.failure?.code == .malformed)
        #expect(answers.failure?.reason == "the code is mistyped in group 1 of 4")
        #expect(desktop.node.network.dials.isEmpty)
    }

    @Test func expiredCodeIsRefusedAndTheInviterTold() {
        let invite = laptop.invite()
        simulation.time.advance(by: InviteLimits.lifetime)
        #expect(invite.answers.inviteUsed == .failure(Failure(.inviteExpired, "")))
        let late = desktop.join(invite.code, at: laptop)
        simulation.settle()
        #expect(late.failure?.code == .inviteExpired)
        #expect(desktop.identity.account == nil)
    }

    @Test func usedCodeIsWorthNothingToOthers() {
        let invite = laptop.invite()
        _ = desktop.join(invite.code, at: laptop)
        simulation.settle()
        let second = strangersPhone.join(invite.code, at: laptop)
        simulation.settle()
        #expect(second.failure?.code == .inviteUsedUp)
        #expect(laptop.memberNames == ["laptop", "desktop"])
    }

    @Test func joiningWithoutAnInviteFails() {
        let answers = desktop.join(InviteCode().text, at: laptop)
        simulation.settle()
        #expect(answers.failure?.code == .connectionUnavailable)
    }

    @Test func newInviteReplacesTheOlderInvite() {
        let first = laptop.invite()
        let second = laptop.invite()
        #expect(first.answers.inviteUsed == .failure(Failure(.cancelled, "")))
        let joining = desktop.join(second.code, at: laptop)
        simulation.settle()
        #expect(joining.account != nil)
    }

    // MARK: Confirmation by the inviter

    /// Shows X06. Both devices show the same number, and the device is admitted only after the inviter's confirmation.
    @Test func theInviterComparesNumbersAndConfirms() throws {
        let invite = laptop.invite(asking: true)
        let joining = desktop.join(invite.code, at: laptop)
        simulation.settle()
        let asked = try #require(invite.answers.asked.first)
        #expect(asked.device == desktop.id && asked.name.text == "desktop" && !asked.source.isEmpty)
        #expect(asked.number.count == 6)
        #expect(joining.number == asked.number)
        #expect(laptop.memberNames == ["laptop"])
        #expect(joining.account == nil)
        #expect(laptop.ask(.answerJoin(desktop.id, admit: true)).all == [.done(accepted: true)])
        simulation.settle()
        #expect(joining.account != nil)
        #expect(laptop.memberNames == ["laptop", "desktop"])
        #expect(try invite.answers.inviteUsed?.get().device == desktop.id)
    }

    /// Another person read the code, and was first.
    @Test func inviterCanDeclineADeviceWithAStolenCode() throws {
        let invite = laptop.invite(asking: true)
        let stolen = strangersPhone.join(invite.code, at: laptop)
        simulation.settle()
        let joining = desktop.join(invite.code, at: laptop)
        simulation.settle()
        #expect(joining.failure?.code == .inviteUsedUp)
        _ = laptop.ask(.answerJoin(strangersPhone.id, admit: false))
        simulation.settle()
        #expect(stolen.failure?.code == .joinDeclined)
        #expect(invite.answers.inviteUsed == .failure(Failure(.joinDeclined, "")))
        #expect(laptop.memberNames == ["laptop"])
        #expect(strangersPhone.join(invite.code, at: laptop).all.isEmpty)
        simulation.settle()
        #expect(laptop.memberNames == ["laptop"])
    }

    @Test func onlyTheAskingDeviceCanBeAdmitted() throws {
        let invite = laptop.invite(asking: true)
        #expect(laptop.ask(.answerJoin(desktop.id, admit: true)).failure?.code == .noInvite)
        _ = desktop.join(invite.code, at: laptop)
        simulation.settle()
        #expect(laptop.ask(.answerJoin(strangersPhone.id, admit: true)).failure?.code == .noInvite)
        #expect(laptop.memberNames == ["laptop"])
    }

    @Test func deviceThatLeavesBeforeTheAnswerCanAskAgain() throws {
        let invite = laptop.invite(asking: true)
        _ = desktop.join(invite.code, at: laptop)
        simulation.settle()
        try desktop.restart()
        simulation.settle()
        #expect(laptop.ask(.answerJoin(desktop.id, admit: true)).failure?.code == .noInvite)
        let again = desktop.join(invite.code, at: laptop)
        simulation.settle()
        #expect(invite.answers.asked.count == 2)
        #expect(Set(invite.answers.asked.map(\.number)).count == 2)
        _ = laptop.ask(.answerJoin(desktop.id, admit: true))
        simulation.settle()
        #expect(again.account != nil)
    }

    @Test func anAnswerThatDoesNotComeEndsTheInvite() {
        let invite = laptop.invite(asking: true)
        let joining = desktop.join(invite.code, at: laptop)
        simulation.time.advance(by: InviteLimits.decision + .seconds(1))
        #expect(joining.failure?.code == .inviteExpired)
        #expect(invite.answers.inviteUsed == .failure(Failure(.inviteExpired, "")))
    }

    @Test func anInviteWhoseInviterHasGoneIsOver() {
        let invite = laptop.invite(asking: true)
        let joining = desktop.join(invite.code, at: laptop)
        simulation.settle()
        laptop.clientGoes()
        simulation.settle()
        #expect(joining.failure?.code == .cancelled)
        #expect(laptop.ask(.answerJoin(desktop.id, admit: true)).failure?.code == .noInvite)
        let unasked = laptop.invite()
        laptop.clientGoes()
        _ = desktop.join(unasked.code, at: laptop)
        simulation.settle()
        #expect(laptop.memberNames == ["laptop", "desktop"])
    }

    @Test func anInviterWithAFullDiskMayConfirmAgain() {
        let invite = laptop.invite(asking: true)
        laptop.store.writeFailure = Failure(.stateNotWritable, "account.bin: no space left on device")
        let first = desktop.join(invite.code, at: laptop)
        simulation.settle()
        _ = laptop.ask(.answerJoin(desktop.id, admit: true))
        simulation.settle()
        #expect(first.failure?.code == .stateNotWritable)
        laptop.store.writeFailure = nil
        let second = desktop.join(invite.code, at: laptop)
        simulation.settle()
        _ = laptop.ask(.answerJoin(desktop.id, admit: true))
        simulation.settle()
        #expect(second.account != nil)
    }

    // MARK: Disks

    @Test func inviterWithAFullDiskAdmitsNoDevice() {
        let invite = laptop.invite()
        laptop.store.writeFailure = Failure(.stateNotWritable, "account.bin: no space left on device")
        let first = desktop.join(invite.code, at: laptop)
        simulation.settle()
        #expect(first.failure?.code == .stateNotWritable)
        #expect(laptop.memberNames == ["laptop"])
        laptop.store.writeFailure = nil
        let second = desktop.join(invite.code, at: laptop)
        simulation.settle()
        #expect(second.account != nil)
    }

    @Test func joinerWithAReadOnlyDiskDoesNotJoinAndMayRetry() {
        let invite = laptop.invite()
        desktop.store.writeFailure = Failure(.stateNotWritable, "account.bin: read-only file system")
        let first = desktop.join(invite.code, at: laptop)
        simulation.settle()
        #expect(first.failure?.code == .stateNotWritable)
        #expect(desktop.identity.account == nil)
        #expect(desktop.learned.isEmpty)
        desktop.store.writeFailure = nil
        let second = desktop.join(invite.code, at: laptop)
        simulation.settle()
        #expect(second.account != nil)
        #expect(laptop.identity.rosterUpdate.statements.count == 2)
    }

    @Test func mergeThatTheDiskRefusesChangesNothing() throws {
        _ = desktop.join(laptop.invite().code, at: laptop)
        simulation.settle()
        let tablet = try simulation.device("tablet", number: 4)
        _ = tablet.join(desktop.invite().code, at: desktop)
        simulation.settle()
        laptop.store.writeFailure = Failure(.stateNotWritable, "account.bin: no space left on device")
        let before = laptop.identity.rosterDigest
        #expect(throws: Failure(.stateNotWritable, "")) { try laptop.identity.merge(tablet.identity.rosterUpdate) }
        #expect(laptop.identity.rosterDigest == before)
        #expect(laptop.identity.member(tablet.id) == nil)
    }

    // MARK: Connections that end

    /// If either daemon crashes at any moment, both are members afterwards, or the same code still works.
    @Test func joinCutAtAnyMomentCanBeRepeated() throws {
        for moment in stride(from: 0, through: 12, by: 1) {
            let simulation = JoiningSimulation(seed: UInt64(moment))
            let laptop = try simulation.device("laptop", number: 1)
            let desktop = try simulation.device("desktop", number: 2)
            _ = laptop.ask(.createAccount)
            let invite = laptop.invite()
            _ = desktop.join(invite.code, at: laptop)
            simulation.time.advance(by: .milliseconds(moment))
            try desktop.restart()
            simulation.settle()
            if desktop.identity.account == nil {
                let again = desktop.join(invite.code, at: laptop)
                simulation.settle()
                #expect(again.account != nil, "cut after \(moment) ms")
            }
            #expect(laptop.memberNames == ["laptop", "desktop"], "cut after \(moment) ms")
            #expect(desktop.identity.rosterDigest == laptop.identity.rosterDigest, "cut after \(moment) ms")
        }
    }

    /// The admission is lost with the connection, or the same key requests it again: the device is admitted once.
    @Test(arguments: [false, true]) func aLostAdmissionIsSentAgainAndAdmitsOnce(asking: Bool) throws {
        let invite = laptop.invite(asking: asking)
        let first = desktop.join(invite.code, at: laptop)
        if asking {
            simulation.settle()
            _ = laptop.ask(.answerJoin(desktop.id, admit: true))
        } else {
            #expect(simulation.time.run(until: { self.laptop.identity.members.count == 2 }, within: .seconds(1)))
        }
        simulation.network.breakSessions("laptop", "desktop")
        simulation.settle()
        #expect(first.failure?.code == .connectionUnavailable)
        #expect(desktop.identity.account == nil)
        #expect(laptop.identity.rosterUpdate.statements.count == 2)
        let stored = laptop.store.files
        let again = desktop.join(invite.code, at: laptop)
        simulation.settle()
        #expect(again.account?.devices.count == 2)
        #expect(laptop.store.files == stored)
        #expect(laptop.identity.rosterUpdate.statements.count == 2)
        #expect(laptop.changes.count == 2)
        #expect(desktop.identity.rosterDigest == laptop.identity.rosterDigest)
        #expect(invite.answers.all.count { if case .identity(.inviteUsed) = $0 { true } else { false } } == 1)
    }

    /// The inviter's daemon ends in between: it knows the device, but no code.
    @Test(arguments: [false, true]) func anAdmissionThatACrashLostIsSentAgainByAnotherInvite(asking: Bool) throws {
        _ = desktop.join(laptop.invite().code, at: laptop)
        #expect(simulation.time.run(until: { self.laptop.identity.members.count == 2 }, within: .seconds(1)))
        simulation.network.breakSessions("laptop", "desktop")
        try laptop.restart()
        simulation.settle()
        #expect(desktop.identity.account == nil)
        let invite = laptop.invite(asking: asking)
        let again = desktop.join(invite.code, at: laptop)
        simulation.settle()
        if asking {
            #expect(laptop.ask(.answerJoin(desktop.id, admit: true)).all == [.done(accepted: true)])
            simulation.settle()
        }
        #expect(again.account?.devices.count == 2)
        #expect(laptop.identity.rosterUpdate.statements.count == 2)
        #expect(desktop.identity.rosterDigest == laptop.identity.rosterDigest)
    }

    @Test func inviterThatFallsSilentIsGivenUp() {
        let invite = laptop.invite()
        let joining = desktop.join(invite.code, at: laptop)
        simulation.network.latency = .milliseconds(1)...(.milliseconds(1))
        _ = simulation.time.run(until: { self.simulation.network.linksOpened == 1 }, within: .seconds(1))
        simulation.network.crash("laptop", silently: true)
        simulation.time.advance(by: JoinLimits.answer)
        #expect(joining.failure?.code == .connectionUnavailable)
        #expect(desktop.identity.account == nil)
    }

    @Test func joiningAtAnUnreachableAddressFails() {
        let joining = desktop.ask(.joinAccount(code: InviteCode().text, address: "nowhere:4711"))
        simulation.time.advance(by: .seconds(11))
        #expect(joining.failure?.code == .connectionUnavailable)
        #expect(desktop.ask(.joinAccount(code: InviteCode().text, address: "no address")).failure?.code == .malformed)
    }

    @Test func joinsOneAtATime() {
        let invite = laptop.invite()
        let first = desktop.join(invite.code, at: laptop)
        #expect(desktop.join(invite.code, at: laptop).failure?.code == .notAllowed)
        #expect(desktop.ask(.createAccount).failure?.code == .notAllowed)
        simulation.settle()
        #expect(first.account != nil)
    }
}
