// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

// Shows X08: a device that copies another one's name is distinguished by its ID.
@Suite struct DeviceNamesTests {
    private func device(_ number: UInt8) -> DeviceID { DeviceID(uncheckedBytes: [UInt8](repeating: number, count: 32)) }

    private func shown(_ names: String...) -> [String] {
        let named = names.enumerated().map { (device: device(UInt8($0)), name: $1) }
        let list = DeviceNames(named)
        return named.map { list.shown($0.device) }
    }

    @Test func distinctPlainNamesAreShownUnchanged() {
        #expect(shown("laptop", "desktop", "Anna's phone") == ["laptop", "desktop", "Anna's phone"])
    }

    @Test(arguments: ["laptop", "Laptop", "lap top", "1aptop", "laptop."]) func namesThatReadAlikeHaveTheirIDs(
        _ other: String
    ) {
        #expect(
            shown("laptop", other)
                == ["laptop (\(device(0).short))", "\(other) (\(device(1).short))"])
    }

    // Cyrillic letters, a zero-width joiner, and two kinds of spaces.
    @Test(arguments: ["lаptоp", "lap\u{200D}top", "\u{3164}", " ", ""]) func namesThatAreNotPlainHaveTheirIDs(
        _ other: String
    ) {
        #expect(shown("laptop", other) == ["laptop", "\(other) (\(device(1).short))"])
    }
}
