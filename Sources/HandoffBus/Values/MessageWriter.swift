// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

struct MessageWriter {
    let message: OpaquePointer

    func append(_ values: [BusValue]) throws(BusFailure) {
        for value in values { try append(value) }
    }

    private func append(_ value: BusValue) throws(BusFailure) {
        switch value {
        case .byte(let number): try basic("y", number)
        case .boolean(let flag): try basic("b", CInt(flag ? 1 : 0))
        case .int16(let number): try basic("n", number)
        case .uint16(let number): try basic("q", number)
        case .int32(let number): try basic("i", number)
        case .uint32(let number): try basic("u", number)
        case .int64(let number): try basic("x", number)
        case .uint64(let number): try basic("t", number)
        case .double(let number): try basic("d", number)
        case .string(let text): try string("s", text)
        case .objectPath(let text): try string("o", text)
        case .signature(let text): try string("g", text)
        case .descriptor(let file): try basic("h", file.number)
        case .array(let element, let elements):
            if let bytes = value.bytes, element == .byte { return try append(bytes) }
            try container("a", element.code, elements)
        case .structure(let members): try container("r", members.map(\.type.code).joined(), members)
        case .entry(let key, let inner): try container("e", key.type.code + inner.type.code, [key, inner])
        case .variant(let inner): try container("v", inner.type.code, [inner])
        }
    }

    private func basic<Number: BitwiseCopyable>(_ code: Unicode.Scalar, _ number: Number) throws(BusFailure) {
        try check(
            withUnsafeBytes(of: number) {
                sd_bus_message_append_basic(message, CChar(truncatingIfNeeded: code.value), $0.baseAddress)
            })
    }

    /// A string on the bus ends at the first zero byte.
    private func string(_ code: Unicode.Scalar, _ text: String) throws(BusFailure) {
        try check(
            text.withCString { sd_bus_message_append_basic(message, CChar(truncatingIfNeeded: code.value), $0) })
    }

    private func append(_ bytes: [UInt8]) throws(BusFailure) {
        try check(
            bytes.withUnsafeBytes {
                sd_bus_message_append_array(message, CChar(UInt8(ascii: "y")), $0.baseAddress, $0.count)
            })
    }

    private func container(_ code: Unicode.Scalar, _ contents: String, _ values: [BusValue]) throws(BusFailure) {
        try check(sd_bus_message_open_container(message, CChar(truncatingIfNeeded: code.value), contents))
        try append(values)
        try check(sd_bus_message_close_container(message))
    }

    private func check(_ result: CInt) throws(BusFailure) {
        try BusFailure.check(result, "cannot write a message")
    }
}
