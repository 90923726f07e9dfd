// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

/// Shows X08.
@Suite struct DocumentPathTests {
    @Test(arguments: [
        "", "/", "/letters", "letters/", "a//b", ".", "..", "../a", "a/..", "a/./b", "a/../../b", "a\u{0}b",
        ".handoff-1", "a/.handoff-12/b",
    ])
    func climbingOrInvalidPathIsRefused(path: String) {
        #expect(throws: WireError(.badIdentifier, "")) { try DocumentPath(path) }
    }

    @Test(arguments: ["a", "Letters/An Anna.txt", "...", "..a/.b", ".hidden", "a\\b", "-rf", "a\nb", ".handoff"])
    func usualPathIsTaken(path: String) throws {
        #expect(try DocumentPath(path).description == path)
    }

    /// Swift calls them equal, but they are two files.
    @Test func composedAndDecomposedNamesAreTwoPaths() throws {
        let (composed, decomposed) = (try DocumentPath("Caf\u{E9}"), try DocumentPath("Cafe\u{301}"))
        #expect(composed.description == decomposed.description)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test func nonTextBytesAreKept() throws {
        let path = try DocumentPath(bytes: [0x61, 0xFF, 0x2F, 0xC3])
        #expect(path.bytes == [0x61, 0xFF, 0x2F, 0xC3])
        #expect(path.name == [0xC3])
        #expect(path.shownName == "\u{FFFD}")
        #expect(path.parent == (try DocumentPath(bytes: [0x61, 0xFF])))
    }

    @Test func pathBytesAreLimited() throws {
        let part = String(repeating: "a", count: 127) + "/"
        let longest = String(repeating: part, count: Limits.pathBytes / 128).dropLast() + "b"
        #expect(try DocumentPath(String(longest)).bytes.count == Limits.pathBytes)
        #expect(throws: WireError(.badIdentifier, "")) { try DocumentPath(longest + "b") }
    }

    @Test func pathPartBytesAreLimited() throws {
        let longest = String(repeating: "a", count: Limits.pathPartBytes)
        #expect(try DocumentPath("x/\(longest)/y").parts.map(\.count) == [1, Limits.pathPartBytes, 1])
        #expect(throws: WireError(.badIdentifier, "")) { try DocumentPath("x/\(longest)a/y") }
    }

    @Test func partsNameAndFolder() throws {
        let path = try DocumentPath("Letters/2026/Anna.txt")
        #expect(path.parts.map { String(decoding: $0, as: UTF8.self) } == ["Letters", "2026", "Anna.txt"])
        #expect(path.shownName == "Anna.txt")
        #expect(path.parent == (try DocumentPath("Letters/2026")))
        #expect(try DocumentPath("Anna.txt").parent == nil)
    }

    @Test func siblingIsInTheSameFolder() throws {
        let copy = Array("Anna (laptop).txt".utf8)
        #expect(try DocumentPath("Letters/Anna.txt").sibling(copy) == DocumentPath("Letters/Anna (laptop).txt"))
        #expect(try DocumentPath("Anna.txt").sibling(copy) == DocumentPath("Anna (laptop).txt"))
        for name in ["", "..", "a/b", "../Anna.txt"] {
            #expect(throws: WireError(.badIdentifier, "")) {
                try DocumentPath("Letters/Anna.txt").sibling(Array(name.utf8))
            }
            #expect(throws: WireError(.badIdentifier, "")) { try DocumentPath("Anna.txt").sibling(Array(name.utf8)) }
        }
    }

    @Test func pathIsAppendedToAFolder() throws {
        let folder = try DocumentPath("Letters")
        #expect(try folder.appending(DocumentPath("2026/Anna.txt")) == DocumentPath("Letters/2026/Anna.txt"))
        let long = try DocumentPath(
            String(repeating: "a/", count: Limits.pathBytes / 2 - 1) + "a")
        #expect(throws: WireError(.badIdentifier, "")) { try folder.appending(long) }
    }
}

/// Shows X08.
@Suite struct AbsolutePathTests {
    @Test(arguments: ["", "a", "a/b", "./a", "/a\u{0}"]) func pathThatDoesNotBeginAtTheRootIsRefused(path: String) {
        #expect(throws: WireError(.badIdentifier, "")) { try AbsolutePath(path) }
    }

    @Test func trailingSlashesAreRemoved() throws {
        #expect(try AbsolutePath("/home/anna///") == AbsolutePath("/home/anna"))
        #expect(try AbsolutePath("/").text == "/")
        #expect(try AbsolutePath("//").text == "/")
    }

    @Test func absolutePathBytesAreLimited() throws {
        let longest =
            [UInt8](repeating: UInt8(ascii: "/"), count: 1)
            + [UInt8](repeating: UInt8(ascii: "a"), count: Limits.absolutePathBytes - 1)
        #expect(try AbsolutePath(bytes: longest).bytes == longest)
        #expect(throws: WireError(.badIdentifier, "")) { try AbsolutePath(bytes: longest + [UInt8(ascii: "a")]) }
        // Every document's path fits into every folder.
        #expect(Limits.absolutePathBytes == 2 * Limits.pathBytes)
    }

    @Test(arguments: [
        ("/home/anna/Letters", "/home/anna", "Letters"),
        ("/home/anna/a/b", "/home/anna/", "a/b"),
        ("/a", "/", "a"),
    ])
    func pathInAFolderIsWhatLeadsToIt(path: String, folder: String, rest: String) throws {
        let found = try AbsolutePath(path).path(in: AbsolutePath(folder))
        #expect(found == (try DocumentPath(rest)))
        #expect(try AbsolutePath(folder).appending(DocumentPath(rest)) == AbsolutePath(path))
    }

    @Test(arguments: [
        ("/home/anna", "/home/anna"), ("/home/annabel/a", "/home/anna"), ("/home", "/home/anna"), ("/", "/"),
        ("/home/anna/../bob/a", "/home/anna"), ("/home/anna/./a", "/home/anna"), ("/home/anna//a", "/home/anna"),
        ("/Home/anna/a", "/home/anna"), ("/home/anna/.handoff-1", "/home/anna"),
    ])
    func pathOutsideTheFolderIsNotInIt(path: String, folder: String) throws {
        #expect(try AbsolutePath(path).path(in: AbsolutePath(folder)) == nil)
    }

    @Test func theSameNameInOtherBytesIsAnotherFolder() throws {
        let letter = try AbsolutePath("/Cafe\u{301}/a")
        #expect(letter.path(in: try AbsolutePath("/Caf\u{E9}")) == nil)
        #expect(letter.path(in: try AbsolutePath("/Cafe\u{301}")) == (try DocumentPath("a")))
    }
}
