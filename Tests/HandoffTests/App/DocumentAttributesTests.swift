// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows Q08.
@Suite @MainActor struct DocumentAttributesTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Writes its file as many apps do.
    private final class OwnWriter: NSDocument {
        override func write(to url: URL, ofType typeName: String) throws {
            try Data("own".utf8).write(to: url, options: .atomic)
        }
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    private func file(_ name: String, mode: mode_t) throws -> URL {
        let url = try folder.file(name)
        try #require(chmod(url.path, mode) == 0)
        return url
    }

    private func save(_ document: NSDocument, to url: URL) throws {
        try document.save(to: url, ofType: "Letter")
    }

    // Shows Q08.
    @Test(arguments: [0o600, 0o640, 0o660, 0o755] as [mode_t]) func savedDocumentKeepsTheModeOfItsFile(
        mode: mode_t
    ) async throws {
        let fixture = try await AppFixture()
        let url = try file("letter.txt", mode: mode)
        let letter = fixture.laptop.center.run { Letter() }
        letter.text = "Dear Bob"
        try save(letter, to: url)
        #expect(try Data(contentsOf: url) == Data("Dear Bob".utf8))
        #expect(try self.mode(url) == Int(mode))
        let note = fixture.laptop.center.run { Note(fileURL: url) }
        note.text = "Dear Eve"
        #expect(await note.save(to: url, for: .forOverwriting))
        #expect(try Data(contentsOf: url) == Data("Dear Eve".utf8))
        #expect(try self.mode(url) == Int(mode))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["letter.txt"])
    }

    // Shows Q08.
    @Test func documentThatWritesInItsOwnWayKeepsTheModeToo() async throws {
        let fixture = try await AppFixture()
        let url = try file("letter.txt", mode: 0o600)
        try save(fixture.laptop.center.run { OwnWriter() }, to: url)
        #expect(try Data(contentsOf: url) == Data("own".utf8))
        #expect(try mode(url) == 0o600)
    }

    // Shows Q08.
    @Test func newFileHasTheModeThatTheUmaskLeaves() async throws {
        let fixture = try await AppFixture()
        let url = folder.url.appending(path: "new.txt")
        let letter = fixture.laptop.center.run { Letter() }
        let descriptor = open(folder.url.appending(path: "made").path, O_CREAT | O_WRONLY, 0o666)
        close(descriptor)
        try save(letter, to: url)
        #expect(try mode(url) == mode(folder.url.appending(path: "made")))
    }

    // Shows Q08.
    @Test func linkToADocumentStaysALink() async throws {
        let fixture = try await AppFixture()
        let url = try file("letter.txt", mode: 0o600)
        let link = folder.url.appending(path: "link.txt")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        let letter = fixture.laptop.center.run { Letter() }
        letter.text = "Dear Bob"
        try save(letter, to: link)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == url.path)
        #expect(try Data(contentsOf: url) == Data("Dear Bob".utf8))
        #expect(try mode(url) == 0o600)
    }

    // Shows Q08.
    @Test func failedSaveNamesItsCauseAndLeavesNothing() async throws {
        let fixture = try await AppFixture()
        let url = folder.url.appending(path: String(repeating: "n", count: 300))
        let letter = fixture.laptop.center.run { Letter() }
        let error = #expect(throws: CocoaError.self) { try save(letter, to: url) }
        #expect(error?.code == .fileWriteInvalidFileName)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }
}
