// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

struct ReadingLimit {
    var values: Int
    var textBytes: Int

    static let ordinary = ReadingLimit(values: BusLimits.values, textBytes: BusLimits.textBytes)
    /// Until the sender's process is known.
    static let early = ReadingLimit(values: BusLimits.heldValues, textBytes: BusLimits.heldTextBytes)
}

/// All values that a sender chooses have limits.
struct MessageReader {
    private let message: OpaquePointer
    private let limit: ReadingLimit
    private var valuesLeft: Int
    private var bytesLeft: Int

    static func header(_ message: OpaquePointer) -> BusMessage {
        var header = BusMessage(
            sender: text(sd_bus_message_get_sender(message)), path: text(sd_bus_message_get_path(message)),
            interface: text(sd_bus_message_get_interface(message)), member: text(sd_bus_message_get_member(message)))
        header.signature = text(sd_bus_message_get_signature(message, 1))
        return header
    }

    /// Throws `.limitsExceeded` or `.invalidArguments`. `cost`: in the unit of `BusLimits`, also if it throws.
    static func read(
        _ message: OpaquePointer, _ header: BusMessage, within limit: ReadingLimit = .ordinary, cost: inout Int
    ) throws(BusFailure) -> BusMessage {
        var reader = MessageReader(message, limit)
        defer { cost = reader.cost }
        var result = header
        try BusFailure.check(sd_bus_message_rewind(message, 1), "cannot read a message")
        result.body = try reader.values(depth: 0)
        return result
    }

    static func read(_ message: OpaquePointer) throws(BusFailure) -> BusMessage {
        var cost = 0
        return try read(message, header(message), cost: &cost)
    }

    private init(_ message: OpaquePointer, _ limit: ReadingLimit) {
        self.message = message
        self.limit = limit
        (valuesLeft, bytesLeft) = (limit.values, limit.textBytes)
    }

    private var cost: Int {
        (limit.values - valuesLeft) * BusLimits.valueCost + limit.textBytes - bytesLeft
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

    /// To the end of the message or of the current container.
    private mutating func values(depth: Int) throws(BusFailure) -> [BusValue] {
        guard depth <= BusLimits.depth else {
            throw BusFailure(BusFailure.limitsExceeded, "a message nests more than \(BusLimits.depth) containers")
        }
        var values: [BusValue] = []
        while true {
            var code: CChar = 0
            var contents: UnsafePointer<CChar>?
            let found = try BusFailure.check(
                sd_bus_message_peek_type(message, &code, &contents), "cannot read a message")
            guard found > 0, code != 0 else { return values }
            guard valuesLeft > 0 else {
                throw BusFailure(BusFailure.limitsExceeded, "a message has more than \(limit.values) values")
            }
            valuesLeft -= 1
            values.append(try value(UInt8(bitPattern: code), Self.text(contents), depth: depth))
        }
    }

    private mutating func value(_ code: UInt8, _ contents: String, depth: Int) throws(BusFailure) -> BusValue {
        switch code {
        case UInt8(ascii: "y"): .byte(try number(code))
        case UInt8(ascii: "b"): .boolean(try number(code) as CInt != 0)
        case UInt8(ascii: "n"): .int16(try number(code))
        case UInt8(ascii: "q"): .uint16(try number(code))
        case UInt8(ascii: "i"): .int32(try number(code))
        case UInt8(ascii: "u"): .uint32(try number(code))
        case UInt8(ascii: "x"): .int64(try number(code))
        case UInt8(ascii: "t"): .uint64(try number(code))
        case UInt8(ascii: "d"): .double(try number(code))
        case UInt8(ascii: "s"): .string(try string(code))
        case UInt8(ascii: "o"): .objectPath(try string(code))
        case UInt8(ascii: "g"): .signature(try string(code))
        case UInt8(ascii: "h"): .descriptor(try descriptor())
        case UInt8(ascii: "a"): try array(contents, depth: depth)
        case UInt8(ascii: "r"): .structure(try container(code, contents, depth: depth))
        case UInt8(ascii: "e"): try entry(contents, depth: depth)
        case UInt8(ascii: "v"): try variant(contents, depth: depth)
        default: throw BusFailure(BusFailure.invalidArguments, "a message has a value of an unknown type")
        }
    }

    private func number<Number: ExpressibleByIntegerLiteral & BitwiseCopyable>(
        _ code: UInt8
    ) throws(BusFailure) -> Number {
        var number: Number = 0
        let result = withUnsafeMutableBytes(of: &number) {
            sd_bus_message_read_basic(message, CChar(bitPattern: code), $0.baseAddress)
        }
        try BusFailure.check(result, "cannot read a message")
        return number
    }

    private mutating func string(_ code: UInt8) throws(BusFailure) -> String {
        var pointer: UnsafePointer<CChar>?
        try BusFailure.check(
            sd_bus_message_read_basic(message, CChar(bitPattern: code), &pointer), "cannot read a message")
        guard let pointer else { return "" }
        try take(strlen(pointer))
        return String(cString: pointer)
    }

    /// A duplicate, because the message closes its own descriptor.
    private func descriptor() throws(BusFailure) -> SharedDescriptor {
        let number: CInt = try number(UInt8(ascii: "h"))
        guard let copy = SharedDescriptor(duplicating: number) else {
            throw BusFailure(BusFailure.limitsExceeded, "this process cannot open more files")
        }
        return copy
    }

    private mutating func array(_ contents: String, depth: Int) throws(BusFailure) -> BusValue {
        guard let element = BusType.types(in: contents)?.first else {
            throw BusFailure(BusFailure.invalidArguments, "a message has an array of an unknown type")
        }
        if element == .byte { return .bytes(try bytes()) }
        return .array(of: element, try container(UInt8(ascii: "a"), contents, depth: depth))
    }

    /// In one call, because reading each byte as a value would be too slow.
    private mutating func bytes() throws(BusFailure) -> [UInt8] {
        var pointer: UnsafeRawPointer?
        var count = 0
        try BusFailure.check(
            sd_bus_message_read_array(message, CChar(UInt8(ascii: "y")), &pointer, &count), "cannot read a message")
        try take(count)
        return Array(UnsafeRawBufferPointer(start: pointer, count: count))
    }

    private mutating func entry(_ contents: String, depth: Int) throws(BusFailure) -> BusValue {
        let both = try container(UInt8(ascii: "e"), contents, depth: depth)
        guard both.count == 2 else {
            throw BusFailure(BusFailure.invalidArguments, "a message has an entry without key and value")
        }
        return .entry(both[0], both[1])
    }

    private mutating func variant(_ contents: String, depth: Int) throws(BusFailure) -> BusValue {
        guard let value = try container(UInt8(ascii: "v"), contents, depth: depth).first else {
            throw BusFailure(BusFailure.invalidArguments, "a message has an empty variant")
        }
        return .variant(value)
    }

    private mutating func container(
        _ code: UInt8, _ contents: String, depth: Int
    ) throws(BusFailure) -> [BusValue] {
        try BusFailure.check(
            sd_bus_message_enter_container(message, CChar(bitPattern: code), contents), "cannot read a message")
        let values = try values(depth: depth + 1)
        try BusFailure.check(sd_bus_message_exit_container(message), "cannot read a message")
        return values
    }

    private mutating func take(_ bytes: Int) throws(BusFailure) {
        guard bytes <= bytesLeft else {
            throw BusFailure(BusFailure.limitsExceeded, "a message has more than \(limit.textBytes) bytes of text")
        }
        bytesLeft -= bytes
    }
}
