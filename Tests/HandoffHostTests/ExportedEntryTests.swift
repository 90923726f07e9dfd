// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import Testing

@testable import HandoffHost

/// Desktop entries that Flatpak and snapd exported, in real folders.
// Shows L16.
@Suite struct ExportedEntryTests {
    let home = TemporaryDirectory()
    private static let exports = "flatpak/exports/share"
    private static let command =
        "run --branch=master --arch=x86_64 --command=notes --file-forwarding com.example.notes @@u %U @@"

    init() throws { try home.program("bin/flatpak") }

    /// As Flatpak 1.14.10 exports it.
    private func write(
        _ name: String = "com.example.notes", in folder: String = exports, exec: String? = nil,
        marks: [String] = ["X-Flatpak=com.example.notes"]
    ) throws {
        var entry = SampleEntry()
        entry.exec = exec ?? home.path("bin/flatpak") + " " + Self.command
        entry.more = marks
        try entry.write(name, in: home, folder)
    }

    private func app(_ folder: String = exports) -> InstalledApp? {
        let catalog = home.catalogWithEntries(["XDG_DATA_DIRS": home.path(folder)])
        #expect(catalog.problems.isEmpty)
        return catalog.apps.first
    }

    @Test func exportedEntryBelongsToItsFlatpakAndStartsIt() throws {
        try write()
        let app = try #require(self.app())
        #expect(app.sandbox == .flatpak(app.bundle))
        #expect(app.signer == .entry)
        #expect(app.executable.isEmpty, "flatpak runs other apps too")
        guard case .command(let command)? = app.entry?.way else {
            Issue.record("\(String(describing: app.entry))")
            return
        }
        #expect(command.executable == home.path("bin/flatpak"))
        let arguments: [String] = Self.command.split(separator: " ").map(String.init)
        #expect(command.arguments == arguments.filter { $0 != "%U" })
        #expect(command.getsLaunchToken)
    }

    @Test func entryInAnotherFolderOrOfAnotherFlatpakBelongsToNone() throws {
        try write(in: "system")
        #expect(try #require(app("system")).sandbox == nil)
        try write(marks: ["X-Flatpak=com.example.bank"])
        #expect(try #require(app()).sandbox == nil)
        try write(marks: [])
        #expect(try #require(app()).sandbox == nil)
    }

    @Test(arguments: [
        "run --command=sh com.example.bank com.example.notes", "run", "install com.example.notes", "com.example.notes",
    ])
    func entryThatDoesNotRunTheFlatpakBelongsToNone(arguments: String) throws {
        try write(exec: home.path("bin/flatpak") + " " + arguments)
        #expect(try #require(app()).sandbox == nil)
        try home.program("bin/other")
        try write(exec: home.path("bin/other") + " " + Self.command)
        #expect(try #require(app()).sandbox == nil)
    }

    @Test func secondEntryOfAFlatpakIsNotItsApp() throws {
        try write("com.example.notes.viewer")
        #expect(try #require(app()).sandbox == nil)
    }

    @Test func snapsEntryBelongsToItsInstance() throws {
        try home.program("bin/notes")
        let marks = ["X-SnapInstanceName=notes_two"]
        try write("notes_two_viewer", in: "snapd/desktop", exec: "notes", marks: marks)
        #expect(try #require(app("snapd/desktop")).sandbox == .snap(try BundleID("notes_two")))
    }

    @Test func entryElsewhereOrOfAnotherSnapBelongsToNone() throws {
        try home.program("bin/notes")
        try write("notes_viewer", in: "snapd/desktop", exec: "notes", marks: ["X-SnapInstanceName=bank"])
        #expect(try #require(app("snapd/desktop")).sandbox == nil)
        try write("notes_viewer", in: "system", exec: "notes", marks: ["X-SnapInstanceName=notes"])
        #expect(try #require(app("system")).sandbox == nil)
    }
}
