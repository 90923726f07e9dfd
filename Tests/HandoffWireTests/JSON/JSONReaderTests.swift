// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

@Suite struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONTree { try JSONReader.read(Array(text.utf8)) }

    @Test func everyKindOfValueIsRead() throws {
        let tree = try read(
            """
            {"list": [null, true, false, -0.5e+3, 0, 12], "empty": {}, "none": [],
             "text": "a\\"\\\\\\/\\b\\f\\n\\r\\tü\\u00fc\\ud83d\\ude00"}
            """)
        #expect(
            tree
                == .object([
                    .init(
                        key: "list",
                        value: .list([.null, .boolean(true), .boolean(false), .number(nil), .number(0), .number(12)])),
                    .init(key: "empty", value: .object([])), .init(key: "none", value: .list([])),
                    .init(key: "text", value: .string("a\"\\/\u{8}\u{C}\n\r\tüü😀")),
                ]))
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,", "[1,,]", "[,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,,}", "{,}",
        "{\"a\":1,",
        "{a:1}", "{'a':1}", "1,",
        "\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\u+123\"", "\"\\ud800\"", "\"\\ud800\\n\"",
        "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"", "01", "-", "1.", ".5", "1e", "+1", "0x1", "NaN", "tru",
        "nul", "{} {}", "[1] x", "// c\n1", "]", "}", ",", ":",
    ])
    func invalidJSONIsRejected(text: String) {
        #expect(throws: JSONSlip(.notJSON)) { try read(text) }
    }

    /// As Foundation's parsers do, on Linux and on Apple's systems.
    @Test func commaBehindTheLastItemIsTaken() throws {
        #expect(try read("[1,]") == .list([.number(1)]))
        #expect(try read("{\"a\": [null ,\n ] ,\t}") == .object([.init(key: "a", value: .list([.null]))]))
    }

    @Test func refusalNamesTheLine() {
        #expect {
            _ = try read("{\n \"a\": 1,\n \"b\": oops\n}")
        } throws: {
            "\($0)".contains("line 3")
        }
    }

    @Test func objectWithADuplicateKeyIsAmbiguous() throws {
        #expect(try read("{\"a\": 1, \"b\": 2,\n\"a\": 3}") == .ambiguous("line 2: \"a\" occurs twice"))
        #expect(try read(#"{"a": 1, "\u0061": 2, "b": 1, "b": 1}"#) == .ambiguous("line 1: \"a\" occurs twice"))
        // A precomposed character and its two parts have different bytes.
        #expect(
            try read("{\"\u{E9}\": 1, \"e\u{301}\": 2}")
                == .object([.init(key: "\u{E9}", value: .number(1)), .init(key: "e\u{301}", value: .number(2))]))
        let many = (0..<40).map { "\"k\($0)\": 1" }
        let twice = try read("{\((many + ["\"k17\": 2"]).joined(separator: ","))}")
        #expect(twice == .ambiguous("line 1: \"k17\" occurs twice"))
        guard case .object = try read("{\(many.joined(separator: ","))}") else {
            Issue.record("forty keys are not an object")
            return
        }
    }

    @Test func duplicateKeyMakesOnlyItsObjectAmbiguous() throws {
        #expect(
            try read("{\"a\": {\"a\": 1},\n \"b\": [{\"c\": 1,\n \"c\": 1}]}")
                == .object([
                    .init(key: "a", value: .object([.init(key: "a", value: .number(1))])),
                    .init(key: "b", value: .list([.ambiguous("line 3: \"c\" occurs twice")])),
                ]))
        #expect(throws: JSONSlip(.notJSON)) { try read(#"{"a": 1, "a": oops}"#) }
    }

    /// Their cost is linear: a quadratic one takes an hour.
    @Test(.timeLimit(.minutes(1))) func aHundredThousandThatAreThereTwiceAreRead() throws {
        let lines = String(repeating: "\n{\"a\":1,\"a\":1},", count: 100_000)
        guard case .list(let items) = try read("[\(lines)]") else {
            Issue.record("no list")
            return
        }
        #expect(items.last == .ambiguous("line 100001: \"a\" occurs twice"))
    }

    @Test func nestingIsBounded() throws {
        let depth = JSONReader.nesting
        let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        #expect(throws: Never.self) { try read(nested(depth)) }
        #expect(throws: JSONSlip(.nestingTooDeep)) { try read(nested(depth + 1)) }
        #expect(throws: JSONSlip(.nestingTooDeep)) {
            try read(String(repeating: "{\"a\":", count: 100_000))
        }
    }

    @Test func invalidUTF8IsRefused() {
        for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
            #expect(throws: JSONSlip(.notUTF8)) { try JSONReader.read(bytes) }
        }
    }
}
