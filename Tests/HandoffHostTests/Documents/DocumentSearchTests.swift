// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// A renamed document.
@Suite struct DocumentSearchTests {
    private func find(_ document: FoundDocument, in desk: DocumentDesk) throws -> String? {
        try desk.files.find(
            document.version.file, size: document.version.size, hash: document.hash, in: desk.folder
        )?.description
    }

    @Test func aFileThatWasRenamedIsFoundByItsNumber() throws {
        let desk = try DocumentDesk()
        try desk.write("Dear Ann", to: "ann.txt")
        let found = try #require(try desk.found("ann.txt"))
        try desk.home.folder("Documents/letters/old")
        rename(desk.path("ann.txt"), desk.path("letters/old/to ann"))
        // It was edited too.
        try desk.write("Dear Bob", to: "Dear Ann.txt")
        let handle = try #require(FileHandle(forWritingAtPath: desk.path("letters/old/to ann")))
        try handle.write(contentsOf: Data("Hello, Ann".utf8))
        #expect(try find(found, in: desk) == "letters/old/to ann")
    }

    @Test func aCopyIsFoundByItsContent() throws {
        let desk = try DocumentDesk()
        try desk.write("Dear Ann", to: "ann.txt")
        let found = try #require(try desk.found("ann.txt"))
        try desk.write("Dear Bob", to: "a")
        try desk.write("Dear Ann", to: "letters/ann")
        rename(desk.path("ann.txt"), desk.home.path("outside"))
        #expect(try find(found, in: desk) == "letters/ann")
        unlink(desk.path("letters/ann"))
        #expect(try find(found, in: desk) == nil)
    }

    @Test func searchDoesNotLeaveTheContainer() throws {
        let desk = try DocumentDesk()
        try desk.write("Dear Ann", to: "ann.txt")
        let found = try #require(try desk.found("ann.txt"))
        try desk.home.folder("outside")
        rename(desk.path("ann.txt"), desk.home.path("outside/ann.txt"))
        try desk.home.link("Documents/out", to: "../outside")
        #expect(try find(found, in: desk) == nil)
    }

    @Test func aFIFOOfTheSameSizeHoldsNothingUp() throws {
        let desk = try DocumentDesk()
        try desk.write("", to: "ann.txt")
        let found = try #require(try desk.found("ann.txt"))
        unlink(desk.path("ann.txt"))
        mkfifo(desk.path("pipe"), 0o600)
        #expect(try find(found, in: desk) == nil)
    }

    @Test func onlySoManyEntriesAreLookedAt() throws {
        #expect(DocumentLimits().searchedEntries == 10_000)
        var limits = DocumentLimits()
        limits.searchedEntries = 50
        let desk = try DocumentDesk(limits: limits)
        try desk.write("Dear Ann", to: "ann.txt")
        let found = try #require(try desk.found("ann.txt"))
        try desk.home.folder("Documents/letters")
        rename(desk.path("ann.txt"), desk.path("letters/ann.txt"))
        for number in 0..<48 { try desk.write("", to: "\(number)") }
        #expect(try find(found, in: desk) == "letters/ann.txt")
        try desk.write("", to: "more")
        #expect(try find(found, in: desk) == nil)
    }

    @Test func itTakesNoLongerThanItMay() throws {
        #expect(DocumentLimits().search == .seconds(2))
        var limits = DocumentLimits()
        limits.search = .zero
        let desk = try DocumentDesk(limits: limits)
        try desk.write("Dear Ann", to: "ann.txt")
        let found = try #require(try desk.found("ann.txt"))
        #expect(try find(found, in: desk) == nil)
    }

    /// A folder may contain any number of other files.
    @Test func aFolderOfManyFilesIsNotReadToItsEnd() throws {
        let desk = try DocumentDesk()
        for number in 0..<30_000 { try #require(mknod(desk.path("\(number)"), S_IFREG | 0o600, 0) == 0) }
        let clock = ContinuousClock()
        let all = clock.measure { _ = desk.names() }
        let one = clock.measure { #expect((try? desk.look("missing")) == .nothing) }
        #expect(one < all)
        try desk.write("Dear Ann", to: "ann.txt")
        #expect(try desk.found("ann.txt")?.version.size == 8)
    }
}
