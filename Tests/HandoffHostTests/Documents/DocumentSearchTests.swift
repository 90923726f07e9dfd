// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// A renamed document.
@Suite struct DocumentSearchTests {
    private func find(_ document: FoundDocument, in fixture: DiskFixture) throws -> String? {
        try fixture.files.find(
            document.version.file, size: document.version.size, hash: document.hash, in: fixture.folder
        )?.description
    }

    @Test func aFileThatWasRenamedIsFoundByItsNumber() throws {
        let fixture = try DiskFixture()
        try fixture.write("Dear Ann", to: "ann.txt")
        let found = try #require(try fixture.found("ann.txt"))
        try fixture.home.folder("Documents/letters/old")
        rename(fixture.path("ann.txt"), fixture.path("letters/old/to ann"))
        // It was edited too.
        try fixture.write("Dear Bob", to: "Dear Ann.txt")
        let handle = try #require(FileHandle(forWritingAtPath: fixture.path("letters/old/to ann")))
        try handle.write(contentsOf: Data("Hello, Ann".utf8))
        #expect(try find(found, in: fixture) == "letters/old/to ann")
    }

    @Test func aCopyIsFoundByItsContent() throws {
        let fixture = try DiskFixture()
        try fixture.write("Dear Ann", to: "ann.txt")
        let found = try #require(try fixture.found("ann.txt"))
        try fixture.write("Dear Bob", to: "a")
        try fixture.write("Dear Ann", to: "letters/ann")
        rename(fixture.path("ann.txt"), fixture.home.path("outside"))
        #expect(try find(found, in: fixture) == "letters/ann")
        unlink(fixture.path("letters/ann"))
        #expect(try find(found, in: fixture) == nil)
    }

    @Test func searchDoesNotLeaveTheContainer() throws {
        let fixture = try DiskFixture()
        try fixture.write("Dear Ann", to: "ann.txt")
        let found = try #require(try fixture.found("ann.txt"))
        try fixture.home.folder("outside")
        rename(fixture.path("ann.txt"), fixture.home.path("outside/ann.txt"))
        try fixture.home.link("Documents/out", to: "../outside")
        #expect(try find(found, in: fixture) == nil)
    }

    @Test func aFIFOOfTheSameSizeHoldsNothingUp() throws {
        let fixture = try DiskFixture()
        try fixture.write("", to: "ann.txt")
        let found = try #require(try fixture.found("ann.txt"))
        unlink(fixture.path("ann.txt"))
        mkfifo(fixture.path("pipe"), 0o600)
        #expect(try find(found, in: fixture) == nil)
    }

    @Test func onlySoManyEntriesAreLookedAt() throws {
        #expect(DocumentLimits().searchedEntries == 10_000)
        var limits = DocumentLimits()
        limits.searchedEntries = 50
        let fixture = try DiskFixture(limits: limits)
        try fixture.write("Dear Ann", to: "ann.txt")
        let found = try #require(try fixture.found("ann.txt"))
        try fixture.home.folder("Documents/letters")
        rename(fixture.path("ann.txt"), fixture.path("letters/ann.txt"))
        for number in 0..<48 { try fixture.write("", to: "\(number)") }
        #expect(try find(found, in: fixture) == "letters/ann.txt")
        try fixture.write("", to: "more")
        #expect(try find(found, in: fixture) == nil)
    }

    @Test func itTakesNoLongerThanItMay() throws {
        #expect(DocumentLimits().search == .seconds(2))
        var limits = DocumentLimits()
        limits.search = .zero
        let fixture = try DiskFixture(limits: limits)
        try fixture.write("Dear Ann", to: "ann.txt")
        let found = try #require(try fixture.found("ann.txt"))
        #expect(try find(found, in: fixture) == nil)
    }

    /// A folder may contain any number of other files.
    @Test func aFolderOfManyFilesIsNotReadToItsEnd() throws {
        let fixture = try DiskFixture()
        for number in 0..<30_000 { try #require(mknod(fixture.path("\(number)"), S_IFREG | 0o600, 0) == 0) }
        let clock = ContinuousClock()
        let all = clock.measure { _ = fixture.names() }
        let one = clock.measure { #expect((try? fixture.look("missing")) == .nothing) }
        #expect(one < all)
        try fixture.write("Dear Ann", to: "ann.txt")
        #expect(try fixture.found("ann.txt")?.version.size == 8)
    }
}
