// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffWire
import Testing

@testable import HandoffBrowserHost

// Shows L06 for the messages between extension and host.
@Suite struct BrowserMessageTests {
    private func read(_ json: String) throws(BrowserMessageError) -> BrowserMessage {
        try BrowserMessage(json: Array(json.utf8))
    }

    @Test func everyMessageIsUnderstood() throws {
        let activity = ActivityID(uncheckedBytes: Array(0..<16))
        let device = DeviceID(uncheckedBytes: Array(0..<32))
        let all: [BrowserMessage] = [
            .hello(browser: "Firefox"), .page(BrowsedPage(url: "https://example.com/ü?a=b#c", title: "Größe \"7\"")),
            .left, .look, .goOn(request: 7, activity: activity, device: device, inBrowser: true),
            .goOn(request: 8, activity: activity, device: nil, inBrowser: false),
            .place(request: 3, PagePlace(scroll: 0.25, seconds: 61.5)),
            .place(request: 4, PagePlace()), .opened(request: 5, problem: nil),
            .opened(request: 6, problem: "no window"),
            .send(
                request: 9, page: BrowsedPage(url: "https://example.com/", title: ""), to: .device(device),
                PagePlace(scroll: 0.5)),
            .send(
                request: 10, page: BrowsedPage(url: "https://example.com/", title: ""), to: .phone(try PhoneID("a_1")),
                PagePlace()),
            .takeBack(request: 10, activity: activity), .openHandoff(request: 11),
        ]
        for message in all { #expect(try BrowserMessage(json: message.json()) == message) }
        #expect(
            try read(#"{"type":"page","url":"https://a.example/"}"#)
                == .page(.init(url: "https://a.example/", title: "")))
    }

    /// A newer extension may send more.
    @Test func unknownMessageIsNamedAndExtraFieldsAreIgnored() throws {
        #expect(try read(#"{"type":"dance","partner":[1]}"#) == .unknown("dance"))
        #expect(try read(#"{"type":"left","why":{"a":null}}"#) == .left)
    }

    @Test(arguments: [
        "", "{", "null", "[]", "7", "\"left\"", "{}", #"{"type":7}"#, #"{"type":"hello"}"#, #"{"type":"page"}"#,
        #"{"type":"page","url":7}"#, #"{"type":"goOn","request":1}"#, #"{"type":"goOn","request":1,"activity":"zz"}"#,
        #"{"type":"goOn","request":1,"activity":"00112233445566778899aabbccddeeff","device":"laptop"}"#,
        #"{"type":"place"}"#, #"{"type":"place","request":1.5}"#, #"{"type":"place","request":1,"scroll":2}"#,
        #"{"type":"place","request":1,"scroll":-0.1}"#, #"{"type":"place","request":1,"scroll":1e999}"#,
        #"{"type":"place","request":1,"seconds":-1}"#, #"{"type":"place","request":1,"seconds":1000001}"#,
        #"{"type":"place","request":99999999999999999999}"#, #"{"type":"left"} trailing"#,
        #"{"type":"send","request":1,"url":"https://a.example/"}"#,
        #"{"type":"send","request":1,"device":"laptop","url":"https://a.example/"}"#,
        #"{"type":"send","request":1,"phone":"../a","url":"https://a.example/"}"#, #"{"type":"openHandoff"}"#,
        #"{"type":"takeBack","request":1}"#,
    ])
    func brokenMessagesAreRefusedByName(json: String) {
        #expect(throws: BrowserMessageError.self) { try read(json) }
    }

    @Test func invalidOrDeepJSONIsRejected() {
        #expect(throws: BrowserMessageError.self) { try BrowserMessage(json: [0xFF, 0xFE, 0x00]) }
        let deep = Array(String(repeating: "[", count: 100_000).utf8)
        #expect(throws: BrowserMessageError.self) { try BrowserMessage(json: deep) }
    }

    @Test func hostMessagesAreEncodedAsJSON() throws {
        func text(_ message: HostMessage) throws -> String {
            String(decoding: try message.framed().dropFirst(4), as: UTF8.self)
        }
        #expect(
            try text(.open(request: 2, url: "https://example.com/a", PagePlace(scroll: 0.5, seconds: 60)))
                == #"{"request":2,"scroll":0.5,"seconds":60,"type":"open","url":"https://example.com/a"}"#)
        #expect(
            try text(.place(request: 1, url: "https://example.com/"))
                == #"{"request":1,"type":"place","url":"https://example.com/"}"#)
        #expect(try text(.answer(request: 1, nil)) == #"{"request":1,"type":"answer"}"#)
        #expect(
            try text(.answer(request: 1, HostProblem(code: "noApp", words: "none")))
                == #"{"problem":{"code":"noApp","words":"none"},"request":1,"type":"answer"}"#)
        let problem = HostProblem.noDaemon(.command("handoffd &"))
        #expect(
            try text(.answer(request: 1, problem))
                == """
                {"problem":{"code":"noDaemon","command":"handoffd &","words":"Handoff is not running"},"request":1,\
                "type":"answer"}
                """)
        #expect(
            try text(.state(HostState()))
                == #"{"deviceName":"","devices":[],"offers":[],"opensHandoff":false,"type":"state"}"#)
    }
}
