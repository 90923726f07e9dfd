// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import HandoffWire

struct PayloadDecoder: Decoder {
    let value: Value
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ value: Value, at codingPath: [any CodingKey] = []) {
        self.value = value
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .dictionary(let entries) = value else { throw mismatch(type) }
        return KeyedDecodingContainer(KeyedPayloadReader<Key>(entries: entries, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        switch value {
        case .array(let items): ListPayloadReader(items: items, codingPath: codingPath)
        // An app may have set a set directly.
        case .set(let members): ListPayloadReader(items: Array(members), codingPath: codingPath)
        default: throw mismatch([Any].self)
        }
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "The value has another type."))
    }
}

extension PayloadDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .boolean(let flag) = value else { throw mismatch(type) }
        return flag
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let text) = value else { throw mismatch(type) }
        return text.text
    }

    func decode(_ type: Double.Type) throws -> Double {
        switch value {
        case .double(let number): number
        case .signed(let number): try exactly(Double(exactly: number))
        case .unsigned(let number): try exactly(Double(exactly: number))
        default: throw mismatch(type)
        }
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        switch (value, type) {
        case (.date(let seconds), is Date.Type):
            return try exactly(Date(timeIntervalSinceReferenceDate: seconds) as? T)
        case (.bytes(let bytes), is Data.Type):
            return try exactly(Data(bytes) as? T)
        case (.url(let text), is URL.Type):
            return try exactly(URL(string: text.text) as? T)
        case (.uuid(let bytes), is UUID.Type):
            return try exactly(UUID(bytes: bytes) as? T)
        // Their own decoding would also accept a number or a string.
        case (_, is Date.Type), (_, is Data.Type), (_, is URL.Type), (_, is UUID.Type):
            throw mismatch(type)
        default:
            return try T(from: self)
        }
    }

    /// Accepts every kind of number that fits.
    private func integer<T: FixedWidthInteger>() throws -> T {
        switch value {
        case .signed(let number): try exactly(T(exactly: number))
        case .unsigned(let number): try exactly(T(exactly: number))
        case .double(let number): try exactly(T(exactly: number))
        default: throw mismatch(T.self)
        }
    }

    private func exactly<T>(_ converted: T?) throws -> T {
        guard let converted else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "\(T.self) cannot hold the value."))
        }
        return converted
    }
}
