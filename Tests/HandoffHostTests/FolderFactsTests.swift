// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import Testing

@testable import HandoffHost

@Suite struct FolderFactsTests {
    let home = TemporaryDirectory()

    private func path(_ name: String) throws -> AbsolutePath { try AbsolutePath(home.path(name)) }
    private func look(_ name: String) throws -> FolderFacts { .look(at: try path(name), home: nil) }

    @Test func aFolderIsToldFromAFileAndFromNothing() throws {
        try home.folder("Letters")
        try home.file("note", "")
        #expect(try look("Letters") == FolderFacts(isFolder: true, isOwn: true, realPath: path("Letters"), home: nil))
        #expect(try look("note") == FolderFacts(isFolder: false, isOwn: true, realPath: path("note"), home: nil))
        #expect(try look("none").realPath == nil)
        #expect(try look("note/none").realPath == nil)
    }

    @Test func aLinkIsWhatItLeadsTo() throws {
        try home.folder("real/Letters")
        try home.link("link", to: "real")
        try home.link("lost", to: "nowhere")
        #expect(try look("link/./Letters/../Letters/").realPath == path("real/Letters"))
        #expect(try look("lost").realPath == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away")) func aFolderOfAnotherUserIsNotOwn() throws {
        try home.folder("theirs")
        chown(home.path("theirs"), 12345, 12345)
        #expect(try !look("theirs").isOwn)
    }

    @Test func aNonTextNameIsReadByItsBytes() throws {
        let name = try AbsolutePath(bytes: Array(home.path("letters-").utf8) + [0xFF])
        #expect((name.bytes + [0]).withUnsafeBytes { mkdir($0.bindMemory(to: CChar.self).baseAddress!, 0o700) } == 0)
        #expect(FolderFacts.look(at: name, home: nil).realPath == name)
    }

    @Test func linksAreFollowedInTheExistingPartOfAPath() throws {
        try home.folder("real")
        try home.link("link", to: "real")
        #expect(try path("link/none/deeper").followingLinks == path("real/none/deeper"))
        #expect(try path("link/none/../other/.").followingLinks == path("real/other"))
        #expect(try path("link/../link/").followingLinks == path("real"))
        #expect(try AbsolutePath("/").followingLinks == AbsolutePath("/"))
        #expect(try AbsolutePath("/../..").followingLinks == AbsolutePath("/"))
    }
}
