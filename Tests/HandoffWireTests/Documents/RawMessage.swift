// SPDX-License-Identifier: Apache-2.0

/// A protocol message built field by field, as another implementation may write it.
struct RawMessage {
    var bytes: [UInt8] = []

    func field(_ number: UInt64, _ content: [UInt8]) -> RawMessage {
        RawMessage(bytes: bytes + Self.varint(number << 3 | 2) + Self.varint(UInt64(content.count)) + content)
    }

    func field(_ number: UInt64, _ message: RawMessage) -> RawMessage { field(number, message.bytes) }

    func field(_ number: UInt64, _ value: UInt64) -> RawMessage {
        RawMessage(bytes: bytes + Self.varint(number << 3) + Self.varint(value))
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        var (value, bytes) = (value, [UInt8]())
        while value >= 128 {
            bytes.append(UInt8(value & 127) | 128)
            value >>= 7
        }
        return bytes + [UInt8(value)]
    }
}
