// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffAdapters

struct SwayStreamTests {
    private static let focus = #"{"change": "focus", "container": {"id": 7, "pid": 4711, "nodes": [{"pid": 1}]}}"#

    private func message(_ type: UInt32, _ text: String) -> [UInt8] { SwayStream.message(type: type, Array(text.utf8)) }

    @Test func eventsAreReadHoweverTheyAreCut() {
        let events = message(2, #"{"success": true}"#) + message(SwayStream.windowEvent, Self.focus)
        var stream = SwayStream()
        var found: [Int32?] = []
        for byte in events + events {
            let isTaken = stream.take([byte])
            #expect(isTaken)
            while let event = stream.next() { found.append(SwayStream.focusedProcess(in: event)) }
        }
        #expect(found == [4711, 4711])
    }

    @Test(arguments: [
        #"{"change": "title", "container": {"pid": 4711}}"#, #"{"change": "focus", "container": {"pid": "4711"}}"#,
        #"{"change": "focus", "container": {"pid": 4711.5}}"#, #"{"change": "focus", "container": {"pid": 1e99}}"#,
        #"{"change": "focus", "container": {"pid": 99999999999}}"#, #"{"change": "focus", "container": null}"#,
        #"{"change": "focus"}"#, "[]", "", "{", "\u{0}",
    ])
    func otherEventNamesNoProcess(event: String) {
        #expect(SwayStream.focusedProcess(in: Array(event.utf8)) == nil)
    }

    @Test(arguments: ["HTTP/1.1 200 OK", "i3-ipc\u{FFFF}\u{FFFF}\u{FFFF}\u{FFFF}"])
    func otherProtocolEndsTheStream(text: String) {
        var stream = SwayStream()
        let isTaken = stream.take(Array(text.utf8)[...])
        #expect(isTaken)
        let event = stream.next()
        #expect(event == nil)
        let isContinued = stream.take([0])
        #expect(!isContinued)
    }

    @Test func senderMayNotFillTheMemory() {
        var stream = SwayStream()
        let long = SwayStream.message(
            type: SwayStream.windowEvent, [UInt8](repeating: 0x20, count: SwayStream.maximumBytes))
        let isTaken = stream.take(long[...])
        #expect(!isTaken)
    }
}
