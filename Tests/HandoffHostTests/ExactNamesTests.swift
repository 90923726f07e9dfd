// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import HandoffWire
import Testing

@testable import HandoffHost

/// File names that are equal as Swift `String`s, but distinct in the file system.
@Suite struct ExactNamesTests {
    private static let spellings = [("caf\u{E9}", "cafe\u{301}"), ("K", "\u{212A}")]

    let home = TemporaryDirectory()

    @Test func pathsAreTakenApartByTheirBytes() {
        #expect("/a/\u{301}b".parent == "/a")
        #expect("/a/\u{301}b".lastPart.utf8.elementsEqual("\u{301}b".utf8))
        #expect("/a/\u{301}b".path(in: "/a")?.isSamePath(as: "\u{301}b") == true)
        #expect("/cafe\u{301}/b".path(in: "/caf\u{E9}") == nil)
        #expect("/a/b/c".path(in: "/a/") == "b/c" && "/ab/c".path(in: "/a") == nil && "/a".path(in: "/a") == nil)
    }

    @Test(arguments: spellings) func aChangeOfEitherFileIsSeen(one: String, other: String) throws {
        try home.file("tree/\(one)", "")
        try home.file("tree/\(other)", "")
        for name in [one, other] {
            let before = try TreeState(of: OpenFile.open(home.path("tree"), O_RDONLY | O_DIRECTORY))
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: home.path("tree/\(name)")))
            try file.write(contentsOf: Data("changed".utf8))
            try file.close()
            let after = try TreeState(of: OpenFile.open(home.path("tree"), O_RDONLY | O_DIRECTORY))
            #expect(before.firstChange(to: after)?.isSamePath(as: name) == true)
        }
    }

    /// Shows T09.
    @Test(arguments: spellings) func aProgramIsTheAppWhoseFileItRuns(one: String, other: String) throws {
        let apps = try [one, other].enumerated().map { number, name in
            let path = try home.file("bin/\(name)", "\(number)", mode: 0o700)
            return InstalledApp(
                bundle: try BundleID("com.example.app\(number)"), name: DisplayText(cleaning: "App"),
                signer: .development, activityTypes: [], path: path, executable: path)
        }
        for app in apps {
            let program = try RunningProgram(path: "/elsewhere", runs: app.executable)
            #expect(VerifiedExecutables().owner(of: program, among: apps) == .app(app.bundle))
        }
    }

    /// Shows T07.
    @Test func anExecutableInABundleOfAnotherSpellingIsOutsideTheBundle() throws {
        try SampleBundle().write("caf\u{E9}.app", in: home)
        try SampleBundle().write("cafe\u{301}.app", in: home)
        try FileManager.default.removeItem(atPath: home.path("caf\u{E9}.app/Contents/Linux/Notes"))
        try home.link(
            "caf\u{E9}.app/Contents/Linux/Notes", to: home.path("cafe\u{301}.app/Contents/Linux/Notes"))
        let failure = #expect(throws: Failure(.malformed, "")) { try DeclaredApp.read(home.path("caf\u{E9}.app")) }
        #expect(failure?.reason.contains("leaves the bundle") == true)
    }

    /// Shows L02.
    @Test func aDesktopEntryOfAnotherSpellingHidesNoApp() throws {
        try home.program("bin/notes")
        let path = try SampleEntry().write("com.example.Kite", in: home, "system")
        try home.file("own/applications/com.example.\u{212A}ite.desktop", "[Desktop Entry]\nHidden=true\n")
        #expect(home.catalogWithEntries().apps.map(\.path) == [path])
    }

    /// Shows L02.
    @Test func aDesktopEntryOfAnotherSpellingStartsNoInstalledApp() throws {
        try home.program("bin/notes")
        var bundle = SampleBundle()
        bundle.identifier = "com.example.Kite"
        _ = try home.install(SampleTeam.notes.sign(bundle.write("Notes.app", in: home)))
        try SampleEntry(types: nil).write("com.example.\u{212A}ite", in: home)
        let app = try #require(home.catalogWithEntries().apps.first)
        #expect(app.bundle.name == "com.example.Kite" && app.entry == nil)
    }
}
