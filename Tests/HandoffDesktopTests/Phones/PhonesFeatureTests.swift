// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire
import TestBuses
import Testing

@testable import HandoffDesktop

/// Shows M08: phones on a real bus. The programs are doubles with the recorded interfaces of KDE Connect 22.12 and
/// GSConnect 54; `PhoneTests` and `GSConnectPhoneTests` of EndToEnd use the real programs.
@Suite(.timeLimit(.minutes(1))) struct PhonesFeatureTests {
    private static let page = PhoneItem.page(PageAddress("https://weather.example/")!)

    private func play(
        _ body: @Sendable (isolated BusFixture, PrivateBus, ScriptedDaemon, Guest) async throws -> Void
    ) async throws {
        try await withPrivateBus { fixture, bus in
            let daemon = ScriptedDaemon()
            let guest = try await fixture.begin(at: bus.address, daemon)
            try await body(fixture, bus, daemon, guest)
        }
    }

    @Test func phonesAreReportedWhileTheirProgramRuns() async throws {
        try await play { fixture, bus, daemon, _ in
            var reports = daemon.phoneReports.makeAsyncIterator()
            let program = KDEConnectDouble(try await fixture.connect(to: bus.address))
            try program.begin(["_a_": "Pixel", "_b_": "Tablet"])
            #expect(await reports.next()?.map(\.name.text) == ["Pixel", "Tablet"])
            try program.serve(["_b_": "Tablet\u{1B}[2J"])
            program.announce()
            #expect(await reports.next()?.map(\.name.text) == ["Tablet[2J"])
            program.end()
            #expect(await reports.next() == [])
        }
    }

    @Test func itemsReachTheProgramAndFailuresNameTheirCause() async throws {
        try await play { fixture, bus, daemon, _ in
            var reports = daemon.phoneReports.makeAsyncIterator()
            var answers = daemon.answers.makeAsyncIterator()
            let program = KDEConnectDouble(try await fixture.connect(to: bus.address))
            try program.begin(["_a_": "Pixel"])
            let phone = try #require(await reports.next()?.first)
            func ask(_ item: PhoneItem, _ id: String = "_a_", _ link: PhoneLink = .kdeConnect) throws {
                daemon.ask(.phones(.shareWithPhone(item, try PhoneID(id), link)))
            }
            func code(_ answer: LocalMessage?) -> Failure.Code? {
                if case .failure(let failure)? = answer { failure.code } else { nil }
            }
            try ask(Self.page)
            #expect(await answers.next() == .done(accepted: true))
            try ask(.file(try AbsolutePath("/home/ann/a b.txt")))
            #expect(await answers.next() == .done(accepted: true))
            #expect(program.shared == ["https://weather.example/", "file:///home/ann/a%20b.txt"])

            try ask(Self.page, "_other_")
            #expect(code(await answers.next()) == .deviceLost)
            try ask(Self.page, "_a_", .gsConnect)
            #expect(code(await answers.next()) == .deviceLost)
            try ask(.file(try AbsolutePath(bytes: [0x2F, 0xFF])))
            #expect(code(await answers.next()) == .notAllowed)
            program.stopSharing()
            try ask(Self.page)
            let off = Failure(.notAllowed, "KDE Connect's plugin for sharing is off for \(phone.name)")
            #expect(await answers.next() == .failure(off))
            daemon.ask(.status(.getStatus))
            #expect(code(await answers.next()) == .unimplemented)
            #expect(program.shared.count == 2)
        }
    }

    /// Another process takes over the name: nothing of the first one stays, and it can report nothing more.
    @Test func onlyTheOwnerOfTheNameIsBelieved() async throws {
        try await play { fixture, bus, daemon, guest in
            var reports = daemon.phoneReports.makeAsyncIterator()
            let first = KDEConnectDouble(try await fixture.connect(to: bus.address))
            try first.begin(["_a_": "Pixel"])
            #expect(await reports.next()?.map(\.name.text) == ["Pixel"])
            first.releaseName()
            #expect(await reports.next() == [])
            // It still serves its objects.
            first.announce()
            let second = KDEConnectDouble(try await fixture.connect(to: bus.address))
            try second.begin(["_b_": "Tablet"])
            #expect(await reports.next()?.map(\.name.text) == ["Tablet"])
            let asked = first.asked
            first.announce()
            await guest.settles(isolation: fixture)
            #expect(first.asked == asked)
        }
    }

    @Test func thousandsOfPhonesAndInvalidIDsLeaveAFew() async throws {
        try await play { fixture, bus, daemon, _ in
            var reports = daemon.phoneReports.makeAsyncIterator()
            let program = KDEConnectDouble(try await fixture.connect(to: bus.address))
            program.listed = ["", "a/../b", "a-b", "a b"] + (0..<5000).map { "p\($0)" }
            try program.begin(Dictionary(uniqueKeysWithValues: (0..<40).map { ("p\($0)", "Phone") }))
            #expect(await reports.next()?.count == Limits.phones)
        }
    }

    @Test func gsConnectIsAskedForItsActions() async throws {
        try await play { fixture, bus, daemon, _ in
            var reports = daemon.phoneReports.makeAsyncIterator()
            var answers = daemon.answers.makeAsyncIterator()
            let program = GSConnectDouble(try await fixture.connect(to: bus.address))
            try program.begin()
            #expect(await reports.next()?.map(\.link) == [.gsConnect])
            daemon.ask(.phones(.shareWithPhone(Self.page, try PhoneID("a-1"), .gsConnect)))
            #expect(await answers.next() == .done(accepted: true))
            let file = PhoneItem.file(try AbsolutePath("/home/ann/a b.txt"))
            daemon.ask(.phones(.shareWithPhone(file, try PhoneID("a-1"), .gsConnect)))
            #expect(await answers.next() == .done(accepted: true))
            #expect(program.shared == ["shareUri https://weather.example/", "shareFile file:///home/ann/a%20b.txt"])
            program.isOn = false
            daemon.ask(.phones(.shareWithPhone(Self.page, try PhoneID("a-1"), .gsConnect)))
            #expect(
                await answers.next()
                    == .failure(Failure(.notAllowed, "GSConnect's plugin for sharing is off for Pixel")))
            #expect(program.shared.count == 2)

            // The same phone through KDE Connect too.
            let other = KDEConnectDouble(try await fixture.connect(to: bus.address))
            try other.begin(["a": "Nokia"])
            #expect(await reports.next()?.map(\.link) == [.kdeConnect, .gsConnect])
        }
    }
}
