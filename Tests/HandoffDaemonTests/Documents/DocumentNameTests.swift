// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

@Suite struct DocumentNameTests {
    // "Café.txt", composed and decomposed.
    private let composed = Array("Caf\u{E9}.txt".utf8)
    private let decomposed = Array("Cafe\u{301}.txt".utf8)

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func find(_ name: [UInt8], among entries: [[UInt8]], ignoringCase: Bool = false) -> DocumentName.Match {
        DocumentName.find(name, among: entries, ignoringCase: ignoringCase)
    }

    @Test func theVeryBytesWin() {
        #expect(find(composed, among: [decomposed, composed]) == .found(composed))
        #expect(find(decomposed, among: [decomposed, composed]) == .found(decomposed))
        #expect(find(bytes("a"), among: [bytes("A"), bytes("a")], ignoringCase: true) == .found(bytes("a")))
    }

    @Test func aSingleNameInAnotherUnicodeFormMatches() {
        #expect(find(composed, among: [bytes("b"), decomposed]) == .found(decomposed))
        #expect(find(decomposed, among: [composed]) == .found(composed))
    }

    @Test func severalOfAnotherFormAreNotToldApart() {
        // A dot below and a dot above, in either order, and one composed letter: three encodings of one text.
        let forms = ["s\u{323}\u{307}", "s\u{307}\u{323}", "\u{1E69}"].map(bytes)
        #expect(find(forms[0], among: [forms[1], forms[2]]) == .ambiguous)
        #expect(find(forms[0], among: forms) == .found(forms[0]))
    }

