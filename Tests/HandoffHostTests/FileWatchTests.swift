// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import Testing

/// Watches a file through its links, on a real disk.
@Suite final class FileWatchTests {
    private let directory = TemporaryDirectory()

    /// Whether `change` is reported within ten seconds. Earlier reports are dropped.
    private func isTold(_ watch: FileWatch, when change: () throws -> Void) throws -> Bool {
        watch.takeChanges()
        try change()
        var poller = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&poller, 1, 10_000) == 1 else { return false }
        watch.takeChanges()
        return true
    }

    /// Like an editor that saves: a new file replaces the old one.
    private func replace(_ name: String) throws {
        try directory.file(name + ".new", "{}")
        try move(name + ".new", to: name)
    }

    private func move(_ name: String, to other: String) throws {
        guard rename(directory.path(name), directory.path(other)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    @Test func aFileIsWatchedInItsFolder() throws {
        try directory.file("config/config.json", "{}")
        let watch = FileWatch(directory.path("config/config.json"))
        #expect(!watch.isBlind)
        #expect(try isTold(watch) { try replace("config/config.json") })
        #expect(try isTold(watch) { try directory.file("config/config.json", "{ }") })
        #expect(try isTold(watch) { try FileManager.default.removeItem(atPath: directory.path("config/config.json")) })
    }

    @Test func aFileBehindALinkIsWatchedAtItsTarget() throws {
        try directory.file("dotfiles/handoff.json", "{}")
        try directory.folder("config")
        try directory.link("config/config.json", to: "../dotfiles/handoff.json")
        let watch = FileWatch(directory.path("config/config.json"))
        #expect(try isTold(watch) { try replace("dotfiles/handoff.json") })
        // A second time, because the watch is for the folder, not for the replaced file.
        #expect(try isTold(watch) { try replace("dotfiles/handoff.json") })
    }

    @Test func aLinkThatLeadsElsewhereIsFollowed() throws {
        for name in ["one/handoff.json", "two/handoff.json"] { try directory.file(name, "{}") }
        try directory.folder("config")
        try directory.link("config/config.json", to: directory.path("one/handoff.json"))
        let watch = FileWatch(directory.path("config/config.json"))
        #expect(
            try isTold(watch) {
                try directory.link("config/new", to: "../two/handoff.json")
                try move("config/new", to: "config/config.json")
            })
        #expect(try isTold(watch) { try replace("two/handoff.json") })
        // The old folder is no longer watched.
        watch.takeChanges()
        try replace("one/handoff.json")
        var poller = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&poller, 1, 0) == 0)
    }

    @Test func aFolderThatIsALinkIsFollowedToo() throws {
        try directory.file("dotfiles/handoff/config.json", "{}")
        try directory.folder("elsewhere")
        try directory.file("elsewhere/config.json", "{}")
        try directory.link("config", to: "dotfiles/handoff")
        let watch = FileWatch(directory.path("config/config.json"))
        #expect(try isTold(watch) { try replace("dotfiles/handoff/config.json") })
        #expect(
            try isTold(watch) {
                try directory.link("new", to: "elsewhere")
                try move("new", to: "config")
            })
        #expect(try isTold(watch) { try replace("elsewhere/config.json") })
    }

    @Test func missingFileIsWatchedAlongItsPath() throws {
        try directory.link("config.json", to: "dotfiles/deep/handoff.json")
        let watch = FileWatch(directory.path("config.json"))
        #expect(!watch.isBlind)
        #expect(try isTold(watch) { try directory.folder("dotfiles") })
        #expect(try isTold(watch) { try directory.folder("dotfiles/deep") })
        #expect(try isTold(watch) { try directory.file("dotfiles/deep/handoff.json", "{}") })
    }

    @Test func theWayGoesByEveryLinkAndEndsAtTheFile() throws {
        try directory.file("dotfiles/handoff.json", "{}")
        try directory.folder("a")
        try directory.link("a/config.json", to: "../b/./config.json")
        try directory.folder("b")
        try directory.link("b/config.json", to: directory.path("dotfiles/../dotfiles/handoff.json"))
        #expect(
            FileWatch.way(to: directory.path("a/config.json")) == [
                directory.path("a"): .names, directory.path("b"): .names, directory.path("dotfiles"): .changes,
            ])
    }

    @Test func linksThatLeadInACircleEnd() throws {
        try directory.link("one", to: "two")
        try directory.link("two", to: "one")
        let watch = FileWatch(directory.path("one"))
        #expect(FileWatch.way(to: directory.path("one")) == [directory.path: .names])
        #expect(
            try isTold(watch) {
                try FileManager.default.removeItem(atPath: directory.path("one"))
                try directory.file("one", "{}")
            })
    }

    @Test func asManyLinksAreFollowedAsTheSystemDoes() throws {
        try directory.folder("end")
        try directory.file("end/file", "{}")
        try directory.link("link0", to: "end/file")
        for number in 1...FileWatch.links { try directory.link("link\(number)", to: "link\(number - 1)") }
        let longest = directory.path("link\(FileWatch.links - 1)")
        #expect(FileWatch.way(to: longest).count == 2)
        #expect(FileManager.default.contents(atPath: longest) != nil)
        let tooLong = directory.path("link\(FileWatch.links)")
        #expect(FileWatch.way(to: tooLong) == [directory.path: .names])
        #expect(FileManager.default.contents(atPath: tooLong) == nil)
    }

    @Test func unwatchablePathIsReportedAsBlind() throws {
        try directory.file("file", "")
        #expect(FileWatch(directory.path("file/config.json")).isBlind)
        #expect(FolderWatch(folder: "", for: .changes).isBlind)
    }
}
