// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffHost
import HandoffWire
import Testing

@Suite struct BundleInstallerTests {
    let home = TemporaryDirectory()
    var installer: BundleInstaller { BundleInstaller(directory: home.path("apps")) }

    @Test func copiesTheWholeBundle() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        try home.file("Notes.app/Contents/Resources/en/text", "hello")
        try home.link("Notes.app/Contents/Resources/latest", to: "./en/text")
        let installed = try installer.install(bundle)
        #expect(installed.replacedVersion == nil)
        #expect(installed.app.path == home.path("apps/com.example.notes.app"))
        #expect(home.text("apps/com.example.notes.app/Contents/Resources/latest") == "hello")
        #expect(home.mode("apps/com.example.notes.app/Contents/Linux/Notes") & 0o100 != 0)
        #expect(home.names("apps") == ["com.example.notes.app"])
    }

    @Test func replacesAnOlderVersionWhereItIs() throws {
        try SampleBundle().write("apps/Notes.app", in: home)
        try home.file("apps/Notes.app/Contents/Resources/old", "")
        chmod(home.path("apps"), 0o700)
        let installed = try installer.install(SampleBundle(version: "2.0").write("New.app", in: home))
        #expect(installed.replacedVersion == "1.0")
        #expect(installed.app.version == "2.0")
        #expect(home.names("apps") == ["Notes.app"])
        #expect(!home.exists("apps/Notes.app/Contents/Resources/old"))
    }

    @Test func removesOnlyWhatIsAskedFor() throws {
        _ = try installer.install(SampleBundle().write("Notes.app", in: home))
        _ = try installer.install(SampleBundle(identifier: "com.example.other").write("Other.app", in: home))
        #expect(try installer.remove(BundleID("com.example.notes")).version == "1.0")
        #expect(home.names("apps") == ["com.example.other.app"])
        #expect(throws: Failure(.noApp, "")) { _ = try installer.remove(BundleID("com.example.notes")) }
    }

    @Test func removingALinkedBundleLeavesWhatItPointsAt() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        try home.folder("apps")
        try home.link("apps/Linked.app", to: bundle)
        _ = try installer.remove(BundleID("com.example.notes"))
        #expect(home.names("apps").isEmpty)
        #expect(home.exists("Notes.app/Contents/Info.plist"))
    }

    @Test func leftoversOfACrashedInstallGo() throws {
        try home.file("apps/.com.example.notes.app.new/Contents/half", "")
        try home.file("apps/.com.example.gone.app.old/Contents/half", "")
        chmod(home.path("apps"), 0o700)
        _ = try installer.install(SampleBundle().write("Notes.app", in: home))
        #expect(home.names("apps") == ["com.example.notes.app"])
    }

    @Test(arguments: ["/etc/passwd", "../../../../secret", "en/../../../../..", "en/../text"])
    func refusesALinkThatLeavesTheBundle(target: String) throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        try home.folder("Notes.app/Contents/Resources")
        try home.link("Notes.app/Contents/Resources/link", to: target)
        expectRefusal(of: bundle, "is a link that leaves the bundle")
    }

    @Test func refusesAPipe() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        mkfifo(home.path("Notes.app/Contents/pipe"), 0o600)
        expectRefusal(of: bundle, "neither a file, a folder nor a link")
    }

    @Test func refusesFoldersBeyondTheLimit() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        try home.folder("Notes.app/Contents/" + Array(repeating: "d", count: 40).joined(separator: "/"))
        expectRefusal(of: bundle, "deeper than 32")
    }

    @Test func refusesMoreFilesThanTheLimit() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        try home.folder("Notes.app/Contents/Resources")
        for number in 0...20_000 { close(creat(home.path("Notes.app/Contents/Resources/\(number)"), 0o600)) }
        expectRefusal(of: bundle, "more than 20000 files")
    }

    @Test func refusesMoreBytesThanTheLimit() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        let sparse = try home.file("Notes.app/Contents/big", "")
        truncate(sparse, 1024 * 1024 * 1024 + 1)
        expectRefusal(of: bundle, "more than 1024 MiB")
    }

    @Test func refusesWhatTheCatalogWouldNotTake() throws {
        expectRefusal(of: home.path("Missing.app"), home.path("Missing.app"))
        expectRefusal(of: try home.folder("Empty.app"), "there is no \(home.path("Empty.app/Contents/Info.plist"))")
    }

    @Test func refusesABundleThatIsInstalledAlready() throws {
        _ = try installer.install(SampleBundle().write("Notes.app", in: home))
        #expect(throws: Failure(.malformed, "")) {
            _ = try installer.install(home.path("apps/com.example.notes.app"))
        }
        #expect(home.names("apps") == ["com.example.notes.app"])
    }

    private func expectRefusal(of bundle: String, _ words: String) {
        do {
            _ = try installer.install(bundle)
            Issue.record("installed \(bundle)")
        } catch {
            #expect(error.code == .malformed)
            #expect(error.reason.contains(words), "\(error)")
        }
        #expect(home.names("apps").isEmpty)
    }
}
