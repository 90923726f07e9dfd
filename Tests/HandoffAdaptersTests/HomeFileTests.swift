// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import HandoffWire
import Testing

@testable import HandoffAdapters

final class HomeFileTests {
    private let home = NSTemporaryDirectory() + "handoff-home-\(UUID().uuidString)"
    private var files: HomeFile { HomeFile(environment: ["HOME": home]) }

    init() throws { try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: home) }

    private func write(_ name: [UInt8], bytes: Int) throws -> DocumentPath {
        let descriptor = open(
            Array(home.utf8CString.dropLast()) + [47] + name.map { CChar(bitPattern: $0) } + [0],
            O_CREAT | O_WRONLY, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(ftruncate(descriptor, bytes) == 0)
        return try DocumentPath(bytes: name)
    }

    private func content(_ text: String, in name: String) throws -> FileContent {
        let url = URL(filePath: home + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        return try #require(FileContent(of: try AbsolutePath(url.path)))
    }

    // Shows M02.
    @Test func sameFileIsFound() throws {
        let content = try content("abcde", in: "a b.ogg")
        let path = try DocumentPath("a b.ogg")
        #expect(try files.file(path, content, anywhere: false).path == home + "/a b.ogg")
        // As devices without digests say it.
        #expect(try files.file(path, FileContent(bytes: 5), anywhere: false).path == home + "/a b.ogg")
        #expect(files.source(of: .file(try AbsolutePath(home + "/a b.ogg"))) == .homeFile(path, content))
    }

    /// From reports about other programs (distrobox 43, rnote 1226): `/home` is a link to `/var/home`. Also a link in the home
    /// folder (wakatime-cli 1157), which is offered as it is named.
    // Shows M02, M04.
    @Test func homeFolderBehindALinkIsTheHomeFolder() throws {
        let content = try content("abcde", in: "dotfiles/a.txt")
        let link = home + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: home)
        defer { try? FileManager.default.removeItem(atPath: link) }
        try FileManager.default.createSymbolicLink(atPath: home + "/b.txt", withDestinationPath: "dotfiles/a.txt")
        for folder in [home, link] {
            let files = HomeFile(environment: ["HOME": folder])
            for name in ["dotfiles/a.txt", "b.txt"] {
                for path in [home, link] {
                    let source = files.source(of: .file(try AbsolutePath(path + "/" + name)))
                    #expect(source == .homeFile(try DocumentPath(name), content), "\(folder) \(path) \(name)")
                }
            }
            for path in [home, link] {
                let source = files.source(of: .folder(try AbsolutePath(path + "/dotfiles")))
                #expect(source == .homeFolder(try DocumentPath("dotfiles")))
                #expect(files.source(of: .folder(try AbsolutePath(path))) == nil)
            }
        }
    }

    // Shows M02, M07.
    @Test func otherFileMissingFileAndFolderAreNamed() throws {
        let content = try content("abcde", in: "c/a.ogg")
        let path = try DocumentPath("c/a.ogg")
        for other in [FileContent(bytes: 6), FileContent(bytes: 5, digest: Array(repeating: 0, count: 32))] {
            #expect(throws: BusFailure.self) { try files.file(path, other, anywhere: true) }
        }
        for other in ["b.ogg", "c"] {
            #expect(throws: BusFailure.self) { try files.file(try DocumentPath(other), content, anywhere: false) }
        }
    }

    // Shows M07.
    @Test func sameFileInAnotherFolderIsFound() throws {
        let film = String(repeating: "film", count: 256)
        let content = try content(film, in: "Videos/2026/film.mkv")
        _ = try self.content(film.uppercased(), in: "Downloads/film.mkv")
        let path = try DocumentPath("film.mkv")
        let found = try files.file(path, content, anywhere: true)
        #expect(found.path == home + "/Videos/2026/film.mkv" && found.isElsewhere)
        #expect(throws: BusFailure.self) { try files.file(path, content, anywhere: false) }
        #expect(throws: BusFailure.self) { try files.file(path, FileContent(bytes: content.bytes), anywhere: true) }
    }

    /// Many small files are equal by chance.
    @Test func smallFileIsNotLookedFor() throws {
        let content = try content(String(repeating: "a", count: Int(HomeSearch.minimumBytes) - 1), in: "a/b.pdf")
        #expect(throws: BusFailure.self) { try files.file(try DocumentPath("b.pdf"), content, anywhere: true) }
    }

    @Test func searchLeavesOutHiddenFilesAndLinksAndEnds() throws {
        let text = String(repeating: "text", count: 256)
        let content = try content(text, in: ".cache/a.pdf")
        _ = try self.content(text, in: ".a.pdf")
        try FileManager.default.createSymbolicLink(atPath: home + "/l.pdf", withDestinationPath: ".a.pdf")
        try FileManager.default.createSymbolicLink(atPath: home + "/loop", withDestinationPath: home)
        let folder = try AbsolutePath(home)
        #expect(HomeSearch(in: folder).file(with: content) == nil)
        _ = try self.content(text, in: "a/b.pdf")
        #expect(HomeSearch(in: folder).file(with: content)?.text == home + "/a/b.pdf")
        #expect(HomeSearch(in: folder, maximumEntries: 3).file(with: content) == nil)
    }

    @Test func contentOfALargeFileIsSampled() throws {
        let size = 4 * FileContent.sampleBytes
        let path = try write(Array("a.ogg".utf8), bytes: Int(size))
        let file = try AbsolutePath(home).appending(path)
        let content = try #require(FileContent(of: file))
        #expect(content.bytes == size && content.digest?.count == FileContent.digestBytes)
        for place in [0, size / 2, size - 1] {
            let handle = try FileHandle(forWritingTo: URL(filePath: file.text))
            try handle.seek(toOffset: UInt64(place))
            try handle.write(contentsOf: [1])
            let changed = try #require(FileContent(of: file))
            #expect(!changed.isSame(as: content))
            try handle.seek(toOffset: UInt64(place))
            try handle.write(contentsOf: [0])
            #expect(FileContent(of: file) == content)
        }
        #expect(FileContent.samples(of: 3 * FileContent.sampleBytes) == [0..<3 * FileContent.sampleBytes])
    }

    // Shows M07: the folder is on another disk, and programs name it by its own path.
    @Test func folderThatALinkMapsIsPartOfTheHomeFolder() throws {
        let disk = home + "-disk"
        try FileManager.default.createDirectory(atPath: disk + "/films", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: disk) }
        try Data("abcde".utf8).write(to: URL(filePath: disk + "/films/a.mkv"))
        let file = OpenSource.file(try AbsolutePath(disk + "/films/a.mkv"))
        #expect(files.source(of: file) == nil)
        // Through these, all of the system would be part of the home folder.
        for (name, folder) in [("a", "/"), ("b", "."), ("c", home), ("d", "..")] {
            try FileManager.default.createSymbolicLink(atPath: home + "/" + name, withDestinationPath: folder)
        }
        #expect(files.source(of: file) == nil)
        try FileManager.default.createSymbolicLink(atPath: home + "/Videos", withDestinationPath: disk)
        let content = try #require(FileContent(of: try AbsolutePath(disk + "/films/a.mkv")))
        let path = try DocumentPath("Videos/films/a.mkv")
        #expect(files.source(of: file) == .homeFile(path, content))
        #expect(
            files.source(of: .folder(try AbsolutePath(disk + "/films")))
                == .homeFolder(try DocumentPath("Videos/films")))
        #expect(try files.file(path, content, anywhere: false).path == home + "/Videos/films/a.mkv")
    }

    // Shows M03: the path that a program keeps names nothing then.
    @Test func documentThatIsRenamedWhileOpenIsNoLongerOffered() throws {
        _ = try content("abcde", in: "a.pdf")
        let opened = OpenSource.file(try AbsolutePath(home + "/a.pdf"))
        #expect(files.source(of: opened) != nil)
        try FileManager.default.moveItem(atPath: home + "/a.pdf", toPath: home + "/b.pdf")
        #expect(files.source(of: opened) == nil)
    }

    /// An argument that differs would name another file.
    @Test func pathThatIsNotTextIsNotGuessed() throws {
        let path = try write([0x61, 0xFF, 0x62], bytes: 5)
        #expect(throws: BusFailure.self) { try files.file(path, FileContent(bytes: 5), anywhere: false) }
    }

    @Test func fileOutsideOfTheHomeFolderIsNotOffered() throws {
        for path in ["/etc/passwd", "/proc/self/status", home, home + "/../passwd"] {
            #expect(files.source(of: .file(try AbsolutePath(path))) == nil)
        }
    }
}
