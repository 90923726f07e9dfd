// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Shows N03.
@Suite struct WebChoicesTests {
    private let reader = WebTaker.app(try! BundleID("com.example.reader"))

    private func host(_ name: String) -> WebHost { try! WebHost(name) }

    @Test func choicesAreReadAsTheyWereWritten() throws {
        var choices = WebChoices()
        try choices.choose(reader, for: host("example.com"))
        try choices.choose(.browser, for: host("b.example.com"))
        // An app whose identifier equals a keyword of the file.
        try choices.choose(.app(BundleID("browser")), for: host("c.example.com"))
        #expect(
            String(decoding: choices.encoded(), as: UTF8.self) == """
                handoff-web-choices 1
                b.example.com browser
                c.example.com app browser
                example.com app com.example.reader

                """)
        #expect(try WebChoices(encoded: choices.encoded()) == choices)
        #expect(choices[host("www.example.com")] == nil, "a choice holds for that very host")
    }

    @Test func choiceIsReplacedAndForgotten() throws {
        var choices = WebChoices()
        try choices.choose(reader, for: host("example.com"))
        try choices.choose(.browser, for: host("example.com"))
        #expect(choices.list == [WebChoice(host("example.com"), .browser)])
        try choices.choose(nil, for: host("example.com"))
        #expect(choices.list.isEmpty)
    }

    @Test func choicesAreBounded() throws {
        var choices = WebChoices()
        for number in 0..<WebChoices.maximum { try choices.choose(.browser, for: host("h\(number).example.com")) }
        #expect(throws: Failure(.limitReached, "")) { try choices.choose(.browser, for: host("example.com")) }
        try choices.choose(reader, for: host("h1.example.com"))
        try choices.choose(nil, for: host("h2.example.com"))
        try choices.choose(.browser, for: host("example.com"))
        #expect(try WebChoices(encoded: choices.encoded()) == choices)
    }

    @Test(arguments: [
        "", "choices 1\n", "handoff-web-choices 1\nexample.com\n", "handoff-web-choices 1\nexample.com app\n",
        "handoff-web-choices 1\nexample.com app ../x\n", "handoff-web-choices 1\n127.0.0.1 browser\n",
        "handoff-web-choices 1\nexample.com browser now\n", "handoff-web-choices 1\n \n",
    ])
    func invalidChoicesFileIsRejected(text: String) {
        #expect(throws: WireError.self) { try WebChoices(encoded: Array(text.utf8)) }
    }

    @Test func fileWithTooManyChoicesIsRefused() {
        let lines = (0...WebChoices.maximum).map { "h\($0).example.com browser" }
        let text = (["handoff-web-choices 1"] + lines).joined(separator: "\n")
        #expect(throws: WireError.self) { try WebChoices(encoded: Array(text.utf8)) }
    }
}
