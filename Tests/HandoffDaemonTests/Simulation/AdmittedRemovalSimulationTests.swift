// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

/// A member that admitted three hundred devices is removed.
@Suite struct AdmittedRemovalSimulationTests {
    static let admissions = 300

    let simulation: Simulation
    let laptop: SimulatedDevice
    let desktop: SimulatedDevice
    let thief: DeviceID

    init() throws {
        simulation = try Simulation.founded(seed: 7)
        laptop = simulation.devices[0]
        desktop = simulation.devices[1]
        let hostile = try HostileMember(in: simulation.devices[2], of: simulation)
        thief = hostile.key.id
        let link = try #require(hostile.dial(laptop))
        link.send(PeerFrame(.roster(try hostile.admissions(count: Self.admissions))))
        let (laptop, desktop) = (laptop, desktop)
        let all = Self.admissions + 3
        let haveHeard = simulation.time.run(
            until: { laptop.members.count == all && desktop.members.count == all }, within: .seconds(300))
        try #require(haveHeard)
    }

    private func remove(onlyAsk: Bool = false, withAdmitted: Bool = false) throws -> DeviceSummary {
        let answer = try simulation.ask(
            laptop, .identity(.removeDevice("device 2", onlyAsk: onlyAsk, withAdmitted: withAdmitted)))
        guard case .identity(.device(let device)) = answer else { throw Failure(.internal, "\(answer)") }
        return device
    }

    private func devices(of device: SimulatedDevice) throws -> [DeviceSummary] {
        guard case .identity(.deviceList(let list)) = try simulation.ask(device, .identity(.listDevices())) else {
            return []
        }
        return list
    }

    @Test func thePlainRemovalNamesThoseThatStayAndThoseThatGo() throws {
        let asked = try remove(onlyAsk: true)
        #expect(asked.dependents.count == Limits.keptStatements)
        #expect(asked.alsoRemoved.count == Self.admissions - Limits.keptStatements)
        #expect(laptop.members.count == Self.admissions + 3)

        let removed = try remove()
        #expect(removed.dependents.map(\.device) == asked.dependents.map(\.device))
        #expect(removed.alsoRemoved.map(\.device) == asked.alsoRemoved.map(\.device))
        #expect(laptop.members.count == Limits.keptStatements + 2)
        let stayed = try devices(of: laptop).filter { $0.name.text.hasPrefix("invention") }
        #expect(stayed.count == Limits.keptStatements)
        #expect(stayed.allSatisfy { $0.admittedBy?.text == "device 2" && $0.isAdmitterRemoved })
        let others = try devices(of: laptop).filter { !$0.isAdmitterRemoved }
        #expect(others.count == 2)
    }

    @Test func withAdmittedNoneOfThemStaysOnAnyDevice() throws {
        let before = try laptop.record
        let removed = try remove(withAdmitted: true)
        #expect(removed.alsoRemoved.count == Self.admissions)
        #expect(removed.dependents.isEmpty)
        let (laptop, desktop) = (laptop, desktop)
        #expect(simulation.time.run(until: { desktop.members.count == 2 }, within: .seconds(60)))
        #expect(laptop.members == desktop.members)
        let after = try laptop.record
        #expect(after.roster.statementCount == before.roster.statementCount + 1)
        #expect(after.beaconKey?.bytes != before.beaconKey?.bytes)
        let desktopKey = try desktop.record.beaconKey?.bytes
        #expect(desktopKey == after.beaconKey?.bytes)
    }

    @Test func thoseThatStayedCanBeRemovedLater() throws {
        _ = try remove()
        #expect(throws: Failure(.noSuchDevice, "")) { try remove() }
        let removed = try remove(withAdmitted: true).alsoRemoved
        #expect(removed.count == Limits.keptStatements)
        let desktop = desktop
        #expect(simulation.time.run(until: { desktop.members.count == 2 }, within: .seconds(60)))
        #expect(throws: Failure(.noSuchDevice, "")) { try remove(withAdmitted: true) }
    }
}
