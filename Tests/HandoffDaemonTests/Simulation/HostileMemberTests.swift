// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffDaemon

// Shows X06, T04.

/// The cost of a hostile member for the others: writes, bytes, sessions.
@Suite struct HostileMemberTests {
    let simulation: Simulation
    let laptop: SimulatedDevice
    let desktop: SimulatedDevice
    let phone: SimulatedDevice

    init() throws {
        simulation = try Simulation.founded(seed: 7)
        laptop = simulation.devices[0]
        desktop = simulation.devices[1]
        phone = simulation.devices[2]
    }

    private func connected(_ one: SimulatedDevice, _ other: SimulatedDevice) -> Bool {
        other.device.map { one.connected.contains($0) } ?? false
    }

    /// Without limits, this blocked the others for 97 seconds and made them send 54 MB.
    @Test func renamesInALoopCostTheOthersAlmostNothing() throws {
        let thief = try HostileMember(in: phone, of: simulation)
        let link = try #require(thief.dial(laptop))
        let (sent, written) = (simulation.network.bytesSent[laptop.host] ?? 0, laptop.store.writes["account.bin"] ?? 0)
        for update in try thief.renames(of: try #require(desktop.device), count: 900) {
            link.send(PeerFrame(.roster(update)))
        }
        simulation.time.advance(by: .seconds(30))
        #expect(connected(laptop, desktop))
        #expect((simulation.network.bytesSent[laptop.host] ?? 0) - sent < 64 * 1024)
        #expect((laptop.store.writes["account.bin"] ?? 0) - written <= RosterLimits.merges.burst + 3)
        // Its statements still reach every device.
        simulation.time.advance(by: .seconds(120))
        for device in [laptop, desktop] { #expect(device.names[desktop.device!] == "name 899") }
    }

    /// A digest that never matches makes this device send its whole roster.
    @Test func helloInALoopDoesNotMakeUsSendTheRosterEachTime() throws {
        let thief = try HostileMember(in: phone, of: simulation)
        _ = try thief.renames(of: thief.key.id, count: 1)
        for _ in 0..<50 {
            guard let link = thief.dial(laptop) else { continue }
            link.close()
            simulation.time.advance(by: .milliseconds(50))
        }
        #expect(thief.rostersReceived <= RosterLimits.tellings.burst + 2)
        #expect(connected(laptop, desktop))
    }

    /// Nor do requests.
    @Test func askingForTheRosterInALoopDoesNotMakeUsSendItEachTime() throws {
        let thief = try HostileMember(in: phone, of: simulation)
        let link = try #require(thief.dial(laptop))
        for _ in 0..<500 { link.send(PeerFrame(.roster(RosterUpdate()))) }
        simulation.time.advance(by: .seconds(10))
        #expect(thief.rostersReceived == RosterLimits.tellings.burst)
    }

    /// Shows Y06: nonsense, a megabyte, or nothing.
    @Test func doctorReportsAnyAnswerOfAMember() throws {
        let thief = try HostileMember(in: phone, of: simulation)
        _ = try #require(thief.dial(laptop))
        let question = OfferQuestion(device: thief.key.id.description, type: try ActivityType("com.example.editing"))
        let answers: [(PeerMessage?, String)] = [
            (.pong, "gave an unexpected answer"),
            (
                .failure(Failure(.internal, String(repeating: "x", count: 1_000_000))),
                "does not say what it offers: xxx"
            ),
            (.advertising(.offerAnswer(OfferAnswer(offered: .max))), "offers 4294967295 such activities"),
            (nil, "does not say what it offers"),
        ]
        for (answer, seen) in answers {
            thief.answer = { if case .advertising(.offerQuestion) = $0 { answer } else { nil } }
            guard
                case .status(.explanation(let findings)) = try simulation.ask(laptop, .status(.explainOffer(question)))
            else {
                Issue.record("no explanation")
                return
            }
            #expect(findings.contains { $0.seen.contains(seen) }, "\(findings)")
            #expect(findings.allSatisfy { $0.seen.utf8.count < 4096 })
        }
    }

    /// The machine that left keeps its files, but their key no longer opens beacons.
    @Test func deviceThatLeftLacksTheNewBeaconKey() throws {
        let thief = try HostileMember(in: phone, of: simulation)
        let link = try #require(thief.dial(laptop))
        link.send(PeerFrame(.roster(try thief.leave())))
        simulation.time.advance(by: .seconds(30))
        #expect(laptop.members.count == 2)
        #expect(desktop.members == laptop.members)
        let old = try #require(thief.record.beaconKey)
        let now = try #require(try laptop.record.beaconKey)
        #expect(old.bytes != now.bytes)
        #expect(try desktop.record.beaconKey?.bytes == now.bytes)
        #expect(connected(laptop, desktop))
    }

    /// Forged recoveries, as many as fit, repeatedly.
    @Test func formerMembersStatementsAreBounded() throws {
        let thief = try HostileMember(in: phone, of: simulation)
        try simulation.ask(laptop, .identity(.removeDevice("device 2", onlyAsk: false)))
        simulation.time.advance(by: .seconds(5))
        let forged = try thief.forgedRecoveries(60)
        let link = try #require(thief.dial(laptop))
        for _ in 0..<20 { link.send(PeerFrame(.roster(RosterUpdate(statements: forged)))) }
        simulation.time.advance(by: .seconds(1))
        #expect(thief.closed.count == 1)
        #expect(connected(laptop, desktop))
        // The number of notifications within a few seconds is bounded, and no link remains.
        for _ in 0..<30 { _ = thief.dial(laptop) }
        #expect(thief.rostersReceived <= 5)
        #expect(simulation.network.openLinks(between: laptop.host, and: phone.host) <= 1)
        simulation.time.advance(by: .seconds(10))
        #expect(simulation.network.openLinks(between: laptop.host, and: phone.host) == 0)
    }
}

extension HostileMember {
    var rostersReceived: Int {
        received.count { frame in
            if case .roster = frame.message { true } else { false }
        }
    }

    /// In the name of the recovery key, with signatures of this device.
    func forgedRecoveries(_ count: Int) throws -> [SignedStatement] {
        let root = try #require(record.roster.history.first { $0.isRoot })
        return try (0..<count).map { number in
            let device = DeviceDescription(
                key: key.publicKey.spki, name: DisplayText(cleaning: "\(number)"), kind: .phone)
            var signed = try RosterStatement(
                account: record.roster.account, time: WallTime(milliseconds: Int64(number)), epoch: 1,
                kind: .recovered(device, secretHash: nil)
            ).signed(by: key)
            signed.signer = root.signed.signer
            return signed
        }
    }
}

extension SimulatedDevice {
    var record: AccountRecord { get throws { try AccountRecord(bytes: store.files["account.bin"] ?? []) } }

    fileprivate var names: [DeviceID: String] {
        guard let record = try? record else { return [:] }
        return record.roster.members.mapValues(\.name.text)
    }
}
