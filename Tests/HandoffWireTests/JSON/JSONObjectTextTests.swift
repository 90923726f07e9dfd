// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

@Suite struct JSONObjectTextTests {
    private func changed(_ text: String, _ change: (inout JSONObjectText) -> Void) throws -> String {
        var object = try #require(try JSONObjectText(Array(text.utf8)))
        change(&object)
        #expect(throws: Never.self) { try JSONReader.read(object.bytes) }
        return String(decoding: object.bytes, as: UTF8.self)
    }

    @Test func aValueIsReplacedAndTheRestStaysAsItWasWritten() throws {
        let text = "{ \"a\" :1.50,\n\t\"b\": [ \"x\" ],\"c\":{\"d\":1e3}}\n"
        #expect(
            try changed(text) { $0.set("b", to: .boolean(true)) }
                == "{ \"a\" :1.50,\n\t\"b\": true,\"c\":{\"d\":1e3}}\n")
    }

    @Test(arguments: [
        ("{}", "{\n  \"k\": \"v\"\n}"), ("{ }\n", "{\n  \"k\": \"v\"\n}\n"), ("{\n}\n", "{\n  \"k\": \"v\"\n}\n"),
        ("{\"a\":1}", "{\"a\":1,\"k\": \"v\"}"),
        ("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"k\": \"v\"\n}\n"),
        ("{\n  \"a\": 1,\n}\n", "{\n  \"a\": 1,\n  \"k\": \"v\"\n}\n"),
    ])
    func aNewMemberComesLastAndIsIndentedLikeTheOthers(before: String, after: String) throws {
        #expect(try changed(before) { $0.set("k", to: .string("v")) } == after)
    }

    @Test(arguments: [
        ("{\"k\": 1}", "{}"), ("{\n  \"k\": 1\n}\n", "{\n}\n"), ("{\n  \"k\": 1,\n}\n", "{\n}\n"),
        ("{\"k\": 1, \"b\": 2}", "{\"b\": 2}"), ("{\"a\": 1, \"k\": 2}", "{\"a\": 1}"),
        ("{\n  \"a\": 1,\n  \"k\": 2,\n}", "{\n  \"a\": 1\n}"),
        ("{\"a\": 1, \"k\": {}, \"b\": 2}", "{\"a\": 1, \"b\": 2}"),
        ("{\"a\": 1}", "{\"a\": 1}"),
    ])
    func aMemberIsRemovedWithItsComma(before: String, after: String) throws {
        #expect(try changed(before) { $0.remove("k") } == after)
    }

    @Test func setValuesAreReadBack() throws {
        let value = JSONTree.list([.string("a\"\\\n\u{1}\u{7F}ü😀"), .boolean(false), .null, .object([])])
        var object = JSONObjectText.empty
        object.set("k\"ey", to: value)
        object.set("other", to: .string(""))
        #expect(object.value(of: "k\"ey") == value)
        #expect(object.keys == ["k\"ey", "other"])
        object.remove("k\"ey")
        #expect(object.value(of: "k\"ey") == nil)
        #expect(String(decoding: object.bytes, as: UTF8.self) == "{\n  \"other\": \"\"\n}\n")
    }

    @Test func nonObjectHasNoKeys() throws {
        #expect(try JSONObjectText(Array("[1]".utf8))?.keys == nil)
        #expect(try JSONObjectText(Array("{\"a\": 1, \"a\": 2}".utf8))?.keys == nil)
        #expect(throws: JSONSlip(.notJSON)) { try JSONObjectText(Array("{ // why\n}".utf8)) }
    }
}
