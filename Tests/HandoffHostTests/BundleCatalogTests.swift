// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffHost
import HandoffWire
import Logging
import Testing

@Suite struct BundleCatalogTests {
    let home = TemporaryDirectory()

    @Test func readsWhatABundleSaysOfItself() throws {
        var bundle = SampleBundle()
        bundle.extraKeys = """
            <key>HandoffActivityTitles</key>
            <dict><key>com.example.notes.editing</key><array><string>Shopping</string></array></dict>
            """
        try bundle.write("Notes.app", in: home)
        let app = try #require(catalog().apps.first)
        #expect(app.bundle.name == "com.example.notes")
        #expect(app.name.text == "Notes")
        #expect(app.version == "1.0")
        #expect(app.signer == .development)
        let editing = try ActivityType("com.example.notes.editing")
        #expect(app.activityTypes == [editing])
        #expect(app.activityTitles == [editing: ["Shopping"]])
        #expect(app.path == home.path("Notes.app"))
        #expect(app.executable == home.path("Notes.app/Contents/Linux/Notes"))
    }

    @Test func nothingIsInstalledWhereThereIsNoFolder() {
        let catalog = BundleCatalog(directory: home.path("none"), log: quiet)
        catalog.reload()
        #expect(catalog.apps.isEmpty && catalog.problems.isEmpty)
    }

    @Test func seesABundleOnlyAfterReload() throws {
        let catalog = catalog()
        try SampleBundle().write("Notes.app", in: home)
        #expect(catalog.apps.isEmpty)
        catalog.reload()
        #expect(catalog.apps.count == 1)
    }

    @Test func aMissingInfoPlistIsNamed() throws {
        try home.folder("Empty.app/Contents")
        try expectProblem("there is no \(home.path("Empty.app/Contents/Info.plist"))")
    }

    @Test(arguments: [
        "", "not a property list", "<plist><dict><key>CFBundleIdentifier</key>",
        "<plist version=\"1.0\"><dict></array>",
        "\0\0\0\0", "bplist00\u{d0}",
    ])
    func aDamagedInfoPlistIsNamed(content: String) throws {
        try SampleBundle().write("Bad.app", in: home)
        try home.file("Bad.app/Contents/Info.plist", content)
        try expectProblem("Bad.app/Contents/Info.plist is")
    }

    @Test func anInfoPlistThatIsNoDictionaryIsNamed() throws {
        try SampleBundle().write("Bad.app", in: home)
        try home.file("Bad.app/Contents/Info.plist", SampleBundle.plist("<array/>"))
        try expectProblem("is not a dictionary")
    }

    @Test func anInfoPlistWithoutIdentifierIsNamed() throws {
        var bundle = SampleBundle()
        bundle.identifier = nil
        try bundle.write("Bad.app", in: home)
        try expectProblem("lacks the key CFBundleIdentifier")
    }

    @Test func anInfoPlistWithoutExecutableIsNamed() throws {
        var bundle = SampleBundle()
        bundle.executable = nil
        try bundle.write("Bad.app", in: home)
        try expectProblem("lacks the key CFBundleExecutable")
    }

    @Test func aValueOfAnotherKindIsNamed() throws {
        try SampleBundle().write("Bad.app", in: home)
        let info = SampleBundle().info.replacingOccurrences(
            of: "<string>com.example.notes</string>", with: "<integer>7</integer>")
        try home.file("Bad.app/Contents/Info.plist", info)
        try expectProblem("another kind of value for CFBundleIdentifier")
    }

    @Test(arguments: ["../../etc", "/etc", "a/b", "..", "a..b", "", "com.example notes"])
    func anIdentifierThatIsAPathIsNamed(identifier: String) throws {
        var bundle = SampleBundle()
        bundle.identifier = identifier
        try bundle.write("Bad.app", in: home)
        try expectProblem("CFBundleIdentifier in")
    }

    @Test(arguments: ["", String(repeating: "x", count: 256), "with blank"])
    func aBadActivityTypeIsNamed(type: String) throws {
        var bundle = SampleBundle()
        bundle.types = ["com.example.good", type]
        try bundle.write("Bad.app", in: home)
        try expectProblem("NSUserActivityTypes in")
    }

