// SPDX-License-Identifier: Apache-2.0

package indirect enum BusType: Hashable, Sendable {
    case byte, boolean, int16, uint16, int32, uint32, int64, uint64, double, string, objectPath, signature, descriptor
    case array(BusType)
    case structure([BusType])
    case entry(BusType, BusType)
    case variant

    package var code: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .array(let element): "a" + element.code
        case .structure(let members): "(" + members.map(\.code).joined() + ")"
        case .entry(let key, let value): "{" + key.code + value.code + "}"
        case .variant: "v"
        }
    }

    /// Parses a signature. Nil if it is invalid, or deeper than `BusLimits.depth`.
    static func types(in signature: String) -> [BusType]? {
        var rest = Array(signature.utf8)[...]
        var types: [BusType] = []
        while !rest.isEmpty {
            guard let type = next(&rest, depth: 0) else { return nil }
            types.append(type)
        }
        return types
    }

    private static func next(_ rest: inout ArraySlice<UInt8>, depth: Int) -> BusType? {
        guard depth <= BusLimits.depth, let first = rest.popFirst() else { return nil }
        switch first {
        case UInt8(ascii: "y"): return .byte
        case UInt8(ascii: "b"): return .boolean
        case UInt8(ascii: "n"): return .int16
        case UInt8(ascii: "q"): return .uint16
        case UInt8(ascii: "i"): return .int32
        case UInt8(ascii: "u"): return .uint32
        case UInt8(ascii: "x"): return .int64
        case UInt8(ascii: "t"): return .uint64
        case UInt8(ascii: "d"): return .double
        case UInt8(ascii: "s"): return .string
        case UInt8(ascii: "o"): return .objectPath
        case UInt8(ascii: "g"): return .signature
        case UInt8(ascii: "h"): return .descriptor
        case UInt8(ascii: "v"): return .variant
        case UInt8(ascii: "a"): return next(&rest, depth: depth + 1).map(BusType.array)
        case UInt8(ascii: "("):
            var members: [BusType] = []
            while let upcoming = rest.first, upcoming != UInt8(ascii: ")") {
                guard let member = next(&rest, depth: depth + 1) else { return nil }
                members.append(member)
            }
            return rest.popFirst() == nil || members.isEmpty ? nil : .structure(members)
        case UInt8(ascii: "{"):
            guard let key = next(&rest, depth: depth + 1), let value = next(&rest, depth: depth + 1),
                rest.popFirst() == UInt8(ascii: "}")
            else { return nil }
            return .entry(key, value)
        default: return nil
        }
    }
}
