// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import HandoffCommand

// Shows A06 for JSON, and L09.
@Suite struct JSONValueTests {
    @Test func everyKindOfJSONHasItsValue() throws {
        let text = #"{"n":null,"b":true,"i":-7,"u":18446744073709551615,"d":0.5,"s":"a","l":[1],"o":{}}"#
        #expect(
            try JSONValue(userInfo: text).value
                == .dictionary([
                    .string("n"): .null, .string("b"): .boolean(true), .string("i"): .signed(-7),
                    .string("u"): .unsigned(.max), .string("d"): .double(0.5), .string("s"): .string("a"),
                    .string("l"): .array([.signed(1)]), .string("o"): .dictionary([:]),
                ]))
    }

    @Test(arguments: ["", "7", "[]", "null", "{", "{\"a\":}", "\"text\""])
    func onlyAnObjectIsAUserInfo(text: String) {
        #expect(throws: CommandFailure.self) { try JSONValue(userInfo: text) }
    }

    @Test(arguments: [
        ("[1]", "an array"), ("7", "a number"), ("\"text\"", "a string"), ("false", "a boolean"), ("null", "null"),
    ]) func anythingElseIsCalledByItsName(text: String, kind: String) {
        #expect { try JSONValue(userInfo: text) } throws: { error in
            (error as? CommandFailure)?.reason.hasSuffix(", not \(kind)") == true
        }
    }

    @Test(arguments: [
        #"{"a": 1, "a": 2}"#, "{\"o\": [{\"K\": 1, \"\u{212A}\": 2}]}", "{\"\u{E9}\": 1, \"e\u{301}\": 2}",
    ])
    func keysOfWhichOneWouldBeLostAreRefused(text: String) {
        #expect { try JSONValue(userInfo: text) } throws: { error in
            (error as? CommandFailure)?.reason.hasPrefix("the user info cannot be used: ") == true
        }
    }

    @Test(arguments: [
        Value.dictionary([.signed(7): .null, .string("7"): .null]),
        .dictionary([.string("list"): .array([.dictionary([.string("\u{E9}"): .null, .string("e\u{301}"): .null])])]),
    ]) func aStateThatJSONCannotShowWholeIsAnError(userInfo: Value) throws {
        let state = ActivityState(type: try ActivityType("com.example.reading"), userInfo: try userInfo.encoded())
        #expect(throws: Failure(.malformed, "")) { try ShownState(state) }
    }

    @Test func kindsThatJSONLacksBecomeText() throws {
        let value = Value.dictionary([
            .string("bytes"): .bytes([1, 2, 255]), .string("date"): .date(0.5),
            .string("url"): .url("https://a.example"),
            .string("uuid"): .uuid(Array(0..<16)), .string("set"): .set([.string("b"), .string("a")]),
            .signed(7): .boolean(true),
        ])
        #expect(
            try text(of: value) == """
                {"7":true,"bytes":"AQL/","date":"2001-01-01T00:00:00.500Z","set":["a","b"],"url":"https://a.example",\
                "uuid":"00010203-0405-0607-0809-0A0B0C0D0E0F"}
                """)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300])
    func aDateThatNoCalendarHasDoesNoHarm(seconds: Double) throws {
        #expect(try text(of: .date(seconds)).hasPrefix("\""))
    }

    private func text(of value: Value) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(JSONValue(value)), as: UTF8.self)
    }
}
