// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

@Suite struct BundleCatalogTests {
    let home = TemporaryDirectory()

    @Test func readsWhatABundleSaysOfItself() throws {
        var bundle = SampleBundle()
        bundle.extraKeys = """
            <key>HandoffActivityTitles</key>
            <dict><key>com.example.notes.editing</key><array><string>Shopping</string></array></dict>
            """
        _ = try home.install(SampleTeam.notes.sign(bundle.write("Notes.app", in: home)))
        let app = try #require(home.catalog().apps.first)
        #expect(app.bundle.name == "com.example.notes")
        #expect(app.name.text == "Notes")
        #expect(app.version == "1.0")
        #expect(app.signer == .team(SampleTeam.notes.team.team, name: SampleTeam.notes.team.name))
        let editing = try ActivityType("com.example.notes.editing")
        #expect(app.activityTypes == [editing])
        #expect(app.activityTitles == [editing: ["Shopping"]])
        #expect(app.path == home.path("apps/com.example.notes.app"))
        #expect(app.executable == home.path("apps/com.example.notes.app/Contents/Linux/Notes"))
    }

    // Shows X10.
    @Test func sitesThatAnAppClaimsAreThoseThatItsTeamSigned() throws {
        var bundle = SampleBundle()
        bundle.domains = ["applinks:example.com", "activitycontinuation:*.example.com"]
        let signed = try SampleTeam.notes.sign(bundle.write("Notes.app", in: home))
        let claimed = ["activitycontinuation:*.example.com", "applinks:example.com"]
        #expect(try home.install(signed).app.associatedDomains == claimed)
        #expect(home.catalog().apps.first?.associatedDomains == claimed)
        // Entitlements that are changed later are not valid.
        bundle.domains = ["activitycontinuation:bank.example"]
        try bundle.write("apps/com.example.notes.app", in: home)
        #expect(home.catalog().apps.first?.associatedDomains == claimed)
    }

    // Shows X10.
    @Test func anUnsignedAppClaimsNoSite() throws {
        var bundle = SampleBundle()
        bundle.domains = ["activitycontinuation:example.com"]
        let path = try bundle.write("Notes.app", in: home)
        let installed = try home.installer.install(path, on: .development, at: SampleTeam.now)
        #expect(installed.app.associatedDomains.isEmpty)
        #expect(home.catalog().apps.map(\.associatedDomains) == [[]])
    }

    // Shows K04.
    @Test func typesOfDocumentsNeedNotBeDeclaredAgain() throws {
        var bundle = SampleBundle()
        bundle.extraKeys = Self.documentTypes("com.example.notes.letter", nil, "com.example.notes.letter")
        _ = try home.install(SampleTeam.notes.sign(bundle.write("Notes.app", in: home)))
        let app = try #require(home.catalog().apps.first)
        #expect(app.activityTypes.map(\.name).sorted() == ["com.example.notes.editing", "com.example.notes.letter"])
    }

    @Test(arguments: ["", "with blank"])
    func aBadTypeOfADocumentIsNamed(type: String) throws {
        var bundle = SampleBundle()
        bundle.extraKeys = Self.documentTypes(type)
        try bundle.write("apps/Bad.app", in: home)
        try expectProblem("CFBundleDocumentTypes in")
    }

    private static func documentTypes(_ types: String?...) -> String {
        let entries = types.map { type in
            let type = type.map { "<key>NSUbiquitousDocumentUserActivityType</key><string>\($0)</string>" } ?? ""
            return "<dict><key>CFBundleTypeName</key><string>Letter</string>\(type)</dict>"
        }
        return "<key>CFBundleDocumentTypes</key><array>\(entries.joined())</array>"
    }

    @Test func missingFolderHasNoAppsAndNoProblems() {
        let catalog = home.catalog(of: "none")
        #expect(catalog.apps.isEmpty && catalog.problems.isEmpty)
    }

