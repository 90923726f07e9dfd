// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import Testing

/// Removal of a folder with its content.
@Suite struct TreeRemovalTests {
    private func open(_ folder: TemporaryDirectory) throws -> OpenFile {
        try OpenFile.open(folder.path, O_RDONLY | O_DIRECTORY)
    }

    @Test(arguments: [0o555, 0o500, 0o300, 0o000] as [mode_t])
    func foldersThatTheirOwnerCannotWriteToAreRemoved(mode: mode_t) throws {
        try PlainUser.run {
            let home = TemporaryDirectory()
            try home.file("package/pages/notes/1", "1")
            try home.file("package/index", "index", mode: 0)
            for folder in ["package/pages/notes", "package/pages", "package"] { chmod(home.path(folder), mode) }
            #expect(try open(home).removeWhatCanBe(Array("package".utf8)).isEmpty)
            #expect(home.names() == [])
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs another user's folder"))
    func anItemThatCannotBeRemovedDoesNotKeepTheRest() throws {
        let home = TemporaryDirectory()
        chmod(home.path, 0o777)
        try PlainUser.run {
            for name in ["a", "b", "c"] { try home.file("package/\(name)/1", "1", mode: 0o600) }
        }
        // The plain user can neither enter nor remove it.
        try home.folder("package/b/theirs", mode: 0o700)
        try home.file("package/b/theirs/1", "1")
        try PlainUser.run {
            let remains = try open(home).removeWhatCanBe(Array("package".utf8))
            #expect(remains.count == 1)
            #expect(remains.first?.code == EACCES)
            #expect(remains.first?.subject == home.path("package/b/theirs"))
        }
        #expect(home.names("package") == ["b"])
        #expect(home.names("package/b") == ["theirs"])
    }

    @Test func aFolderThatIsDeeperThanAPathIsRemoved() throws {
        let home = TemporaryDirectory()
        let name = [UInt8](repeating: UInt8(ascii: "d"), count: 200)
        var folder = try open(home)
        for _ in 0..<60 {
            try #require(mkdirat(folder.descriptor, name.cString, 0o700) == 0)
            try #require(mkdirat(folder.descriptor, "empty", 0o700) == 0)
            folder = try folder.open(name, O_RDONLY | O_DIRECTORY)
        }
        _ = try folder.open("file", O_WRONLY | O_CREAT)
        #expect(try open(home).removeWhatCanBe(name).isEmpty)
        #expect(home.names() == ["empty"])
    }

    @Test func linksAreRemovedAndNotFollowed() throws {
        let home = TemporaryDirectory()
        try home.file("mine/1", "1")
        try home.folder("package")
        try home.link("package/link", to: "../mine")
        try home.link("other", to: "mine")
        try open(home).removeTree("package")
        try open(home).removeTree("other")
        #expect(home.names() == ["mine"])
        #expect(home.names("mine") == ["1"])
    }
}
