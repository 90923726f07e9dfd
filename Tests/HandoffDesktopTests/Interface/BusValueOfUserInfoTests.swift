// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffWire
import Testing

@testable import HandoffDesktop

// Shows L05.
@Suite struct BusValueOfUserInfoTests {
    private static let everyKind: [Value] = [
        .null, .boolean(true), .signed(.min), .unsigned(.max), .double(0.1), .double(.infinity), .string("Grüße, 世界"),
        .string("a\0b"), .string(""), .bytes([]), .bytes([0, 255]), .date(-0.5), .url("https://example.com/ä"),
        .url("a\0b"), .uuid(Array(0..<16)), .array([]), .array([.null, .array([.signed(1)])]), .dictionary([:]),
        .dictionary([.string("a"): .bytes([1]), .string("b"): .dictionary([:])]),
        .dictionary([.signed(1): .string("one"), .string("two"): .signed(2)]), .dictionary([.string("a\0"): .null]),
        .set([]), .set([.signed(1), .string("x"), .set([.date(1)])]),
        .set([.dictionary([.uuid(Array(1...16)): .null])]),
        .dictionary([.string("\u{E9}"): .null, .string("e\u{301}"): .signed(1)]),
        .set([.string("K"), .string("\u{212A}")]),
    ]

    @Test(arguments: everyKind) func aValueOfEveryKindRoundTrips(value: Value) throws {
        #expect(try Value(bus: value.bus) == value)
    }

    private static func nested(_ depth: Int) -> Value {
        (0..<depth).reduce(Value.string("inside")) { value, number in
            switch number % 3 {
            case 0: .array([value])
            case 1: .dictionary([.string("k"): value])
            default: .set([value])
            }
        }
    }

    /// Values that are nested too deep for the bus are sent as bytes.
    @Test(arguments: [1, 5, 20, Limits.valueNesting]) func asDeepAsAUserInfoMayBe(depth: Int) throws {
        let value = Self.nested(depth)
        #expect(try Value(bus: value.bus) == value)
        #expect(value.bus.depth <= BusLimits.depth - 8)
    }

    @Test func numbersOfEveryTypeAreTaken() throws {
        let numbers: [BusValue] = [.byte(7), .int16(7), .uint16(7), .int32(7), .uint32(7), .int64(7)]
        for number in numbers { #expect(try Value(bus: .variant(number)) == .signed(7)) }
        #expect(try Value(bus: .strings(["a"])) == .array([.string("a")]))
        let entries = BusValue.array(of: .entry(.uint32, .string), [.entry(.uint32(1), .string("a"))])
        #expect(try Value(bus: entries) == .dictionary([.signed(1): .string("a")]))
    }

    private static func pair(_ word: String, _ value: BusValue) -> BusValue {
        .structure([.string(word), .variant(value)])
    }

    private static let refused: [BusValue] = [
        .structure([.string("date")]), .structure([.string("date"), .double(1)]), pair("colour", .string("green")),
        pair("date", .string("today")), pair("uuid", .bytes([1])), pair("set", .strings(["a"])),
        pair("set", .array(of: .variant, [.variant(.int64(1)), .variant(.int32(1))])),
        pair("set", .array(of: .variant, [.variant(.double(.nan))])), pair("encoded", .bytes([255])),
        pair("document", .uint32(0)), pair("null", .string("x")),
        .array(
            of: .entry(.string, .variant),
            [
                .entry(.string("a"), .variant(.byte(1))), .entry(.string("a"), .variant(.byte(2))),
            ]),
        .array(of: .variant, [.variant(.structure([.byte(1)]))]),
    ]

    @Test(arguments: refused) func invalidValueIsRefused(value: BusValue) {
        #expect(throws: Failure(.malformed, "")) { try Value(bus: value) }
    }

    @Test func documentsAreNamedByDevicesAlone() throws {
        let bytes = try Value.array([.document(1)]).encoded()
        #expect(throws: Failure(.malformed, "")) { try Value(bus: Self.pair("encoded", .bytes(bytes))) }
    }

    @Test func everyPropertyOfAStateGoesThereAndBack() throws {
        let properties: [String: BusValue] = [
            "type": .string("com.example.reading"), "title": .string("Poems"),
            "user-info": .properties(["page": .int64(7)]), "content-attributes": .properties(["a": .string("b")]),
            "web-page-url": .string("https://example.com/"), "referrer-url": .string("https://example.com/from"),
            "expires": .int64(1_900_000_000_000), "target-content-identifier": .string("t"),
            "persistent-identifier": .string("p"), "keywords": .strings(["k", "l"]),
            "required-keys": .strings(["page"]),
            "supports-streams": .boolean(true), "eligible-for-search": .boolean(true),
            "eligible-for-public-indexing": .boolean(true), "eligible-for-prediction": .boolean(true),
        ]
        let offered = try OfferedActivity(ActivityID(bytes: Array(0..<16)), properties)
        #expect(try OfferedActivity.properties(of: offered.state).properties == properties)
        #expect(offered.publication.expires == WallTime(milliseconds: 1_900_000_000_000))
        #expect(offered.publication.hasWebPage && offered.publication.supportsStreams)
    }

    @Test func aChangeWithAMistakeChangesNothing() throws {
        var offered = try OfferedActivity(ActivityID(bytes: Array(0..<16)), ["type": .string("a.b")])
        let before = offered
        for wrong in ["zzz": BusValue.byte(1), "type": .string("c.d"), "web-page-url": .string("ftp://x")] {
            #expect(throws: Failure(.malformed, "")) {
                try offered.apply(["title": .string("new"), wrong.key: wrong.value])
            }
        }
        #expect(offered == before)
        try offered.apply(["title": .string("new"), "needs-save": .boolean(true)])
        #expect(offered.state.title == "new" && offered.needsSave)
        try offered.apply(["title": .string("")])
        #expect(offered.state.title == nil)
    }
}

extension BusValue {
    fileprivate var depth: Int {
        switch self {
        case .array(_, let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .structure(let members): 1 + (members.map(\.depth).max() ?? 0)
        case .entry(_, let value): 1 + value.depth
        case .variant(let value): 1 + value.depth
        default: 0
        }
    }
}
