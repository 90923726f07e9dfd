// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// Shows Q06. A disk with a device's state is copied to another machine, and both run.
@Suite struct CopiedDeviceTests {
    private let town: Town

    init() throws { town = try Town.founded(seed: 11) }

    @Test(arguments: 0...2) func everyDeviceWarnsWithinAMinute(number: Int) throws {
        let original = town.devices[number]
        let others = town.devices.filter { $0 !== original }
        let copy = town.copy(of: original)
        try copy.start()
        town.time.advance(by: .seconds(60))
        #expect(try warnings(of: original).contains { $0.hasPrefix("The device at \(copy.host) has a copy of") })
        #expect(try warnings(of: copy).contains { $0.hasPrefix("The device at \(original.host) has a copy of") })
        for other in others {
            #expect(try warnings(of: other).map { $0.hasPrefix("Two machines have the key of") } == [true])
        }
    }

    @Test(arguments: 0...2) func machinesThatDoNotHearEachOtherAreToldByTheOthers(number: Int) throws {
        let original = town.devices[number]
        let others = town.devices.filter { $0 !== original }
        let copy = town.copy(of: original)
        town.network.partition([original.host], [copy.host])
        try copy.start()
        town.time.advance(by: .seconds(60))
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
        let original = town.devices[number]
        let copy = town.copy(of: original)
        try copy.start()
        town.time.advance(by: .seconds(10))
        for _ in 0..<600 {
            town.time.advance(by: .seconds(1))
            #expect(copy.connected.count == 2)
        }
    }

    @Test(arguments: 0...2) func warningEndsAfterTheCopyStopped(number: Int) throws {
        let original = town.devices[number]
        let copy = town.copy(of: original)
        try copy.start()
        town.time.advance(by: .seconds(60))
        copy.crash()
        town.time.advance(by: SessionLimits.copyIsReportedFor + .seconds(60))
        for device in town.devices where device !== copy { #expect(try warnings(of: device).isEmpty) }
        #expect(original.connected.count == 2)
    }

    @Test(arguments: 0...2) func restoredBackupIsNotACopy(number: Int) throws {
        let original = town.devices[number]
        let restored = town.copy(of: original)
        original.crash()
        try restored.start()
        town.time.advance(by: .seconds(600))
        for device in town.devices where device !== original { #expect(try warnings(of: device).isEmpty) }
    }

    @Test(arguments: 0...2) func restartedDeviceIsNotItsOwnCopy(number: Int) throws {
        let device = town.devices[number]
        // By its clock, the second run is the earlier one.
        for error in [Duration.zero, .seconds(-300)] {
            device.crash()
            device.clockError = error
            try device.start()
            town.time.advance(by: .seconds(300))
            for device in town.devices { #expect(try warnings(of: device).isEmpty) }
        }
    }

    @Test func warningGoesWithTheKey() throws {
        let original = town.devices[1]
        let copy = town.copy(of: original)
        try copy.start()
        town.time.advance(by: .seconds(60))
        try town.ask(original, .identity(.leaveAccount(evenAsMember: true)))
        #expect(try warnings(of: original).isEmpty)
    }

    private func warnings(of device: TownDevice) throws -> [String] {
        guard case .status(.status(let status)) = try town.ask(device, .status(.getStatus)) else { return ["none"] }
        return status.warnings
    }
}
