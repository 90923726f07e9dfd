// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Handoff

@Suite struct BookmarkTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func resolved(_ data: Data) throws -> (url: URL, isStale: Bool) {
        var isStale = false
        let url = try URL(
            resolvingBookmarkData: data, options: [.withSecurityScope], relativeTo: nil, bookmarkDataIsStale: &isStale)
        return (url, isStale)
    }

    @Test func fileIsFoundByItsPath() throws {
        let file = try folder.file("letter.txt")
        let data = try file.bookmarkData(
            options: [.withSecurityScope, .securityScopeAllowOnlyReadAccess], includingResourceValuesForKeys: nil,
            relativeTo: nil)
        #expect(try resolved(data) == (file, false))
        // As most programs save.
        try Data("Dear Bo".utf8).write(to: file, options: .atomic)
        #expect(try resolved(data) == (file, false))
        let folderData = try folder.url.bookmarkData()
        #expect(try resolved(folderData).url.hasDirectoryPath)
    }

    @Test func renamedFileIsFoundInItsFolder() throws {
        let file = try folder.file("letter.txt")
        _ = try folder.file("other.txt")
        let data = try file.bookmarkData(options: .minimalBookmark)
        let renamed = folder.url.appending(path: "renamed.txt")
        try FileManager.default.moveItem(at: file, to: renamed)
        #expect(try resolved(data) == (renamed, true))
    }

    @Test func lostFileIsAnError() throws {
        let file = try folder.file("letter.txt")
        let data = try file.bookmarkData()
        try FileManager.default.removeItem(at: file)
        #expect(#expect(throws: CocoaError.self) { try resolved(data) }?.code == .fileNoSuchFile)
        #expect(#expect(throws: CocoaError.self) { try file.bookmarkData() }?.code == .fileReadNoSuchFile)
    }

    @Test func otherBytesAreNotABookmark() throws {
        #expect(Bookmark.maximumBytes == 16 * 1024)
        let relative = try Bookmark(path: "letter.txt", device: 1, inode: 1, isFolder: false).data()
        let long = try Bookmark(
            path: "/" + String(repeating: "x", count: Bookmark.maximumBytes), device: 1, inode: 1, isFolder: false
        ).data()
        for data in [Data(), Data("bookmark".utf8), relative, long] {
            #expect(#expect(throws: CocoaError.self) { try resolved(data) }?.code == .fileReadCorruptFile)
        }
    }

    @Test func bookmarkIsKeptInAFile() throws {
        let file = try folder.file("letter.txt")
        let kept = folder.url.appending(path: "bookmark")
        try URL.writeBookmarkData(try file.bookmarkData(options: .suitableForBookmarkFile), to: kept)
        #expect(try resolved(URL.bookmarkData(withContentsOf: kept)).url == file)
        #expect(throws: CocoaError.self) { try URL.bookmarkData(withContentsOf: file) }
        #expect(throws: CocoaError.self) { try URL.writeBookmarkData(Data(), to: kept) }
    }
}
