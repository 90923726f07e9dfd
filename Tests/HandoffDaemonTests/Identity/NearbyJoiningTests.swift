// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffDaemon

// Shows L18, T02, X06.

/// A new device chooses an inviting one from a list.
@Suite struct NearbyJoiningTests {
    let simulation = JoiningSimulation()
    let laptop: JoiningDevice
    let desktop: JoiningDevice
    let neighbour = try! DeviceKey(scalar: [UInt8](repeating: 9, count: 32))

    init() throws {
        laptop = try simulation.device("laptop", number: 1)
        desktop = try simulation.device("desktop", number: 2)
        _ = laptop.ask(.createAccount)
        _ = desktop.ask(.listNearby)
    }

    /// The code that the laptop announces.
    private func publicCode() throws -> InviteCode {
        try InviteCode(bytes: Announcement(datagram: try #require(laptop.announced.last)).code)
    }

    /// A request with the announced code, up to the number.
    private func ask(from host: String, key number: UInt8 = 9, code: InviteCode? = nil) throws -> RecordingLink {
        let key = try DeviceKey(scalar: [UInt8](repeating: number, count: 32))
        let link = RecordingLink(key: key.publicKey.spki, host: host, hasPublicCode: true)
        let proof = InviteProof(code: try code ?? publicCode(), joiner: key.id, member: laptop.id)
        let nonce = InviteProof.freshNonce()
        laptop.identity.enrollLinkAccepted(link)
        laptop.identity.enrollMessageReceived(
            .join(
                .init(
                    proof: proof.bytes(.joiner), name: DisplayText(cleaning: "neighbour"), kind: .phone,
                    commitment: proof.commitment(to: nonce))), on: link)
        if case .comparison? = link.sent.last {
            laptop.identity.enrollMessageReceived(.opening(nonce: nonce), on: link)
        }
        return link
    }

    @Test func anInviteThatCannotBeAnnouncedIsReported() throws {
        let alone = try Simulation.alone(seed: 8)
        let device = alone.devices[0]
        func isAnnounced() throws -> Bool {
            let invite = LocalMessage.identity(.createInvite(asking: true, announced: true))
            guard case .identity(.invite(let offer)) = try alone.ask(device, invite) else { throw Failure.accountFull }
            return offer.announcedAs != nil
        }
        _ = try alone.ask(device, .identity(.createAccount))
        #expect(try isAnnounced())
        device.stop()
        device.airFailure = Failure(.connectionUnavailable, "the port is taken")
        try device.start()
        #expect(try !isAnnounced())
    }

    @Test(arguments: [true, false]) func chosenDeviceJoinsOnceBothUsersHaveConfirmed(inviterFirst: Bool) throws {
        let invite = laptop.announce()
        let joining = desktop.choose(laptop)
        simulation.settle()
        let asked = try #require(invite.asked.first)
        #expect(asked.number == joining.number && asked.name.text == "desktop")
        let confirm = LocalMessage.Identity.confirmJoin(matches: true)
        if !inviterFirst { #expect(desktop.ask(confirm).all == [.done(accepted: true)]) }
        #expect(joining.account == nil)
        _ = laptop.ask(.answerJoin(desktop.id, admit: true))
        simulation.settle()
        if inviterFirst {
            #expect(joining.account == nil && desktop.identity.account == nil)
            #expect(desktop.ask(confirm).all == [.done(accepted: true)])
        }
        #expect(joining.account?.account == laptop.identity.account)
        #expect(desktop.memberNames == ["laptop", "desktop"])
        #expect(try invite.inviteUsed?.get().device == desktop.id)
    }

    /// The member closes its connection ten seconds after the admission.
    @Test func userMayConfirmLongAfterTheInviterDid() throws {
        _ = laptop.announce()
        let joining = desktop.choose(laptop)
        simulation.settle()
        _ = laptop.ask(.answerJoin(desktop.id, admit: true))
        simulation.time.advance(by: .seconds(60))
        #expect(joining.failure == nil)
        _ = desktop.ask(.confirmJoin(matches: true))
        #expect(joining.account?.account == laptop.identity.account)
    }

    @Test func unconfirmedNumberEndsTheAttempt() throws {
        _ = laptop.announce()
        let joining = desktop.choose(laptop)
        simulation.settle()
        _ = laptop.ask(.answerJoin(desktop.id, admit: true))
        simulation.time.advance(by: JoinLimits.decision)
        #expect(joining.failure?.reason == "the number was not confirmed on this device in time")
        #expect(desktop.identity.account == nil)
        #expect(desktop.ask(.confirmJoin(matches: true)).failure == Failure(.noInvite, ""))
    }

    /// A neighbour announces the name of the user's device, and admits without asking.
    @Test func admissionWithoutAComparisonIsRefused() throws {
        let stranger = try simulation.device("stranger", number: 3)
        _ = stranger.ask(.createAccount)
        let code = stranger.invite().code
        let joining = desktop.ask(
            .joinAccount(code: code, address: stranger.address.description, nearby: true))
        simulation.settle()
        #expect(joining.failure == Failure(.malformed, ""))
        #expect(desktop.identity.account == nil)
    }

    /// A neighbour announces the same name, and admits with its own number.
    @Test func numbersThatDifferJoinNothing() throws {
        let stranger = try simulation.device("stranger", number: 3)
        _ = stranger.ask(.createAccount)
        _ = laptop.announce()
        _ = stranger.announce()
        let joining = desktop.choose(stranger)
        simulation.settle()
        _ = stranger.ask(.answerJoin(desktop.id, admit: true))
        simulation.settle()
        #expect(desktop.ask(.confirmJoin(matches: false)).all == [.done(accepted: false)])
        #expect(joining.failure?.code == .joinDeclined)
        #expect(desktop.identity.account == nil)
        // It can choose again.
        _ = desktop.choose(laptop)
        simulation.settle()
        #expect(desktop.identity.nearby.invites.count == 2)
    }

    @Test func nothingIsAnnouncedWithoutAnInviteThatAsks() throws {
        simulation.time.advance(by: .seconds(600))
        _ = laptop.invite()
        _ = laptop.invite(asking: true)
        _ = laptop.ask(.createInvite(asking: false, announced: true))
        simulation.time.advance(by: .seconds(600))
        #expect(laptop.announced.isEmpty)
        _ = laptop.announce()
        simulation.time.advance(by: .seconds(10))
        #expect(laptop.announced.count == 11)
        #expect(Set(laptop.announced).count == 1)
        laptop.clientGoes()
        simulation.time.advance(by: .seconds(10))
        #expect(laptop.announced.count == 11)
        _ = laptop.announce()
        // Nothing in it is from the invite before, or of the device.
        #expect(try publicCode().bytes != Announcement(datagram: laptop.announced[0]).code)
        simulation.time.advance(by: InviteLimits.lifetime + .seconds(5))
        let all = laptop.announced.count
        simulation.time.advance(by: .seconds(60))
        #expect(laptop.announced.count == all)
    }

    @Test func listShowsWhatIsAnnouncedNow() throws {
        let list = desktop.ask(.listNearby)
        #expect(list.all == [.identity(.nearbyList([]))])
        _ = laptop.announce()
        desktop.identity.announcementReceived(laptop.announced[0], from: "10.0.0.1")
        desktop.identity.announcementReceived(laptop.announced[0], from: "fe80::1%eth0")
        guard case .identity(.nearbyList(let invites))? = list.all.last else { return #expect(Bool(false)) }
        #expect(invites.map(\.name.text) == ["laptop"])
        #expect(invites.map(\.address) == ["10.0.0.1:\(laptop.address.port)"])
        simulation.time.advance(by: NearbyInvites.memory)
        #expect(list.all.last == .identity(.nearbyList([])))
    }

    @Test func announcementsAreReadOnlyWithoutAnAccountAndWhileSomeoneWatches() throws {
        _ = laptop.announce()
        let phone = try simulation.device("phone", number: 4)
        phone.identity.announcementReceived(laptop.announced[0], from: "10.0.0.1")
        #expect(phone.identity.nearby.invites.isEmpty)
        _ = phone.ask(.listNearby)
        phone.identity.announcementReceived(laptop.announced[0], from: "10.0.0.1")
        #expect(phone.identity.nearby.invites.count == 1)
        phone.clientGoes()
        #expect(phone.identity.nearby.invites.isEmpty)
        _ = laptop.ask(.listNearby)
        laptop.identity.announcementReceived(laptop.announced[0], from: "10.0.0.1")
        #expect(laptop.identity.nearby.invites.isEmpty)
    }

    @Test func floodOfAnnouncementsDoesNotPushOutTheFirst() throws {
        _ = laptop.announce()
        desktop.identity.announcementReceived(laptop.announced[0], from: "10.0.0.1")
        for number in 0..<1000 {
            let code = Array("\(number)".utf8) + Array(repeating: 0, count: Limits.inviteCodeBytes)
            let forged = Announcement(
                code: Array(code.prefix(Limits.inviteCodeBytes)), name: DisplayText(cleaning: "laptop"), kind: .laptop,
                port: 1)
            let host = number.isMultiple(of: 2) ? "10.0.0.1" : "10.0.1.\(number % 250)"
            desktop.identity.announcementReceived(try forged.datagram(), from: host)
        }
        let invites = desktop.identity.nearby.invites
        #expect(invites.count == NearbyInvites.most)
        #expect(invites.first?.code == (try publicCode().text))
        #expect(invites.count { $0.address.hasPrefix("10.0.0.1:") } == NearbyInvites.mostPerHost)
    }

    @Test(arguments: [[], [0x81], [1, 2, 3], [0x81, 0xFF, 0xFF]] as [[UInt8]])
    func malformedAnnouncementIsIgnored(datagram: [UInt8]) {
        desktop.identity.announcementReceived(datagram, from: "10.0.0.1")
        #expect(desktop.identity.nearby.invites.isEmpty)
    }

    // MARK: Reports of bugs in other programs

    /// trezor/trezor-suite#17839, OpenCoven/coven#814.
    @Test(arguments: [true, false]) func commandThatEndsCancelsJoiningOnBothSides(nearby: Bool) throws {
        let invite = laptop.announce()
        guard case .identity(.invite(let offer))? = invite.all.first else { return #expect(Bool(false)) }
        _ = nearby ? desktop.choose(laptop) : desktop.join(offer.code, at: laptop)
        simulation.settle()
        #expect(invite.asked.count == 1)
        desktop.clientGoes()
        simulation.settle()
        #expect(invite.all.last == .identity(.joinLeft(desktop.id)))
        #expect(laptop.ask(.answerJoin(desktop.id, admit: true)).failure == Failure(.noInvite, ""))
        #expect(laptop.memberNames == ["laptop"])
        // The next attempt begins at once.
        _ = desktop.ask(.listNearby)
        let joining = desktop.choose(laptop)
        simulation.settle()
        _ = laptop.ask(.answerJoin(desktop.id, admit: true))
        _ = desktop.ask(.confirmJoin(matches: true))
        simulation.settle()
        #expect(joining.account != nil)
    }

    /// nymea/nymea#26: the address that was heard first does not take connections.
    @Test func otherAddressesOfTheDeviceAreTried() throws {
        let invite = laptop.announce()
        let datagram = try #require(laptop.announced.first)
        for host in ["10.99.0.1", "10.99.0.2", laptop.address.host] {
            desktop.identity.announcementReceived(datagram, from: host)
        }
        let listed = try #require(desktop.identity.nearby.invites.first)
        #expect(desktop.identity.nearby.invites.count == 1 && listed.address.hasPrefix("10.99.0.1:"))
        _ = desktop.ask(.joinAccount(code: listed.code, address: listed.address, nearby: true))
        simulation.time.advance(by: .seconds(30))
        #expect(invite.asked.map(\.name.text) == ["desktop"])
    }

    /// thisisankit27/f-tree#192.
    @Test func deviceIsAnnouncedByItsNewName() throws {
        _ = laptop.announce()
        _ = laptop.ask(.renameDevice(nil, to: "kitchen"))
        simulation.settle()
        #expect(try Announcement(datagram: try #require(laptop.announced.last)).name.text == "kitchen")
    }

    // MARK: A neighbour that asks again and again

    @Test func neighbourThatAsksAgainIsSlowedDownAndDoesNotKeepTheDeviceOut() throws {
        let invite = laptop.announce()
        for _ in 0..<5 {
            let link = try ask(from: "10.0.0.66")
            if let asked = invite.asked.last, link.refusal == nil {
                _ = laptop.ask(.answerJoin(asked.device, admit: false))
                #expect(link.refusal == Failure(.joinDeclined, ""))
            }
        }
        #expect(invite.asked.count == AnnouncedInviteLimits.questionsPerHost.burst)
        #expect(invite.inviteUsed == nil)
        let joining = desktop.choose(laptop)
        simulation.settle()
        #expect(invite.asked.last?.name.text == "desktop")
        _ = laptop.ask(.answerJoin(desktop.id, admit: true))
        _ = desktop.ask(.confirmJoin(matches: true))
        simulation.settle()
        #expect(joining.account != nil)
    }

    /// The question about the device is beside those about neighbours.
    @Test func devicesAreAskedAboutAtTheSameTime() throws {
        let invite = laptop.announce()
        let neighbour = try ask(from: "10.0.0.66")
        _ = desktop.choose(laptop)
        simulation.settle()
        #expect(invite.asked.map(\.name.text) == ["neighbour", "desktop"])
        _ = laptop.ask(.answerJoin(desktop.id, admit: true))
        #expect(neighbour.isClosed)
        #expect(laptop.memberNames == ["laptop", "desktop"])
    }

    @Test func neighboursWithManyAddressesUseUpTheListAndNotTheCode() throws {
        let invite = laptop.announce()
        guard case .identity(.invite(let offer))? = invite.all.first else { return #expect(Bool(false)) }
        for number in 0..<40 as Range<UInt8> {
            _ = try ask(from: "10.0.0.\(number)", key: 20 + number)
            if number % 4 == 3 {
                #expect(invite.asked.count <= Int(number) + 1)
                for asked in invite.asked { _ = laptop.ask(.answerJoin(asked.device, admit: false)) }
            }
        }
        #expect(invite.asked.count == AnnouncedInviteLimits.questions)
        let all = laptop.announced.count
        simulation.time.advance(by: .seconds(5))
        #expect(laptop.announced.count == all)
        // The typed code has its own questions.
        let joining = desktop.join(offer.code, at: laptop)
        simulation.settle()
        _ = laptop.ask(.answerJoin(desktop.id, admit: true))
        simulation.settle()
        #expect(joining.account != nil)
    }

    @Test func atMostFourNumbersAreShownAtOnce() throws {
        let invite = laptop.announce()
        let links = try (0..<6 as Range<UInt8>).map { try ask(from: "10.0.0.\($0)", key: 20 + $0) }
        #expect(invite.asked.count == AnnouncedInviteLimits.waiting)
        #expect(links[4].refusal == Failure(.limitReached, ""))
        laptop.identity.enrollLinkClosed(links[0], failure: nil)
        #expect(invite.all.last == .identity(.joinLeft(invite.asked[0].device)))
        #expect(laptop.ask(.answerJoin(invite.asked[0].device, admit: true)).failure == Failure(.noInvite, ""))
        simulation.time.advance(by: InviteLimits.decision)
        #expect(links[1].refusal == Failure(.inviteExpired, ""))
        #expect(laptop.memberNames == ["laptop"])
    }

    /// One address cannot close the connections of others.
    @Test func connectionsOfOneAddressCloseOnlyEachOther() throws {
        _ = laptop.announce()
        let desktop = RecordingLink(key: neighbour.publicKey.spki, host: "10.0.0.2")
        laptop.identity.enrollLinkAccepted(desktop)
        let flood = (0..<200).map { _ in
            RecordingLink(key: neighbour.publicKey.spki, host: "10.0.0.66", hasPublicCode: true)
        }
        for link in flood { laptop.identity.enrollLinkAccepted(link) }
        #expect(!desktop.isClosed)
        #expect(flood.count { !$0.isClosed } == InviteRequestHandler.links - 1)
    }

    /// A neighbour has the announced code only, so it can neither guess the typed one nor keep others from typing it.
    @Test func wrongProofsWithTheAnnouncedCodeCostTheTypedCodeNothing() throws {
        let invite = laptop.announce()
        guard case .identity(.invite(let offer))? = invite.all.first else { return #expect(Bool(false)) }
        // From the address of the honest device, and more than the invite bears.
        for number in 0..<InviteLimits.wrongTries + 10 {
            let code = number == 0 ? try InviteCode(text: offer.code) : InviteCode()
            #expect(try ask(from: desktop.address.host, code: code).refusal == Failure(.noInvite, ""))
        }
        #expect(invite.asked.isEmpty)
        let joining = desktop.join(offer.code, at: laptop)
        simulation.settle()
        _ = laptop.ask(.answerJoin(desktop.id, admit: true))
        simulation.settle()
        #expect(joining.account != nil)
    }

    // Shows L18, X01: the code is public, so it must not find the device later.
    @Test func announcedCodeIsAnsweredUntilShortlyAfterTheInvite() throws {
        func isAnswered() -> Bool { laptop.identity.callers.contains { $0.caller == .announced } }
        _ = laptop.invite(asking: true)
        #expect(!isAnswered())
        _ = laptop.announce()
        #expect(isAnswered())
        laptop.clientGoes()
        #expect(isAnswered())
        simulation.time.advance(by: AnnouncedInviteLimits.memory)
        #expect(!isAnswered())
        _ = laptop.announce()
        _ = laptop.invite(asking: true)
        #expect(!isAnswered())
        #expect(laptop.identity.callers.contains { $0.caller == .invited })
    }

    /// The answer was lost.
    @Test func admittedDeviceMayChooseAgain() throws {
        _ = laptop.announce()
        let first = try ask(from: "10.0.0.2")
        _ = laptop.ask(.answerJoin(neighbour.id, admit: true))
        #expect(first.admission != nil)
        let again = try ask(from: "10.0.0.2")
        #expect(again.admission != nil)
        let other = try ask(from: "10.0.0.3", key: 21)
        #expect(other.refusal == Failure(.inviteUsedUp, ""))
    }
}
