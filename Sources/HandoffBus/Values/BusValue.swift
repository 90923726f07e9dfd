// SPDX-License-Identifier: Apache-2.0

package indirect enum BusValue: Hashable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// An open file; the sender of the message keeps its own descriptor.
    case descriptor(SharedDescriptor)
    case array(of: BusType, [BusValue])
    case structure([BusValue])
    case entry(BusValue, BusValue)
    case variant(BusValue)
}

extension BusValue {
    package var type: BusType {
        switch self {
        case .byte: .byte
        case .boolean: .boolean
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .double: .double
        case .string: .string
        case .objectPath: .objectPath
        case .signature: .signature
        case .descriptor: .descriptor
        case .array(let element, _): .array(element)
        case .structure(let members): .structure(members.map(\.type))
        case .entry(let key, let value): .entry(key.type, value.type)
        case .variant: .variant
        }
    }

    // MARK: Construction

    package static func strings(_ values: [String]) -> BusValue { .array(of: .string, values.map(BusValue.string)) }
    package static func bytes(_ values: [UInt8]) -> BusValue { .array(of: .byte, values.map { everyByte[Int($0)] }) }
    /// Shared, because values are on the heap and a picture has thousands of bytes.
    private static let everyByte = (0...255).map(BusValue.byte)

    /// `a{sv}`, sorted by key.
    package static func properties(_ values: [String: BusValue]) -> BusValue {
        .array(
            of: .entry(.string, .variant),
            values.sorted { $0.key < $1.key }.map { .entry(.string($0.key), .variant($0.value)) })
    }

    // MARK: Access

    package var text: String? {
        switch self {
        case .string(let text), .objectPath(let text), .signature(let text): text
        case .variant(let value): value.text
        default: nil
        }
    }

    package var flag: Bool? {
        switch self {
        case .boolean(let flag): flag
        case .variant(let value): value.flag
        default: nil
        }
    }

    /// Any integer type.
    package var integer: Int64? {
        switch self {
        case .byte(let number): Int64(number)
        case .int16(let number): Int64(number)
        case .uint16(let number): Int64(number)
        case .int32(let number): Int64(number)
        case .uint32(let number): Int64(number)
        case .int64(let number): number
        case .uint64(let number): Int64(exactly: number)
        case .variant(let value): value.integer
        default: nil
        }
    }

    package var elements: [BusValue]? {
        switch self {
        case .array(_, let elements): elements
        case .structure(let members): members
        case .variant(let value): value.elements
        default: nil
        }
    }

    package var strings: [String]? {
        guard case .array(.string, let elements) = unwrapped else { return nil }
        return elements.compactMap(\.text)
    }

    package var bytes: [UInt8]? {
        guard case .array(.byte, let elements) = unwrapped else { return nil }
        return elements.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
    }

    /// `a{s…}`; of two entries with the same key, the last one is used.
    package var properties: [String: BusValue]? {
        guard case .array(.entry(.string, _), let elements) = unwrapped else { return nil }
        var found: [String: BusValue] = [:]
        for case .entry(.string(let key), let value) in elements { found[key] = value.unwrapped }
        return found
    }

    /// The content of a variant, even nested.
    package var unwrapped: BusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }
}
