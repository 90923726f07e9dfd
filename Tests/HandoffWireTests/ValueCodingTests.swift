// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import Testing

@testable import HandoffWire

/// Shows A06, X08.
@Suite struct ValueCodingTests {
    private static let everyKind: [Value] = [
        .null, .boolean(true), .boolean(false), .signed(-5), .signed(.min), .unsigned(.max), .double(2.5),
        .double(-.infinity), .string(""), .string("Grüße 👋🏽"), .bytes([]), .bytes([0, 255]), .date(0), .date(-1.5),
        .url("https://example.com/?a=b#c"), .uuid(Array(0..<16)), .document(0), .document(15), .array([]),
        .array([.null, .signed(1)]),
        .dictionary([:]), .dictionary([.string("a"): .signed(1), .signed(2): .null]), .set([]),
        .set([.signed(1), .string("one")]),
    ]

    @Test(arguments: everyKind) func eachKindRoundTrips(value: Value) throws {
        #expect(try Value(encoded: value.encoded()) == value)
    }

    @Test(arguments: everyKind) func eachKindCanBeAKey(value: Value) throws {
        let dictionary = Value.dictionary([value: .string("here")])
        #expect(try Value(encoded: dictionary.encoded()) == dictionary)
    }

    @Test func oneValueHasOneEncoding() throws {
        let names = (0..<100).map { Value.string("key \($0)") }
        let one = Value.dictionary(Dictionary(uniqueKeysWithValues: names.map { ($0, .null) }))
        let other = Value.dictionary(Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, .null) }))
        #expect(try one.encoded() == other.encoded())
        #expect(try Value.set(Set(names)).encoded() == Value.set(Set(names.reversed())).encoded())
    }

    @Test func nestingOfSixtyFourIsAllowedAndSixtyFiveIsNot() throws {
        var value = Value.null
        for _ in 0..<Limits.valueNesting { value = .array([value]) }
        #expect(try Value(encoded: value.encoded()) == value)
        #expect(throws: WireError(.nestingTooDeep, "")) { try Value.array([value]).encoded() }
    }

    @Test func dictionariesNestToTheSameLimit() throws {
        var value = Value.null
        for _ in 0..<Limits.valueNesting { value = .dictionary([.string("k"): value]) }
        #expect(try Value(encoded: value.encoded()) == value)
    }

    @Test func deepNestingFromOutsideIsRefusedNotCrashed() {
        // Field 11 (array) with field 1 (an item), ten thousand times, built from the inside.
        var bytes: [UInt8] = [0x08, 0x01]
        for _ in 0..<10_000 {
            bytes = [0x0A] + Self.varint(bytes.count) + bytes
            bytes = [0x5A] + Self.varint(bytes.count) + bytes
        }
        #expect(throws: WireError(.nestingTooDeep, "")) { try Value(encoded: bytes) }
    }

    // Shows B12.
    @Test func sizeLimitIsOneHundredAndTwentyEightKibibytes() throws {
        let overhead = try Value.bytes(Array(repeating: 1, count: 100_000)).encoded().count - 100_000
        let largest = Value.bytes(Array(repeating: 1, count: Limits.userInfoBytes - overhead))
        #expect(try largest.encoded().count == Limits.userInfoBytes)
        let larger = Value.bytes(Array(repeating: 1, count: Limits.userInfoBytes - overhead + 1))
        #expect(throws: WireError(.tooLarge, "")) { try larger.encoded() }
        #expect(throws: WireError(.tooLarge, "")) {
            try Value(encoded: Array(repeating: 0, count: Limits.userInfoBytes + 1))
        }
    }

    @Test func keyTwiceIsRefused() {
        // A dictionary with the entry null: null, twice.
        let entry: [UInt8] = [0x0A, 0x08, 0x0A, 0x02, 0x08, 0x01, 0x12, 0x02, 0x08, 0x01]
        let bytes = [0x62, UInt8(entry.count * 2)] + entry + entry
        #expect(throws: WireError(.malformed, "")) { try Value(encoded: bytes) }
    }

    /// Equal as `String`; a program in another language may send both.
    @Test(arguments: [("K", "\u{212A}"), ("\u{E9}", "e\u{301}"), (";", "\u{37E}")])
    func textsThatDifferOnlyInSpellingAreTwo(one: String, other: String) throws {
        #expect(Value.string(one) != .string(other) && Value.url(one) != .url(other))
        let entries: [Value: Value] = [.string(one): .signed(1), .string(other): .signed(2)]
        for value in [Value.dictionary(entries), .set([.url(one), .url(other)])] {
            #expect(try Value(encoded: value.encoded()) == value)
        }
        #expect(entries.count == 2)
        var attributes = ContentAttributes()
        attributes.entries = [ExactText(one): .signed(1), ExactText(other): .signed(2)]
        #expect(try ContentAttributes(encoded: attributes.encoded()) == attributes)
    }

    /// A set could hold ten thousand of them, each compared with all before it.
    @Test(arguments: [Value.double(.nan), .date(.nan), .array([.null, .double(.nan)])])
    func memberOrKeyThatDiffersFromItselfIsRefused(_ value: Value) throws {
        for container in [Value.set([value]), .dictionary([value: .null])] {
            #expect(throws: WireError(.malformed, "")) { try container.encoded() }
        }
        let member = try value.encoded()
        let item = [0x0A, UInt8(member.count)] + member
        #expect(throws: WireError(.malformed, "")) { try Value(encoded: [0x6A, UInt8(item.count)] + item) }
        let entry = item + [0x12, 0x02, 0x08, 0x01]
        let entries = [0x0A, UInt8(entry.count)] + entry
        #expect(throws: WireError(.malformed, "")) { try Value(encoded: [0x62, UInt8(entries.count)] + entries) }
    }

    @Test func uuidOfAnotherLengthIsRefused() {
        #expect(throws: WireError(.malformed, "")) { try Value(encoded: [0x52, 0x01, 0x00]) }
    }

    @Test func valueOfANewerKindIsRefused() {
        #expect(throws: WireError(.malformed, "")) { try Value(encoded: [0xF8, 0x01, 0x01]) }
        #expect(throws: WireError(.malformed, "")) { try Value(encoded: []) }
    }

    @Test(arguments: 0..<200) func randomValuesRoundTrip(seed: UInt64) throws {
        var random = Randomness.seeded(seed)
        let value = Self.random(depth: 4, using: &random)
        #expect(try Value(encoded: value.encoded()) == value, "seed \(seed)")
    }

    @Test(arguments: 0..<200) func damagedBytesAreRefusedOrRead(seed: UInt64) throws {
        var random = Randomness.seeded(seed)
        var bytes = try Self.random(depth: 3, using: &random).encoded()
        for _ in 0..<3 where !bytes.isEmpty {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: .min ... .max, using: &random)
        }
        // Decoding may fail, but must not trap.
        if let value = try? Value(encoded: bytes) { _ = try value.encoded() }
    }

    private static func random(depth: Int, using random: inout Randomness) -> Value {
        func children() -> [Value] {
            (0..<Int.random(in: 0..<4, using: &random)).map { _ in self.random(depth: depth - 1, using: &random) }
        }
        switch Int.random(in: 0..<(depth > 0 ? 13 : 10), using: &random) {
        case 0: return .null
        case 1: return .boolean(.random(using: &random))
        case 2: return .signed(.random(in: .min ... .max, using: &random))
        case 3: return .unsigned(.random(in: .min ... .max, using: &random))
        case 4: return .double(.random(in: -1e9...1e9, using: &random))
        case 5: return .string("s\(UInt16.random(in: .min ... .max, using: &random))")
        case 6: return .bytes((0..<5).map { _ in .random(in: .min ... .max, using: &random) })
        case 7: return .date(.random(in: -1e9...1e9, using: &random))
        case 8: return .url("https://example.com/\(UInt16.random(in: .min ... .max, using: &random))")
        case 9: return .uuid((0..<16).map { _ in .random(in: .min ... .max, using: &random) })
        case 10: return .array(children())
        case 11: return .set(Set(children()))
        default:
            return .dictionary(Dictionary(children().map { ($0, .null) }, uniquingKeysWith: { first, _ in first }))
        }
    }

    private static func varint(_ value: Int) -> [UInt8] {
        var value = value
        var bytes: [UInt8] = []
        while value >= 128 {
            bytes.append(UInt8(value & 127) | 128)
            value >>= 7
        }
        return bytes + [UInt8(value)]
    }
}
