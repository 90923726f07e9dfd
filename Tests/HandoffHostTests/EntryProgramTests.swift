// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import Testing

@testable import HandoffHost

/// Which app a running program belongs to, by desktop entries.
// Shows L02, T09.
@Suite struct EntryProgramTests {
    let home = TemporaryDirectory()

    init() throws { try home.program("bin/notes") }

    private func owner(of executable: String) throws -> ProgramOwner? {
        let program = try RunningProgram(runs: executable)
        var found: ProgramOwner?
        home.catalogWithEntries().owner(of: program) { found = try? $0.get() }
        return found
    }

    private func expect(_ exec: String, runs executable: String, is owner: ProgramOwner) throws {
        var entry = SampleEntry()
        entry.exec = exec
        try entry.write(in: home)
        let catalog = home.catalogWithEntries()
        #expect(catalog.apps.count == 1, "\(catalog.problems)")
        #expect(try self.owner(of: executable) == owner, "\(exec)")
    }

    private let notes = ProgramOwner.app(try! BundleID("com.example.notes"))

    @Test func aProgramThatIsStartedAloneIsTheApp() throws {
        try expect("notes", runs: home.path("bin/notes"), is: notes)
        try expect("\(home.path("bin/notes")) %U", runs: home.path("bin/notes"), is: notes)
    }

    @Test func aProgramWithFixedArgumentsIsUnowned() throws {
        try home.program("bin/python3")
        try expect("python3 /usr/lib/notes.py", runs: home.path("bin/python3"), is: .nobody)
        try expect("env LANG=C notes", runs: "/usr/bin/env", is: .nobody)
        try expect("notes --new-window %U", runs: home.path("bin/notes"), is: .nobody)
    }

    @Test func aScriptIsUnownedBecauseItsInterpreterRuns() throws {
        try home.file("bin/script", "#!/bin/sh\n", mode: 0o700)
        try expect("script", runs: home.path("bin/script"), is: .nobody)
        try expect("script", runs: "/bin/sh".resolved, is: .nobody)
    }

    /// As in /snap/bin, with busybox, and with a program that chooses among alternatives.
    @Test func aProgramWithManyNamesIsUnowned() throws {
        try home.program("bin/launcher")
        try home.link("bin/music", to: home.path("bin/launcher"))
        try expect("music", runs: home.path("bin/launcher"), is: .nobody)
    }

    @Test func aLinkOfTheSameNameIsTheProgram() throws {
        try home.program("lib/music")
        try home.link("bin/music", to: home.path("lib/music"))
        try expect("music %F", runs: home.path("lib/music"), is: notes)
    }

    @Test func aProgramThatTwoEntriesStartIsUnowned() throws {
        var other = SampleEntry()
        other.types = nil
        other.exec = "\(home.path("bin/notes")) 'not sound'"
        try other.write("com.example.other", in: home, "system")
        try expect("notes", runs: home.path("bin/notes"), is: .nobody)
        // A hidden entry starts nothing.
        try home.file("own/applications/com.example.other.desktop", "[Desktop Entry]\nHidden=true\n")
        #expect(try owner(of: home.path("bin/notes")) == notes)
    }

    @Test func aBundlesExecutableIsTheBundles() throws {
        let app = try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home))).app
        try FileManager.default.removeItem(atPath: app.executable)
        try FileManager.default.copyItem(atPath: "/bin/true", toPath: app.executable)
        var entry = SampleEntry()
        entry.exec = app.executable
        try entry.write("com.example.thief", in: home)
        #expect(try owner(of: app.executable) == .altered(app.bundle))
    }
}

extension String {
    fileprivate var resolved: String { URL(filePath: self).resolvingSymlinksInPath().path }
}
