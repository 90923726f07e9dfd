// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Encodings that our code never writes, but an attacker may send.
package enum RawStates {
    package static let userInfo = 3
    package static let referrerURL = 5
    package static let search = 13
    /// Within `search`.
    package static let contentAttributes = 4

    /// A length-delimited protobuf field.
    package static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(bytes.count) + bytes
    }

    private static func varint(_ number: Int) -> [UInt8] {
        number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F | 0x80)] + varint(number >> 7)
    }

    /// A decoder merges a message that occurs twice.
    package static func body(of frame: PeerFrame, adding fields: [UInt8]) throws -> [UInt8] {
        switch frame.message {
        case .continuation(.fetched): try frame.encoded() + field(16, field(1, fields))
        case .sending(.sent): try frame.encoded() + field(26, field(2, fields))
        default: try frame.encoded()
        }
    }

    package static func stored(_ stored: StoredSend, adding fields: [UInt8]) throws -> [UInt8] {
        try stored.encoded() + field(storedState, fields)
    }
    private static let storedState = 5

    package static func userInfo(_ value: Value) throws -> [UInt8] { field(userInfo, try value.encoded()) }
}
