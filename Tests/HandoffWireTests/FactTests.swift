// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

@Suite struct FactTests {
    @Test(arguments: ["", "Streams", "streams open", "streams-open", "1st", "größe", String(repeating: "a", count: 65)])
    func invalidNameIsRejected(_ name: String) {
        #expect(Fact(name, .count(1)) == nil)
    }

    @Test func aNameHasLettersAndDigitsUpToTheLimit() {
        #expect(Fact(String(repeating: "a", count: Limits.factNameBytes), .count(1)) != nil)
        #expect(Fact(String("sha256Checks"), .count(1))?.name == "sha256Checks")
    }

    @Test func theFactsOfAReportAreLimited() throws {
        var status = DaemonStatus()
        status.facts = (0...Limits.facts).compactMap { Fact("fact\($0)", .count(Int64($0))) }
        #expect(status.facts.count == Limits.facts + 1)
        let frame = try LocalFrame(encoded: LocalFrame(.status(.status(status))).encoded()[...])
        guard case .status(.status(let read)) = frame.message else {
            Issue.record("\(frame.message)")
            return
        }
        #expect(read.facts == Array(status.facts.prefix(Limits.facts)))
    }

    /// A newer version may send a new kind of value, or a name in another alphabet.
    @Test func aFactThatIsNotUnderstoodIsPassedOverAndTheReportIsRead() throws {
        var status = DaemonStatus()
        status.facts = [Fact("streamsOpen", .count(3)), Fact("later", .count(7))]
        var bytes = try LocalFrame(.status(.status(status))).encoded()
        // Changes the field of its value from 2 to 9, type 0.
        let later = Array("later".utf8)
        let at = try #require(bytes.indices.first { bytes[$0...].starts(with: later) }) + later.count
        #expect(bytes[at] == 0x10)
        bytes[at] = 0x48
        guard case .status(.status(let read)) = try LocalFrame(encoded: bytes[...]).message else {
            Issue.record("that is no status")
            return
        }
        #expect(read.facts == [Fact("streamsOpen", .count(3))])
    }
}
