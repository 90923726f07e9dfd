// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffBus
import TestBuses
import Testing

@testable import HandoffAdapters

struct RecentFilesTests {
    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <xbel version="1.0">
          <bookmark href="file:///home/a/one.txt" added="2026-11-01T10:00:00.000001Z" modified="2026-11-28T10:00:00.000001Z" visited="2026-11-28T10:00:00.000001Z">
            <info><metadata owner="http://freedesktop.org"><mime:mime-type type="text/plain"/>
              <bookmark:applications>
                <bookmark:application name="Evince" exec="&apos;evince %u&apos;" modified="2026-11-28T10:00:00.000001Z" count="1"/>
                <bookmark:application name="gedit" exec="&apos;gedit %u&apos;" modified="2026-11-20T10:00:00.000001Z" count="1"/>
              </bookmark:applications></metadata></info>
          </bookmark>
          <bookmark href="file:///home/a/b&amp;quot;%20&apos;c.txt" added="2026-11-27T10:00:00.000001Z" modified="2026-11-27T10:00:00.000001Z" visited="2026-11-27T10:00:00.000001Z">
            <info><bookmark:applications>
                <bookmark:application name="gedit" exec="&apos;gedit %u&apos;" modified="2026-11-27T10:00:00.000001Z" count="9"/>
            </bookmark:applications></info>
          </bookmark>
          <bookmark href="sftp://host/three.txt" modified="2026-11-29T10:00:00.000001Z"/>
        </xbel>
        """

    // Shows M04.
    @Test func fileThatTheProgramOpenedLastIsFound() {
        #expect(RecentFiles.latest(in: Self.list, by: "gedit") == "file:///home/a/b&quot;%20'c.txt")
        #expect(RecentFiles.latest(in: Self.list, by: "Evince") == "file:///home/a/one.txt")
        #expect(RecentFiles.latest(in: Self.list, by: nil) == "file:///home/a/one.txt")
        #expect(RecentFiles.latest(in: Self.list, by: "vim") == nil)
    }

    /// Other programs change the list that gedit shares.
    @Test(.timeLimit(.minutes(1))) func listThatChangesAllTheTimeIsReadSeldom() async throws {
        let home = URL(filePath: NSTemporaryDirectory() + "handoff-recent-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        @Sendable func open(_ name: String) throws {
            let file = home.appending(path: name)
            try Data(name.utf8).write(to: file)
            let list = "<bookmark href=\"\(file.absoluteString)\" modified=\"2026\"/>"
            try Data(list.utf8).write(to: home.appending(path: "recently-used.xbel"), options: .atomic)
        }
        try open("first.txt")
        try await withPrivateBus { fixture, bus in
            let adapter = try await fixture.connect(to: bus.address)
            let tools = try FollowTools.of(
                adapter, on: fixture, home: HomeFile(environment: ["HOME": home.path]))
            let start = ContinuousClock.now
            let list = RecentFiles(folder: home.path, name: "recently-used.xbel", application: nil)
            let editor = FollowedRecentFile(list, tools)
            var titles: [String] = []
            editor.changed = { shown, _ in
                titles.append(shown?.title ?? "")
                adapter.hears(BusMessage(member: "changed"))
            }
            try await adapter.wait(isolation: fixture) { _ in titles == ["first.txt"] }
            for number in 0..<200 { try open("\(number % 7).txt") }
            try open("last.txt")
            try await adapter.wait(isolation: fixture) { _ in titles.last == "last.txt" }
            #expect(Double(titles.count) <= start.duration(to: .now) / FollowedRecentFile.spacing + 1)
        }
    }

    @Test(arguments: [
        "", "<", "<bookmark ", "<bookmark href=", "<bookmark href=\"file:///a", "<bookmark href=\"file:///a\">",
        "<bookmark modified=\"2026\" href=\"http://a/\">", "\u{0}<bookmark \u{FFFD}\u{FFFD}",
    ])
    func damagedListNamesNoFile(list: String) {
        #expect(RecentFiles.latest(in: list, by: nil) == nil)
        #expect(RecentFiles.latest(in: list, by: "gedit") == nil)
    }
}
