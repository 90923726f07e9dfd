// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire
import Testing

@testable import HandoffAdapters

struct PlayerReportTests {
    private func report(_ metadata: [String: BusValue], _ more: [String: BusValue] = [:]) -> PlayerReport {
        var report = PlayerReport()
        report.apply(more.merging(["Metadata": .properties(metadata)]) { $1 })
        return report
    }

    // Shows M02.
    @Test func titleIsTheMediasElseTheFilesOrTheHost() {
        let page = BusValue.string("https://films.example/a.mkv")
        #expect(report(["xesam:url": page, "xesam:title": .string("A film")]).title == "A film")
        #expect(report(["xesam:url": page]).title == "films.example")
        #expect(report(["xesam:url": .string("file:///home/anna/a%20b.mkv")]).title == "a b.mkv")
    }

    @Test func titleIsSafeToShow() {
        let page = BusValue.string("https://films.example/a.mkv")
        let hostile = String(repeating: "x", count: 5000) + "\u{202E}\n"
        let title = report(["xesam:url": page, "xesam:title": .string("a\u{1b}[31m\nb" + hostile)]).title
        #expect(title.count <= OpenSource.titleCharacters + 1)
        #expect(!title.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" })
    }

    // Shows M02.
    @Test func positionStaysWithinTheMedia() {
        let film = report(["xesam:url": .string("https://films.example/a"), "mpris:length": .int64(90_000_000)])
        #expect(film.seconds(at: 61_500_000) == 61.5)
        #expect(film.seconds(at: -20_000) == 0)
        // From a report about another program (playerctl 359).
        #expect(film.seconds(at: 600_000_000) == 600)
        #expect(film.seconds(at: .max) == ProgramState.maximumSeconds)
    }

    @Test(arguments: [BusValue.int64(-1), .int64(0), .uint64(.max), .string("90"), .double(.nan)])
    func mediaWithoutALengthHasNoPosition(length: BusValue) {
        #expect(
            report(["xesam:url": .string("https://films.example/a"), "mpris:length": length]).seconds(at: 5) == nil)
    }

    @Test func valuesOfAnotherTypeAreIgnored() {
        var report = report(["xesam:url": .int64(5), "xesam:title": .strings(["a"])], ["PlaybackStatus": .int32(1)])
        #expect(report.source == nil)
        #expect(report.standing == .closed)
        report.apply(["Metadata": .string("a")])
        #expect(report.source == nil)
    }
}
