// SPDX-License-Identifier: Apache-2.0

/// Chosen by the phone or its program; not a device of the account.
package struct PhoneID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) throws(WireError) {
        guard (1...Limits.phoneIDBytes).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            throw WireError(
                .badIdentifier,
                "a phone's id has 1 to \(Limits.phoneIDBytes) ASCII letters, digits, underscores and hyphens")
        }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    package static func < (left: PhoneID, right: PhoneID) -> Bool { left.text < right.text }
    package var description: String { text }
}
