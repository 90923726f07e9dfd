// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Bytes that no encoder of ours writes: what a hostile device may put into a state.
package enum RawStates {
    package static let userInfo = 3
    package static let referrerURL = 5
    package static let search = 13
    /// Within `search`.
    package static let contentAttributes = 4

    /// A field of protobuf that has bytes.
    package static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(bytes.count) + bytes
    }

    private static func varint(_ number: Int) -> [UInt8] {
        number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F | 0x80)] + varint(number >> 7)
    }

    /// The body of a frame that has `frame`'s state with `fields` in it too. A reader merges a message that is given twice.
    package static func body(of frame: PeerFrame, adding fields: [UInt8]) throws -> [UInt8] {
        switch frame.message {
        case .continuation(.fetched): try frame.encoded() + field(16, field(1, fields))
        case .sending(.sent): try frame.encoded() + field(26, field(2, fields))
        default: try frame.encoded()
        }
    }

    /// A file of a sent activity with `fields` in its state.
    package static func stored(_ stored: StoredSend, adding fields: [UInt8]) throws -> [UInt8] {
        try stored.encoded() + field(storedState, fields)
    }
    private static let storedState = 5

    package static func userInfo(_ value: Value) throws -> [UInt8] { field(userInfo, try value.encoded()) }
}