    @Test func caseMattersOnCaseSensitiveFileSystems() {
        #expect(find(bytes("letter.txt"), among: [bytes("Letter.txt")]) == .none)
        #expect(
            find(bytes("letter.txt"), among: [bytes("Letter.txt")], ignoringCase: true) == .found(bytes("Letter.txt")))
        #expect(find(composed, among: [bytes("CAFE\u{301}.TXT")], ignoringCase: true) != .none)
        let two = [bytes("LETTER.txt"), bytes("Letter.txt")]
        #expect(find(bytes("letter.txt"), among: two, ignoringCase: true) == .ambiguous)
    }

    @Test func nonTextNameIsComparedByBytes() {
        let latin: [UInt8] = [0x43, 0xE9]
        #expect(find(latin, among: [latin]) == .found(latin))
        // Both would be decoded as "C" and a replacement character.
        #expect(find(latin, among: [[0x43, 0xE8], Array("C\u{FFFD}".utf8)], ignoringCase: true) == .none)
    }

    // MARK: Copies

    private let afternoon = WallTime(milliseconds: 1_795_356_840_000)  // 2026-11-22 14:14:00 UTC
    private func copy(
        of path: String, device: String = "Desk", at time: WallTime? = nil, offset: Int = 3600,
        among entries: [String] = []
    ) throws -> String {
        try DocumentName.conflictCopy(
            of: DocumentPath(path), device: DisplayText(cleaning: device), at: time ?? afternoon, offset: offset,
            among: entries.map(bytes)
        ).description
    }

    @Test func aCopySaysWhoseItIsAndFromWhen() throws {
        #expect(try copy(of: "Letter.txt") == "Letter (Desk, 2026-11-22 15.14).txt")
        #expect(try copy(of: "Post/2026/Letter.txt") == "Post/2026/Letter (Desk, 2026-11-22 15.14).txt")
    }

    @Test func aNameWithoutAnEndingHasNone() throws {
        #expect(try copy(of: "Letter") == "Letter (Desk, 2026-11-22 15.14)")
        #expect(try copy(of: ".profile") == ".profile (Desk, 2026-11-22 15.14)")
        #expect(try copy(of: "a.tar.gz") == "a.tar (Desk, 2026-11-22 15.14).gz")
        let long = "v1." + String(repeating: "x", count: 40)
        #expect(try copy(of: long) == long + " (Desk, 2026-11-22 15.14)")
    }

    @Test(
        arguments: [
            (0, "1970-01-01 00.00"), (-1, "1969-12-31 23.59"), (951_782_400_000, "2000-02-29 00.00"),
            (4_102_444_799_000, "2099-12-31 23.59"), (1_709_251_199_999, "2024-02-29 23.59"),
        ] as [(Int64, String)])
    func timesAreThoseOfTheCalendar(milliseconds: Int64, text: String) throws {
        let time = WallTime(milliseconds: milliseconds)
        #expect(try copy(of: "a", at: time, offset: 0) == "a (Desk, \(text))")
    }

    @Test func absurdClocksHaveNamesToo() throws {
        for milliseconds in [Int64.min, .max] {
            #expect(
                try copy(of: "a", at: WallTime(milliseconds: milliseconds), offset: .max).hasPrefix(
                    "a (Desk, "))
        }
    }

    @Test func aTakenNameIsNumbered() throws {
        let first = "Letter (Desk, 2026-11-22 15.14).txt"
        let second = "Letter (Desk, 2026-11-22 15.14, 2).txt"
        #expect(try copy(of: "Letter.txt", among: [first]) == second)
        #expect(
            try copy(of: "Letter.txt", among: [second, first]) == "Letter (Desk, 2026-11-22 15.14, 3).txt")
        // Nor a name that differs only in case or form.
        #expect(try copy(of: "Letter.txt", among: [first.uppercased()]) == second)
        #expect(
            try copy(of: "Caf\u{E9}", among: ["Cafe\u{301} (Desk, 2026-11-22 15.14)"])
                == "Caf\u{E9} (Desk, 2026-11-22 15.14, 2)")
    }

    @Test func noSyncToolTakesItForItsOwn() throws {
        let name = try copy(of: "Letter.txt").lowercased()
        for word in ["conflict", "sync", "conflicted copy"] { #expect(!name.contains(word)) }
    }

    @Test func aDevicesNameIsCleanedAndCut() throws {
        #expect(try copy(of: "a", device: "My/De\\sk: (2)") == "a (My-De-sk- -2-, 2026-11-22 15.14)")
        let name = try copy(of: "a", device: String(repeating: "ö", count: 60))
        #expect(name == "a (\(String(repeating: "ö", count: 40)), 2026-11-22 15.14)")
        #expect(try copy(of: "a", device: "") == "a (this device, 2026-11-22 15.14)")
    }

    @Test func aLongNameIsCutBetweenCharacters() throws {
        // A family: one character of 25 bytes.
        let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"
        let stem = String(repeating: family, count: 10)
        let name = try copy(of: stem + ".txt")
        #expect(name.utf8.count <= Limits.pathPartBytes)
        #expect(name == String(repeating: family, count: 9) + " (Desk, 2026-11-22 15.14).txt")
        let bytes = [UInt8](repeating: 0xE9, count: Limits.pathPartBytes)
        let path = try DocumentName.conflictCopy(
            of: DocumentPath(bytes: bytes), device: DisplayText(cleaning: "Desk"), at: afternoon, offset: 0, among: [])
        #expect(path.bytes.count == Limits.pathPartBytes)
    }

    @Test func aPathThatIsFullHasNoRoomForACopy() throws {
        let folder = String(repeating: String(repeating: "x", count: 254) + "/", count: 16)
        let path = folder + String(repeating: "y", count: Limits.pathBytes - folder.utf8.count)
        #expect(throws: Failure.any(.documentNotPlaced)) { try copy(of: path) }
    }

    @Test func copiesAreFoundAgain() throws {
        let path = try DocumentPath("Post/Letter.txt")
        let copies = [
            "Letter (Desk, 2026-11-22 15.14).txt",
            "Letter (Desk, upstairs, 2026-11-22 15.14, 12).txt",
            "L (Desk, 2026-11-22 15.14).txt",
        ]
        let others = [
            "Letter.txt", "Letter (Desk, 2026-11-22 15.14).md",
            "Letters (Desk, 2026-11-22 15.14).txt",
            "Letter (2).txt", "Letter (Desk, 2026-11-22).txt", "Letter(Desk, 2026-11-22 15.14).txt",
            "().txt",
        ]
        #expect(
            DocumentName.conflictCopies(of: path, among: (others + copies).map(bytes)) == copies.map(bytes))
    }

    @Test func anotherOfTheSameNameIsNumbered() throws {
        #expect(try DocumentName.numbered(DocumentPath("a/Letter.txt"), 2).description == "a/Letter (2).txt")
    }
}
