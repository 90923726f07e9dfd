// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffCore
import HandoffStrings
import HandoffWire
import Testing

@testable import HandoffDesktop

/// Shows L12.
@Suite struct TrayLinesTests {
    private func samples(_ numbers: ClosedRange<UInt8>) throws -> [ListedActivity] {
        try numbers.map { try .sample($0, "\($0)") }
    }

    private func titles(_ lines: TrayLines) -> [String] {
        lines.entries.compactMap {
            guard case .activity(let activity, _) = $0.entry else { return nil }
            return activity.title.text
        }
    }

    @Test func theNewestFiveAreThereAndAllAreCounted() throws {
        var lines = TrayLines()
        lines.offered(try samples(1...7))
        #expect(titles(lines) == ["1", "2", "3", "4", "5"])
        #expect(TrayLines.newest == 5)
        #expect(lines.count == 7)
    }

    /// hluk/CopyQ#1981: an access key took the sign away.
    @Test(arguments: ["a_b", "_", "a_\u{301}b", "1_\u{FE0F}\u{20E3}"]) func underscoresAreShown(title: String) throws {
        let label = TrayLines.Entry.label(
            try .sample(1, title), LocalizedStrings(.english), at: WallTime(milliseconds: 0))
        let shown = title.unicodeScalars.flatMap { $0 == "_" ? ["_", "_"] : [$0] }
        #expect(try #require(label.text).unicodeScalars.starts(with: shown))
    }

    /// feditext/feditext#342: the title was on the other side of its app and device.
    @Test func titleFromRightToLeftStaysBeforeItsDetails() throws {
        let title = "\u{5E9}\u{5DC}\u{5D5}\u{5DD} 2"
        let label = TrayLines.Entry.label(
            try .sample(1, title), LocalizedStrings(.english), at: WallTime(milliseconds: 0))
        #expect(label.text == "\u{2068}\(title)\u{2069} – \u{2068}Notes · laptop · just now\u{2069}")
    }

    /// A click may arrive while the menu changes.
    @Test func aNumberKeepsItsActivity() throws {
        var lines = TrayLines()
        let before = try samples(1...2)
        lines.offered(before)
        let number = try #require(lines.entries.dropFirst().first?.number)
        lines.offered(try samples(3...7))
        #expect(lines.pressed(number) == .activity(before[1]))
        lines.offered(before)
        #expect(lines.entries.dropFirst().first?.number == number)
    }

    @Test func oldTrayLinesAreForgotten() throws {
        var lines = TrayLines()
        lines.offered([try .sample(0, "first")])
        let number = try #require(lines.entries.first?.number)
        for each in 1..<UInt8(TrayLines.remembered) { lines.offered([try .sample(each, "")]) }
        #expect(lines.pressed(number) != nil)
        lines.offered([try .sample(UInt8(TrayLines.remembered), "")])
        #expect(lines.pressed(number) == nil)
    }

    @Test func lastLinesOpenTheWindow() throws {
        var lines = TrayLines()
        #expect(lines.entries.map(\.entry) == [.nothing, .separator, .window, .settings])
        lines.offered(try samples(1...18))
        #expect(lines.entries.suffix(4).map(\.entry) == [.more(13), .separator, .window, .settings])
        let numbers = lines.entries.suffix(4).map(\.number)
        #expect(numbers.map { lines.pressed($0) } == [.window(.last), nil, .window(.last), .window(.settings)])
    }

    /// The pointer may be over it.
    @Test func openMenuKeepsItsLines() throws {
        var lines = TrayLines()
        lines.offered(try samples(1...6))
        lines.ruled(PolicySummary())
        lines.opened(true)
        let numbers = lines.entries.map(\.number)
        lines.offered(try samples(1...9))
        lines.ruled(PolicySummary(off: [PolicySwitch(PolicySubject(.receiving), until: .now)]))
        #expect(lines.entries.map(\.number) == numbers)
        lines.opened(false)
        lines.offered(try samples(1...9))
        #expect(lines.entries.map(\.number) != numbers)
        #expect(lines.entries.contains { $0.entry == .resume })
        #expect(lines.entries.contains { $0.entry == .more(4) })
    }
}
