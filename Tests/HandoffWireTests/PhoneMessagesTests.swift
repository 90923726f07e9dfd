// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

/// Shows M08: phones and items in messages, with hostile values.
@Suite struct PhoneMessagesTests {
    private func phone(_ id: String, _ name: String = "Pixel", kind: UInt64 = 4, link: UInt64 = 1) -> RawMessage {
        RawMessage().field(1, Array(id.utf8)).field(2, Array(name.utf8)).field(3, kind).field(4, link)
    }

    private func reported(_ phones: [RawMessage]) throws -> [Phone]? {
        let list = phones.reduce(RawMessage()) { $0.field(1, $1) }
        guard
            case .phones(.setPhones(let phones)) = try LocalFrame(encoded: RawMessage().field(150, list).bytes).message
        else { return nil }
        return phones
    }

    @Test(arguments: [
        "", "a/b", "../../etc", "a b", "a.b", "ä", "a\u{0}b", "a\nb", "'", String(repeating: "a", count: 65),
    ])
    func idOutsideTheGrammarIsRefused(id: String) {
        #expect(throws: WireError(.badIdentifier, "")) { try reported([phone(id)]) }
    }

    @Test func idHasUpTo64Bytes() throws {
        let id = String(repeating: "a", count: Limits.phoneIDBytes)
        #expect(try reported([phone(id)])?.map(\.id.text) == [id])
    }

    @Test func nameIsCleanedAndCut() throws {
        let name = "Ann\u{1B}[2J\na\u{202E}s phone" + String(repeating: "x", count: 4096)
        let shown = try #require(try reported([phone("a", name)])?.first?.name.text)
        #expect(shown.hasPrefix("Ann[2J as phonexx"))
        #expect(shown.count == Limits.nameCharacters)
    }

    @Test func listHasALimit() throws {
        let phones = (0...Limits.phones).map { phone("phone\($0)") }
        #expect(try reported(Array(phones.prefix(Limits.phones)))?.count == Limits.phones)
        #expect(throws: WireError(.limitReached, "")) { try reported(phones) }
    }

    @Test func unknownKindIsADeviceAndUnknownProgramIsRefused() throws {
        #expect(try reported([phone("a", kind: 99)])?.map(\.kind) == [.unspecified])
        for link in [0, 3, 1 << 31] as [UInt64] {
            #expect(throws: WireError(.unknownKind, "")) { try reported([phone("a", link: link)]) }
        }
    }

    /// A newer daemon may list phones of another program.
    @Test func clientsSkipPhonesOfUnknownPrograms() throws {
        let list = RawMessage().field(1, phone("a", link: 3)).field(1, phone("b"))
        let frame = try LocalFrame(encoded: RawMessage().field(152, list).bytes)
        guard case .phones(.phoneList(let phones)) = frame.message else {
            Issue.record("another message")
            return
        }
        #expect(phones.map(\.id.text) == ["b"])
    }

    @Test(arguments: [
        "", "file:///etc/passwd", "javascript:alert(1)", "handoff://join", "ftp://example.com/", "intent://scan/",
        "https://anna:secret@example.com/", "https://example.com/ b", "HTTPS:",
    ])
    func onlyWebPagesWithoutPasswordsAreItems(url: String) {
        let item = RawMessage().field(1, RawMessage().field(1, Array(url.utf8))).field(2, Array("Pixel".utf8))
        #expect(throws: WireError(.badIdentifier, "")) {
            try LocalFrame(encoded: RawMessage().field(153, item).bytes)
        }
    }

    @Test(arguments: ["", "letter.txt", "/a\u{0}b"])
    func onlyAbsolutePathsAreFiles(path: String) {
        let item = RawMessage().field(1, RawMessage().field(2, Array(path.utf8))).field(2, Array("Pixel".utf8))
        #expect(throws: WireError(.badIdentifier, "")) {
            try LocalFrame(encoded: RawMessage().field(153, item).bytes)
        }
    }

    @Test func itemOfAnUnknownKindIsRefused() {
        let item = RawMessage().field(1, RawMessage().field(9, Array("x".utf8))).field(2, Array("Pixel".utf8))
        #expect(throws: WireError(.unknownKind, "")) {
            try LocalFrame(encoded: RawMessage().field(153, item).bytes)
        }
    }
}
