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
            while let message = stream.next() { found.append(message.focusedProcess) }
        }
        #expect(found == [nil, 4711, nil, 4711])
    }

    @Test(arguments: [
        #"{"change": "title", "container": {"pid": 4711}}"#, #"{"change": "focus", "container": {"pid": "4711"}}"#,
        #"{"change": "focus", "container": {"pid": 4711.5}}"#, #"{"change": "focus", "container": {"pid": 1e99}}"#,
        #"{"change": "focus", "container": {"pid": 99999999999}}"#, #"{"change": "focus", "container": null}"#,
        #"{"change": "focus"}"#, "[]", "", "{", "\u{0}",
    ])
    func otherEventNamesNoProcess(event: String) {
        var stream = SwayStream()
        let isTaken = stream.take(message(SwayStream.windowEvent, event)[...])
        let read = stream.next()
        #expect(isTaken && read != nil && read?.focusedProcess == nil)
    }

    @Test func focusedWindowIsFoundInTheTree() {
        let window = #"{"pid": 4711, "focused": true, "nodes": []}"#
        let workspace = #"{"nodes": [{"pid": 1, "focused": false}], "floating_nodes": [\#(window)]}"#
        var stream = SwayStream()
        let isTaken = stream.take(message(4, #"{"focused": false, "nodes": [{"nodes": [\#(workspace)]}]}"#)[...])
        #expect(isTaken)
        let tree = stream.next()
        #expect(tree?.focusedProcess == 4711)
    }

    @Test(arguments: ["HTTP/1.1 200 OK", "i3-ipc\u{FFFF}\u{FFFF}\u{FFFF}\u{FFFF}"])
    func otherProtocolEndsTheStream(text: String) {
        var stream = SwayStream()
        let isTaken = stream.take(Array(text.utf8)[...])
        #expect(isTaken)
        let message = stream.next()
        #expect(message == nil)
        let isContinued = stream.take([0])
        #expect(!isContinued)
    }

    @Test func senderMayNotFillTheMemory() {
        var stream = SwayStream()
        let long = SwayStream.message(
            type: SwayStream.windowEvent, [UInt8](repeating: 0x20, count: SwayStream.maximumBytes + 1))
        let isTaken = stream.take(long[...])
        #expect(!isTaken)
    }
}
