// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct DeviceChoiceTests {
    private let devices = [("Anna's laptop", 1), ("desktop", 2), ("desktop", 3)].map { name, number in
        (
            device: DeviceID(uncheckedBytes: Array(repeating: UInt8(number), count: 32)),
            name: DisplayText(cleaning: name)
        )
    }

    private func failure(_ text: String) -> Failure? {
        do throws(Failure) {
            _ = try DeviceChoice.one(text, of: devices)
            return nil
        } catch { return error }
    }

    @Test func aDeviceIsKnownByItsNameOrTheBeginningOfItsID() throws {
        #expect(try DeviceChoice.one("anna's LAPTOP", of: devices) == devices[0].device)
        #expect(try DeviceChoice.one(String(devices[1].device.description.prefix(7)), of: devices) == devices[1].device)
        #expect(try DeviceChoice.one(devices[2].device.description.lowercased(), of: devices) == devices[2].device)
    }

    @Test func unknownOrAmbiguousNameIsRejected() {
        #expect(failure("phone")?.code == .noSuchDevice)
        #expect(failure("")?.code == .noSuchDevice)
        #expect(failure("desktop")?.reason.contains("several") == true)
    }
}
