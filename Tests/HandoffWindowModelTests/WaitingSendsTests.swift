// SPDX-License-Identifier: Apache-2.0

import HandoffClient
import HandoffStrings
import HandoffWire
import Testing

@testable import HandoffWindowModel

// Shows L10, W04.
@Suite struct WaitingSendsTests {
    private var sends = WaitingSends()
    private let letter = id(1).activity

    private func report(_ number: UInt8, _ title: String?, _ standing: SendReport.Standing) throws -> SendReport {
        SendReport(
            offer: try activity(number, title).offer, device: phone, deviceName: DisplayText(cleaning: "phone"),
            sent: now, until: now, standing: standing)
    }

    private mutating func heard(_ list: SendReport...) { sends.heard(.success(.sending(.sendList(list)))) }

    @Test mutating func waitingSendShowsReceiverAndReason() throws {
        heard(
            try report(1, "Letter", .waiting(problem: nil)),
            try report(2, nil, .waiting(problem: Failure(.stateNotWritable, "the disk is full"))),
            try report(3, "Poem", .refused(Failure(.notAllowed, "it has enough"))),
            try report(4, "Gone", .taken))
        let lines = sends.lines(strings)
        #expect(
            lines.map(\.details) == [
                "For phone, as soon as it can be reached",
                "For phone, not accepted yet. Handoff cannot write its files.",
                "phone refused it. That is not allowed.",
            ])
        #expect(lines.map(\.isRefused) == [false, false, true])
        #expect(lines.first?.buttonLabel == "Take back “Letter”")
        #expect(lines.last?.buttonLabel == "Dismiss “Poem”")
    }

    @Test mutating func itIsTakenBackOnce() throws {
        heard(try report(1, "Letter", .waiting(problem: nil)))
        #expect(sends.tookBack(letter) == .sending(.unsendActivity(letter)))
        #expect(sends.tookBack(letter) == nil)
        sends.stayed(letter, Failure(.stateNotWritable, "the disk is full"))
        #expect(sends.lines(strings).first?.details.hasPrefix("Handoff cannot write its files.") == true)
        #expect(sends.tookBack(letter) != nil, "it was refused, and may be tried again")
        heard()
        #expect(sends.lines(strings).isEmpty)
        #expect(sends.tookBack(letter) == nil, "it is gone")
    }

    @Test mutating func failedListChangesNothing() throws {
        heard(try report(1, "Letter", .waiting(problem: nil)))
        let before = sends
        sends.heard(.failure(.noDaemon))
        #expect(sends == before)
        sends.lostDaemon()
        #expect(sends.lines(strings).isEmpty)
    }
}
