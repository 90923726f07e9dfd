// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import Testing

@testable import HandoffHost

/// Names that are too long for the file system, as on eCryptfs, which takes 143 bytes of the usual 255. Shows Q08.
@Suite struct LongNameTests {
    private static let long = String(repeating: "Letter to Anna, ", count: 14) + "II.txt"
    private static let other = String(repeating: "Letter to Anna, ", count: 14) + "IV.txt"

    private func fixture(limit: Int = 143, apart: Bool = false) throws -> DiskFixture {
        var abilities = DiskAbilities()
        abilities.longestName = limit
        return try DiskFixture(apart: apart, abilities: abilities)
    }

    private func names(_ fixture: DiskFixture) -> [String] { fixture.names().filter { $0 != "lost+found/" } }

    /// The document is received, replaced and found, and its versions are listed and restored.
    private func check(_ fixture: DiskFixture, limit: Int) throws {
        guard case .placed(let path, let found) = try fixture.receive(Array("one".utf8), as: Self.long) else {
            return #expect(Bool(false), "it is not there")
        }
        let name = try #require(names(fixture).first)
        #expect(names(fixture) == [name] && path.text == fixture.path(name) && found.path?.description == name)
        #expect(name.utf8.count <= limit && name.hasPrefix("Letter to Anna, ") && name.hasSuffix(".txt"))
        #expect(fixture.text(name) == "one")
        #expect(try fixture.found(Self.long)?.path == found.path)
        // A name that differs only at its end is another document.
        #expect(try fixture.look(Self.other) == .nothing)
        try fixture.receive(Array("other".utf8), as: Self.other)
        try fixture.receive(Array("two".utf8), as: Self.long)
        #expect(fixture.text(name) == "two")
        #expect(names(fixture).count == 2)
        let version = try #require(try fixture.files.versions().first)
        #expect(try Data(contentsOf: URL(filePath: version.file.text)) == Data("one".utf8))
        _ = try fixture.files.restore(version.id, at: DiskFixture.noon)
        #expect(fixture.text(name) == "one")
        #expect(fixture.leftovers() == [])
    }

    // Shows Q08.
    @Test func longNameIsShortenedAndFoundAgain() throws { try check(try fixture(), limit: 143) }

    // Shows Q08.
    @Test(.needs(.encfs)) func longNameIsShortenedOnEncfs() throws {
        let disk = try #require(SmallDisk(.encfs))
        try check(try DiskFixture(folder: disk.path), limit: 175)
    }

    // Shows Q08.
    @Test(.needs(.encfs)) func versionsAreKeptOnEncfs() throws {
        let disk = try #require(SmallDisk(.encfs))
        let fixture = try DiskFixture(state: disk.path + "/state")
        try fixture.receive(Array("one".utf8), as: Self.long)
        try fixture.receive(Array("two".utf8), as: Self.long)
        #expect(fixture.text(Self.long) == "two")
        let version = try #require(try fixture.files.versions().first)
        #expect(version.path.text == fixture.path(Self.long))
        #expect(try Data(contentsOf: URL(filePath: version.file.text)) == Data("one".utf8))
        _ = try fixture.files.restore(version.id, at: DiskFixture.noon)
        #expect(fixture.text(Self.long) == "one")
    }

    // Shows Q08.
    @Test func foldersAreShortenedToo() throws {
        let fixture = try fixture()
        let folder = String(repeating: "f", count: 200)
        try fixture.receive([1], as: "\(folder)/\(folder)/ann.txt")
        #expect(try fixture.found("\(folder)/\(folder)/ann.txt")?.version.size == 1)
        #expect(fixture.names().allSatisfy { $0.split(separator: "/").allSatisfy { $0.utf8.count <= 143 } })
    }

    /// Back at its origin, which supports the whole name.
    // Shows Q08.
    @Test func shortenedNameMatchesTheLongName() throws {
        let (here, origin) = (try fixture(), try DiskFixture())
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
        let fixture = try fixture(limit: 20)
        let failure = failure { try fixture.receive([1], as: Self.long) }
        #expect(failure?.code == .documentNotPlaced)
        #expect(failure?.reason.contains("is too long for") == true)
        #expect(fixture.names() == [])
    }
}
