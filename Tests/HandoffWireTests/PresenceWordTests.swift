// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

/// Shows L13: a report from a part of the desktop about the user.
@Suite struct PresenceWordTests {
    private func read(_ word: RawMessage) throws -> PresenceWord? {
        guard
            case .presence(.setPresence(let word)) = try LocalFrame(encoded: RawMessage().field(130, word).bytes)
                .message
        else { return nil }
        return word
    }

    /// It might mean that the user is away, or not.
    @Test(arguments: [0, 5, 1 << 31] as [UInt64])
    func aPresenceOfAnUnknownKindIsRefused(kind: UInt64) {
        #expect(throws: WireError(.unknownKind, "")) { try read(RawMessage().field(1, kind)) }
    }

    /// Shows Q12: a newer program may name other parts.
    @Test func missingPartsAreReadAndUnknownPartsIgnored() throws {
        let word = try read(RawMessage().field(1, 1).field(3, 3).field(3, 99).field(3, 4))
        #expect(word?.missing == [.tray, .screenLock])
        let frame = LocalFrame(
            .presence(.setPresence(PresenceWord(.here, missing: [.notificationServer, .sessionBus]))))
        #expect(try LocalFrame(encoded: frame.encoded()).message == frame.message)
    }

    @Test func problemIsOneShortLine() throws {
        let text = Array(("no logind\u{1B}[2J\nor\u{202E}so" + String(repeating: "x", count: 1000)).utf8)
        let word = try read(RawMessage().field(1, 2).field(2, text))
        let problem = try #require(word?.problem?.text)
        #expect(word?.presence == .locked)
        #expect(problem.hasPrefix("no logind[2J orso"))
        #expect(problem.count == Limits.nameCharacters)
        #expect(try read(RawMessage().field(1, 1)) == PresenceWord(.here))
    }
}