    @Test func tooManyActivityTypesAreNamed() throws {
        var bundle = SampleBundle()
        bundle.types = (0...256).map { "com.example.type\($0)" }
        try bundle.write("Bad.app", in: home)
        try expectProblem("more than 256 types")
    }

    @Test(arguments: ["", ".", "..", "../Notes", "bin/Notes", "/bin/sh"])
    func anExecutableThatIsAPathIsNamed(executable: String) throws {
        var bundle = SampleBundle()
        bundle.executable = executable
        try bundle.write("Bad.app", in: home)
        try expectProblem("CFBundleExecutable in")
    }

    @Test func aMissingExecutableIsNamed() throws {
        var bundle = SampleBundle()
        bundle.executable = "Other"
        try bundle.write("Bad.app", in: home)
        try expectProblem("there is no executable \(home.path("Bad.app/Contents/Linux/Other"))")
    }

    @Test func anExecutableThatLeavesTheBundleIsNamed() throws {
        try SampleBundle().write("Bad.app", in: home)
        try FileManager.default.removeItem(atPath: home.path("Bad.app/Contents/Linux/Notes"))
        try home.link("Bad.app/Contents/Linux/Notes", to: "/bin/sh")
        try expectProblem("is a link that leaves the bundle")
    }

    @Test func anExecutableThatCannotBeRunIsNamed() throws {
        try SampleBundle().write("Bad.app", in: home)
        chmod(home.path("Bad.app/Contents/Linux/Notes"), 0o600)
        try expectProblem("run: chmod +x")
    }

    @Test func aPropertyListAboveItsLimitIsNamed() throws {
        var bundle = SampleBundle()
        bundle.extraKeys = "<key>Big</key><string>\(String(repeating: "x", count: 64 * 1024))</string>"
        try bundle.write("Bad.app", in: home)
        try expectProblem("larger than 65536 bytes")
    }

    @Test func aPropertyListThatNestsDeeplyIsNamed() throws {
        var bundle = SampleBundle()
        bundle.extraKeys = "<key>Deep</key>"
        bundle.extraKeys += String(repeating: "<array>", count: 4000) + String(repeating: "</array>", count: 4000)
        try bundle.write("Bad.app", in: home)
        try expectProblem("nests deeper than 32")
    }

    @Test func aPipeInAPropertyListsPlaceDoesNotHoldAnyoneUp() throws {
        try SampleBundle().write("Bad.app", in: home)
        try FileManager.default.removeItem(atPath: home.path("Bad.app/Contents/Info.plist"))
        mkfifo(home.path("Bad.app/Contents/Info.plist"), 0o600)
        try expectProblem("is not a plain file")
    }

    @Test func theFirstOfTwoBundlesOfOneIdentifierCounts() throws {
        try SampleBundle().write("A.app", in: home)
        try SampleBundle(version: "2.0").write("B.app", in: home)
        let catalog = catalog()
        #expect(catalog.apps.map(\.version) == ["1.0"])
        #expect(catalog.problems.count == 1)
        #expect(catalog.problems.first?.contains("the same CFBundleIdentifier as \(home.path("A.app"))") == true)
    }

    @Test func aProblemNeverCarriesControlCharacters() throws {
        try home.folder("Evil\u{1B}[2J.app")
        #expect(catalog().problems.first?.contains("\u{1B}") == false)
    }

    private var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

    private func catalog() -> BundleCatalog {
        let catalog = BundleCatalog(directory: home.path, log: quiet)
        catalog.reload()
        return catalog
    }

    /// One problem that says so, while a good bundle beside it still counts.
    private func expectProblem(_ words: String) throws {
        var good = SampleBundle()
        good.identifier = "com.example.good"
        try good.write("Good.app", in: home)
        let catalog = catalog()
        #expect(catalog.apps.map(\.bundle.name) == ["com.example.good"])
        #expect(catalog.problems.count == 1)
        #expect(catalog.problems.first?.contains(words) == true, "\(catalog.problems)")
    }
}
