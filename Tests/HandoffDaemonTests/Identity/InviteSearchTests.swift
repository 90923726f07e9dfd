// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffDaemon

// Shows T02, X04.

/// Joining without an address, and which beacons can be opened. The tests pass the beacons themselves.
@Suite struct InviteSearchTests {
    let simulation = JoiningSimulation()
    let laptop: JoiningDevice
    let desktop: JoiningDevice

    init() throws {
        laptop = try simulation.device("laptop", number: 1)
        desktop = try simulation.device("desktop", number: 2)
        _ = laptop.ask(.createAccount)
    }

    @Test func joinerAndInviterFindEachOther() throws {
        let invite = laptop.invite()
        let joining = desktop.ask(.joinAccount(code: invite.code, address: nil))
        #expect(desktop.identity.isSearchingInviter)
        #expect(desktop.searches == 1)
        #expect(desktop.changes.isEmpty)

        let question = try #require(desktop.identity.seal(desktop.makeBeacon(), with: .invite))
        let heard = try #require(laptop.identity.open(question, from: "10.0.0.9"))
        #expect(heard.key == .invite)
        #expect(heard.beacon.device == desktop.id)
        let answer = try #require(laptop.identity.seal(laptop.makeBeacon(), with: .invite))
        #expect(desktop.identity.open(answer, from: "10.0.0.9")?.beacon.device == laptop.id)

        desktop.identity.inviterFound(at: laptop.address)
        #expect(!desktop.identity.isSearchingInviter)
        simulation.settle()
        #expect(joining.account?.devices.count == 2)
        #expect(desktop.identity.seal(desktop.makeBeacon(), with: .invite) == nil)
        #expect(laptop.identity.seal(laptop.makeBeacon(), with: .invite) == nil)
    }

    @Test func searchEndsWithAHelpfulReason() {
        let joining = desktop.ask(.joinAccount(code: InviteCode().text, address: nil))
        simulation.time.advance(by: JoinLimits.search)
        #expect(joining.failure?.code == .inviterNotFound)
        #expect(joining.failure?.reason.contains("five minutes") == true)
        #expect(!desktop.identity.isSearchingInviter)
        #expect(desktop.searches == 2)
        #expect(desktop.changes.isEmpty)
    }

    @Test func addressThatLeadsNowhereIsNotTheEndOfTheSearch() {
        let invite = laptop.invite()
        simulation.network.dialTimeout = .seconds(2)
        let joining = desktop.ask(.joinAccount(code: invite.code, address: nil))
        desktop.identity.inviterFound(at: NetworkAddress(host: "nowhere", port: 1))
        simulation.time.advance(by: .seconds(3))
        #expect(desktop.identity.isSearchingInviter)
        desktop.identity.inviterFound(at: laptop.address)
        simulation.settle()
        #expect(joining.account != nil)
    }

    @Test func clockOfAJoiningDeviceMayBeWrong() throws {
        let invite = laptop.invite()
        _ = desktop.ask(.joinAccount(code: invite.code, address: nil))
        var beacon = desktop.makeBeacon()
        beacon.time = WallTime(milliseconds: 0)
        let sealed = try #require(desktop.identity.seal(beacon, with: .invite))
        #expect(laptop.identity.open(sealed, from: "10.0.0.9") != nil)
        #expect(laptop.identity.open(sealed, from: "10.0.0.9") == nil)
    }

    // MARK: Beacons of members

    @Test func beaconOfAMemberOpensOnce() throws {
        let sealed = try #require(laptop.identity.seal(laptop.makeBeacon(), with: .account))
        #expect(laptop.identity.open(sealed, from: "10.0.0.9")?.key == .account)
        #expect(laptop.identity.open(sealed, from: "10.0.0.9") == nil)
    }

    @Test func oldBeaconDoesNotOpen() throws {
        let sealed = try #require(laptop.identity.seal(laptop.makeBeacon(), with: .account))
        simulation.time.advance(by: ReplayWindow.tolerance + .seconds(1))
        #expect(laptop.identity.open(sealed, from: "10.0.0.9") == nil)
    }

    @Test func beaconOfAnotherAccountDoesNotOpen() throws {
        _ = desktop.ask(.createAccount)
        let sealed = try #require(desktop.identity.seal(desktop.makeBeacon(), with: .account))
        #expect(laptop.identity.open(sealed, from: "10.0.0.9") == nil)
    }

    /// Each forged beacon costs a decryption and has no effect: the real one can still be opened.
    @Test func tenThousandForgedBeaconsChangeNothing() throws {
        let real = try #require(laptop.identity.seal(laptop.makeBeacon(), with: .account))
        var forged = real
        var random = Randomness.seeded(5)
        for _ in 0..<10_000 {
            forged[Int.random(in: 1..<forged.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            guard forged != real else { continue }
            #expect(laptop.identity.open(forged, from: "10.0.0.9") == nil)
        }
        #expect(laptop.identity.open(real, from: "10.0.0.9") != nil)
        #expect(laptop.changes.count == 1)
    }
}