    @Test func seesABundleOnlyAfterReload() throws {
        let catalog = home.catalog()
        _ = try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home)))
        #expect(catalog.apps.isEmpty)
        catalog.reload()
        #expect(catalog.apps.count == 1)
    }

    @Test func aMissingInfoPlistIsNamed() throws {
        try home.folder("apps/Empty.app/Contents")
        try expectProblem("\(home.path("apps/Empty.app/Contents/Info.plist")) does not exist")
    }

    @Test(arguments: [
        "", "not a property list", "<plist><dict><key>CFBundleIdentifier</key>",
        "<plist version=\"1.0\"><dict></array>",
        "\0\0\0\0", "bplist00\u{d0}",
    ])
    func aDamagedInfoPlistIsNamed(content: String) throws {
        try SampleBundle().write("apps/Bad.app", in: home)
        try home.file("apps/Bad.app/Contents/Info.plist", content)
        try expectProblem("Bad.app/Contents/Info.plist is")
    }

    @Test func anInfoPlistWithoutADictionaryIsReported() throws {
        try SampleBundle().write("apps/Bad.app", in: home)
        try home.file("apps/Bad.app/Contents/Info.plist", SampleBundle.plist("<array/>"))
        try expectProblem("is not a dictionary")
    }

    @Test func anInfoPlistWithoutIdentifierIsNamed() throws {
        var bundle = SampleBundle()
        bundle.identifier = nil
        try bundle.write("apps/Bad.app", in: home)
        try expectProblem("lacks the key CFBundleIdentifier")
    }

    @Test func anInfoPlistWithoutExecutableIsNamed() throws {
        var bundle = SampleBundle()
        bundle.executable = nil
        try bundle.write("apps/Bad.app", in: home)
        try expectProblem("lacks the key CFBundleExecutable")
    }

    @Test func aValueOfAnotherKindIsNamed() throws {
        try SampleBundle().write("apps/Bad.app", in: home)
        let info = SampleBundle().info.replacingOccurrences(
            of: "<string>com.example.notes</string>", with: "<integer>7</integer>")
        try home.file("apps/Bad.app/Contents/Info.plist", info)
        try expectProblem("a value of the wrong kind for CFBundleIdentifier")
    }

    @Test(arguments: ["../../etc", "/etc", "a/b", "..", "a..b", "", "com.example notes"])
    func anIdentifierThatIsAPathIsNamed(identifier: String) throws {
        var bundle = SampleBundle()
        bundle.identifier = identifier
        try bundle.write("apps/Bad.app", in: home)
        try expectProblem("CFBundleIdentifier in")
    }

    @Test(arguments: ["", String(repeating: "x", count: 256), "with blank"])
    func aBadActivityTypeIsNamed(type: String) throws {
        var bundle = SampleBundle()
        bundle.types = ["com.example.good", type]
        try bundle.write("apps/Bad.app", in: home)
        try expectProblem("NSUserActivityTypes in")
    }

    @Test func tooManyActivityTypesAreNamed() throws {
        var bundle = SampleBundle()
        bundle.types = (0...256).map { "com.example.type\($0)" }
        try bundle.write("apps/Bad.app", in: home)
        try expectProblem("more than 256 types")
    }

    @Test(arguments: ["", ".", "..", "../Notes", "bin/Notes", "/bin/sh"])
    func anExecutableThatIsAPathIsNamed(executable: String) throws {
        var bundle = SampleBundle()
        bundle.executable = executable
        try bundle.write("apps/Bad.app", in: home)
        try expectProblem("CFBundleExecutable in")
    }

    @Test func aMissingExecutableIsNamed() throws {
        var bundle = SampleBundle()
        bundle.executable = "Other"
        try bundle.write("apps/Bad.app", in: home)
        try expectProblem("the executable \(home.path("apps/Bad.app/Contents/Linux/Other"))")
    }

    @Test func anExecutableThatLeavesTheBundleIsNamed() throws {
        try SampleBundle().write("apps/Bad.app", in: home)
        try FileManager.default.removeItem(atPath: home.path("apps/Bad.app/Contents/Linux/Notes"))
        try home.link("apps/Bad.app/Contents/Linux/Notes", to: "/bin/sh")
        try expectProblem("is a link that leaves the bundle")
    }

    @Test func anExecutableThatCannotBeRunIsNamed() throws {
        try SampleBundle().write("apps/Bad.app", in: home)
        chmod(home.path("apps/Bad.app/Contents/Linux/Notes"), 0o600)
        try expectProblem("run: chmod +x")
    }

    @Test func aPropertyListAboveItsLimitIsNamed() throws {
        var bundle = SampleBundle()
        bundle.extraKeys = "<key>Big</key><string>\(String(repeating: "x", count: 64 * 1024))</string>"
        try bundle.write("apps/Bad.app", in: home)
        try expectProblem("larger than 65536 bytes")
    }

    @Test func aPropertyListThatNestsDeeplyIsNamed() throws {
        var bundle = SampleBundle()
        bundle.extraKeys = "<key>Deep</key>"
        bundle.extraKeys += String(repeating: "<array>", count: 4000) + String(repeating: "</array>", count: 4000)
        try bundle.write("apps/Bad.app", in: home)
        try expectProblem("nests deeper than 32")
    }

    @Test func aPipeInAPropertyListsPlaceDoesNotHoldAnyoneUp() throws {
        try SampleBundle().write("apps/Bad.app", in: home)
        try FileManager.default.removeItem(atPath: home.path("apps/Bad.app/Contents/Info.plist"))
        mkfifo(home.path("apps/Bad.app/Contents/Info.plist"), 0o600)
        try expectProblem("is not a plain file")
    }

    @Test func firstOfTwoBundlesWithOneIdentifierIsUsed() throws {
        try installGood()
        try FileManager.default.copyItem(
            atPath: home.path("apps/com.example.good.app"), toPath: home.path("apps/zoo.app"))
        let catalog = home.catalog()
        #expect(catalog.apps.map(\.path) == [home.path("apps/com.example.good.app")])
        #expect(catalog.problems.count == 1)
        let why = "the same CFBundleIdentifier as \(home.path("apps/com.example.good.app"))"
        #expect(catalog.problems.first?.contains(why) == true)
    }

    @Test func aProblemNeverCarriesControlCharacters() throws {
        try home.folder("apps/Evil\u{1B}[2J.app")
        #expect(home.catalog().problems.first?.contains("\u{1B}") == false)
    }

    // MARK: Trust

    /// Shows X10: a bundle unpacked into the apps folder is not an app, with any content and signature.
    @Test func aBundleThatWasNotInstalledDoesNotCount() throws {
        try SampleBundle().write("apps/Bad.app", in: home)
        try expectProblem("Bad.app was not installed by handoff app install")
        _ = try SampleTeam.notes.sign(home.path("apps/Bad.app"))
        try expectProblem("Bad.app was not installed by handoff app install")
    }

    @Test func anInfoPlistThatWasChangedAfterTheInstallDoesNotCount() throws {
        _ = try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home)))
        var changed = SampleBundle()
        changed.types.append("com.example.everything")
        try home.file("apps/com.example.notes.app/Contents/Info.plist", changed.info)
        try expectProblem("Info.plist has changed since it was installed")
    }

    @Test func aManifestThatWasChangedAfterTheInstallDoesNotCount() throws {
        _ = try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home)))
        try home.file("apps/com.example.notes.app/Contents/_Signature/manifest", "handoff-manifest 1\n")
        try expectProblem("was not installed by handoff app install")
    }

    // MARK: Good and bad bundles together

    private func installGood() throws {
        try home.folder("apps")
        var good = SampleBundle()
        good.identifier = "com.example.good"
        _ = try home.install(SampleTeam.notes.sign(good.write("Good.app", in: home)), force: true)
    }

    /// Expects exactly this problem, and that the good bundle is still valid.
    private func expectProblem(_ words: String) throws {
        try installGood()
        let catalog = home.catalog()
        #expect(catalog.apps.map(\.bundle.name) == ["com.example.good"])
        #expect(catalog.problems.count == 1)
        #expect(catalog.problems.first?.contains(words) == true, "\(catalog.problems)")
    }
}
