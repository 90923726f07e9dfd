// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import Testing

@testable import HandoffHost

/// Names that are too long for the file system, as on eCryptfs, which takes 143 bytes of the usual 255.
@Suite struct LongNameTests {
    private static let long = String(repeating: "Letter to Anna, ", count: 14) + "II.txt"
    private static let other = String(repeating: "Letter to Anna, ", count: 14) + "IV.txt"

    private func desk(limit: Int = 143, apart: Bool = false) throws -> DocumentDesk {
        var abilities = DiskAbilities()
        abilities.longestName = limit
        return try DocumentDesk(apart: apart, abilities: abilities)
    }

    private func names(_ desk: DocumentDesk) -> [String] { desk.names().filter { $0 != "lost+found/" } }

    /// The document is received, replaced and found, and its versions are listed and restored.
    private func check(_ desk: DocumentDesk, limit: Int) throws {
        guard case .placed(let path, let found) = try desk.receive(Array("one".utf8), as: Self.long) else {
            return #expect(Bool(false), "it is not there")
        }
        let name = try #require(names(desk).first)
        #expect(names(desk) == [name] && path.text == desk.path(name) && found.path?.description == name)
        #expect(name.utf8.count <= limit && name.hasPrefix("Letter to Anna, ") && name.hasSuffix(".txt"))
        #expect(desk.text(name) == "one")
        #expect(try desk.found(Self.long)?.path == found.path)
        // A name that differs only at its end is another document.
        #expect(try desk.look(Self.other) == .nothing)
        try desk.receive(Array("other".utf8), as: Self.other)
        try desk.receive(Array("two".utf8), as: Self.long)
        #expect(desk.text(name) == "two")
        #expect(names(desk).count == 2)
        let version = try #require(try desk.files.versions().first)
        #expect(try Data(contentsOf: URL(filePath: version.file.text)) == Data("one".utf8))
        _ = try desk.files.restore(version.id, at: DocumentDesk.noon)
        #expect(desk.text(name) == "one")
        #expect(desk.leftovers() == [])
    }

    // Shows Q08.
    @Test func longNameIsShortenedAndFoundAgain() throws { try check(try desk(), limit: 143) }

    // Shows Q08.
    @Test(.needs(.encfs)) func longNameIsShortenedOnEncfs() throws {
        let disk = try #require(SmallDisk(.encfs))
        try check(try DocumentDesk(folder: disk.path), limit: 175)
    }

    // Shows Q08.
    @Test(.needs(.encfs)) func versionsAreKeptOnEncfs() throws {
        let disk = try #require(SmallDisk(.encfs))
        let desk = try DocumentDesk(state: disk.path + "/state")
        try desk.receive(Array("one".utf8), as: Self.long)
        try desk.receive(Array("two".utf8), as: Self.long)
        #expect(desk.text(Self.long) == "two")
        let version = try #require(try desk.files.versions().first)
        #expect(version.path.text == desk.path(Self.long))
        #expect(try Data(contentsOf: URL(filePath: version.file.text)) == Data("one".utf8))
        _ = try desk.files.restore(version.id, at: DocumentDesk.noon)
        #expect(desk.text(Self.long) == "one")
    }

    // Shows Q08.
    @Test func foldersAreShortenedToo() throws {
        let desk = try desk()
        let folder = String(repeating: "f", count: 200)
        try desk.receive([1], as: "\(folder)/\(folder)/ann.txt")
        #expect(try desk.found("\(folder)/\(folder)/ann.txt")?.version.size == 1)
        #expect(desk.names().allSatisfy { $0.split(separator: "/").allSatisfy { $0.utf8.count <= 143 } })
    }

    /// Back at its origin, which supports the whole name.
    // Shows Q08.
    @Test func shortenedNameIsTheLongOneWhereThatIs() throws {
        let (here, origin) = (try desk(), try DocumentDesk())
        try origin.write("one", to: Self.long)
        try origin.write("other", to: Self.other)
        try here.receive(Array("one".utf8), as: Self.long)
        let short = try #require(here.names().first)
        #expect(try origin.found(short)?.path?.description == Self.long)
        try origin.receive(Array("two".utf8), as: short)
        #expect(origin.text(Self.long) == "two" && origin.text(Self.other) == "other")
        #expect(origin.names().count == 2)
    }

    @Test func nameThatCannotBeShortenedIsNamed() throws {
        let desk = try desk(limit: 20)
        let failure = failure { try desk.receive([1], as: Self.long) }
        #expect(failure?.code == .documentNotPlaced)
        #expect(failure?.reason.contains("is too long for") == true)
        #expect(desk.names() == [])
    }
}
