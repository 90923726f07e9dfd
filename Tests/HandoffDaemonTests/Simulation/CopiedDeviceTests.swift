// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Shows Q06. A disk with a device's state is copied to another machine, and both run.
@Suite struct CopiedDeviceTests {
    private let simulation: Simulation

    init() throws { simulation = try Simulation.founded(seed: 11) }

    @Test(arguments: 0...2) func everyDeviceWarnsWithinAMinute(number: Int) throws {
        let original = simulation.devices[number]
        let others = simulation.devices.filter { $0 !== original }
        let copy = simulation.copy(of: original)
        try copy.start()
        simulation.time.advance(by: .seconds(60))
        #expect(try warnings(of: original).contains { $0.hasPrefix("The device at \(copy.host) has a copy of") })
        #expect(try warnings(of: copy).contains { $0.hasPrefix("The device at \(original.host) has a copy of") })
        for other in others {
            #expect(try warnings(of: other).map { $0.hasPrefix("Two machines have the key of") } == [true])
        }
    }

    @Test(arguments: 0...2) func separatedCopiesAreReportedByOtherDevices(number: Int) throws {
        let original = simulation.devices[number]
        let others = simulation.devices.filter { $0 !== original }
        let copy = simulation.copy(of: original)
        simulation.network.partition([original.host], [copy.host])
        try copy.start()
        simulation.time.advance(by: .seconds(60))
        for machine in [original, copy] {
            #expect(
                try warnings(of: machine).contains {
                    $0.hasPrefix("Another machine has a copy of this device's key, as")
                })
        }
        for other in others {
            #expect(try warnings(of: other).map { $0.hasPrefix("Two machines have the key of") } == [true])
        }
    }

    @Test(arguments: 0...2) func sessionsStayWithTheMachineThatStartedLast(number: Int) throws {
        let original = simulation.devices[number]
        let copy = simulation.copy(of: original)
        try copy.start()
        simulation.time.advance(by: .seconds(10))
        for _ in 0..<600 {
            simulation.time.advance(by: .seconds(1))
            #expect(copy.connected.count == 2)
        }
    }

    @Test(arguments: 0...2) func warningEndsAfterTheCopyStopped(number: Int) throws {
        let original = simulation.devices[number]
        let copy = simulation.copy(of: original)
        try copy.start()
        simulation.time.advance(by: .seconds(60))
        copy.crash()
        simulation.time.advance(by: SessionLimits.copyIsReportedFor + .seconds(60))
        for device in simulation.devices where device !== copy { #expect(try warnings(of: device).isEmpty) }
        #expect(original.connected.count == 2)
    }

    @Test(arguments: 0...2) func restoredBackupIsNotACopy(number: Int) throws {
        let original = simulation.devices[number]
        let restored = simulation.copy(of: original)
        original.crash()
        try restored.start()
        simulation.time.advance(by: .seconds(600))
        for device in simulation.devices where device !== original { #expect(try warnings(of: device).isEmpty) }
    }

    @Test(arguments: 0...2) func restartedDeviceIsNotItsOwnCopy(number: Int) throws {
        let device = simulation.devices[number]
        // By its clock, the second run is the earlier one.
        for error in [Duration.zero, .seconds(-300)] {
            device.crash()
            device.clockError = error
            try device.start()
            simulation.time.advance(by: .seconds(300))
            for device in simulation.devices { #expect(try warnings(of: device).isEmpty) }
        }
    }

    @Test func warningGoesWithTheKey() throws {
        let original = simulation.devices[1]
        let copy = simulation.copy(of: original)
        try copy.start()
        simulation.time.advance(by: .seconds(60))
        try simulation.ask(original, .identity(.leaveAccount(evenAsMember: true)))
        #expect(try warnings(of: original).isEmpty)
    }

    private func warnings(of device: SimulatedDevice) throws -> [String] {
        guard case .status(.status(let status)) = try simulation.ask(device, .status(.getStatus)) else {
            return ["none"]
        }
        return status.warnings
    }
}
