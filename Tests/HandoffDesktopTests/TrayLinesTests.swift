// SPDX-License-Identifier: Apache-2.0

import HandoffCore
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

    /// A click may arrive while the menu changes.
    @Test func aNumberKeepsItsActivity() throws {
        var lines = TrayLines()
        let before = try samples(1...2)
        lines.offered(before)
        let number = try #require(lines.entries.last?.number)
        lines.offered(try samples(3...7))
        #expect(lines.pressed(number) == .activity(before[1]))
        lines.offered(before)
        #expect(lines.entries.last?.number == number)
    }

    @Test func oldTrayLinesAreForgotten() throws {
        var lines = TrayLines()
        lines.offered([try .sample(0, "first")])
        let number = try #require(lines.entries.last?.number)
        for each in 1..<UInt8(TrayLines.remembered) { lines.offered([try .sample(each, "")]) }
        #expect(lines.pressed(number) != nil)
        lines.offered([try .sample(UInt8(TrayLines.remembered), "")])
        #expect(lines.pressed(number) == nil)
    }

    @Test func fixedTrayLinesNeverMove() throws {
        var lines = TrayLines()
        #expect(lines.entries.map(\.entry) == [.window, .separator, .nothing])
        lines.offered(try samples(1...5))
        #expect(lines.entries.prefix(2).map(\.entry) == [.window, .separator])
        #expect(lines.pressed(try #require(lines.entries.first?.number)) == .window)
        #expect(lines.pressed(lines.entries[1].number) == nil)
    }
}
