// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import TestPrograms
import Testing

@testable import HandoffHost

/// Shows T07, X10: which bundles are installed, and who must approve.
@Suite struct BundleInstallerTests {
    let home = TemporaryDirectory()

    // MARK: Signed

    @Test func copiesTheWholeBundle() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        try home.file("Notes.app/Contents/Resources/en/text", "hello")
        try home.link("Notes.app/Contents/Resources/latest", to: "en/text")
        let installed = try home.install(try SampleTeam.notes.sign(bundle))
        #expect(installed.replacedVersion == nil)
        #expect(installed.app.path == home.path("apps/com.example.notes.app"))
        #expect(installed.app.signer == .team(SampleTeam.notes.team.team, name: SampleTeam.notes.team.name))
        #expect(home.text("apps/com.example.notes.app/Contents/Resources/latest") == "hello")
        #expect(home.mode("apps/com.example.notes.app/Contents/Linux/Notes") & 0o100 != 0)
        #expect(home.names("apps") == ["com.example.notes.app"])
    }

    @Test func leavesTheHashOfTheExecutable() throws {
        let app = try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home))).app
        let program = try Data(contentsOf: URL(fileURLWithPath: app.executable))
        #expect(app.executableHash == FileDigest(of: Array(program)).bytes)
    }

    @Test func refusesAnUnsignedBundle() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        #expect(throws: InstallRefusal.unsigned) { try home.install(bundle) }
        #expect(home.names("apps").isEmpty)
    }

    @Test func refusesWhatIsNotAsItWasSigned() throws {
        let bundle = try SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home))
        try home.file("Notes.app/Contents/Linux/Notes", "#!/bin/sh\nexit 1\n", mode: 0o700)
        try home.file("Notes.app/Contents/Resources/added", "")
        let refusal = #expect(throws: InstallRefusal.self) { try home.install(bundle) }
        guard case .notVerified(let findings)? = refusal else { return }
        #expect(findings.map(\.description) == ["changed: Contents/Linux/Notes", "added: Contents/Resources/added"])
        #expect(home.names("apps").isEmpty)
    }

    /// A team cannot sign a bundle that names another team.
    @Test func teamThatTheUserDoesNotTrustIsRefused() throws {
        struct No: Error {}
        let bundle = try SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home))
        #expect(throws: No.self) { try home.install(bundle) { _ in throw No() } }
        #expect(home.names("apps").isEmpty)
        #expect(home.catalog().apps.isEmpty)
    }

    /// The approval is for the certificate of the copy that will be installed.
    @Test func approvalIsOfTheCopyAndComesLast() throws {
        let bundle = try SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home))
        var asked: [DeveloperTeam] = []
        _ = try home.install(bundle) { signature in
            asked.append(signature.team.team)
            #expect(home.names("apps") == [".incoming.app.new"])
            try? FileManager.default.removeItem(atPath: bundle)
        }
        #expect(asked == [SampleTeam.notes.team.team])
        #expect(home.catalog().apps.map(\.bundle.name) == ["com.example.notes"])
    }

    /// Any change of the verified copy while the user compares the key.
    @Test(arguments: Tampering.allCases) func copyThatIsAlteredOnceItWasVerifiedIsNotInstalled(
        tampering: Tampering
    ) throws {
        let old = try SampleTeam.notes.sign(SampleBundle().write("Old.app", in: home))
        _ = try home.install(old)
        let bundle = try SampleBundle(version: "2.0").write("Notes.app", in: home)
        try home.file("Notes.app/Contents/Resources/en/text", "hello")
        try home.file("Notes.app/Contents/Resources/en/more", "hello")
        _ = try SampleTeam.notes.sign(bundle)
        let refusal = #expect(throws: Failure(.malformed, "")) {
            try home.install(bundle) { _ in try tampering.alter("apps/.incoming.app.new/Contents", in: home) }
        }
        let words = "\(tampering.rawValue) of \(bundle) was changed"
        #expect(refusal?.reason.hasPrefix(words) == true, "\(refusal as Any)")
        #expect(home.names("apps") == ["com.example.notes.app"])
        #expect(home.catalog().apps.map(\.version) == ["1.0"])
        #expect(try BundleVerification.of(home.path("apps/com.example.notes.app"), at: SampleTeam.now).findings == [])
        #expect(try InstallRecords(bytes: Array(Data(contentsOf: home.records))).records.count == 1)
    }

    /// By path.
    enum Tampering: String, CaseIterable {
        case written = "Contents/Resources/en/text"
        case madeExecutable = "Contents/Resources/en/more"
        case added = "Contents/Resources/new"
        case replaced = "Contents/Linux/Notes"
        case removed = "Contents/Entitlements.plist"

        func alter(_ contents: String, in home: TemporaryDirectory) throws {
            let path = contents + rawValue.dropFirst("Contents".count)
            switch self {
            // The same length as before.
            case .written: try home.file(path, "HELLO")
            case .madeExecutable: chmod(home.path(path), 0o755)
            case .added: try home.file(path, "")
            case .replaced:
                let other = try home.file("other", "#!/bin/sh\nexit 1\n", mode: 0o755)
                rename(other, home.path(path))
            case .removed: unlink(home.path(path))
            }
        }
    }

    @Test func entitlementsOfAnotherTeamAreRefused() throws {
        let bundle = try SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home))
        let entitlement = "<key>com.apple.developer.team-identifier</key><string>RIVAL12345</string>"
        try home.file("Notes.app/Contents/Entitlements.plist", SampleBundle.plist("<dict>\(entitlement)</dict>"))
        #expect(throws: InstallRefusal.self) { try home.install(bundle) }
    }

    // MARK: Versions

    @Test func replacesAnOlderVersionWhereItIs() throws {
        _ = try home.install(SampleTeam.notes.sign(SampleBundle().write("Old.app", in: home)))
        rename(home.path("apps/com.example.notes.app"), home.path("apps/Notes.app"))
        let installed = try home.install(SampleTeam.notes.sign(SampleBundle(version: "2.0").write("New.app", in: home)))
        #expect(installed.replacedVersion == "1.0")
        #expect(installed.app.version == "2.0")
        #expect(home.names("apps") == ["Notes.app"])
        #expect(home.catalog().apps.map(\.version) == ["2.0"])
    }

    @Test func refusesAVersionThatGoesBackWithoutForce() throws {
        _ = try home.install(SampleTeam.notes.sign(SampleBundle(version: "1.10").write("New.app", in: home)))
        let old = try SampleTeam.notes.sign(SampleBundle(version: "1.9").write("Old.app", in: home))
        #expect(throws: InstallRefusal.olderVersion("1.9", installed: "1.10")) { try home.install(old) }
        #expect(home.catalog().apps.map(\.version) == ["1.10"])
        #expect(try home.install(old, force: true).replacedVersion == "1.10")
        #expect(home.catalog().apps.map(\.version) == ["1.9"])
    }

    /// Shows T08: trust in a second team does not let it replace the first team's app.
    @Test func refusesTheAppOfAnotherTeamEvenWithForce() throws {
        _ = try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home)))
        let theirs = try SampleTeam.impostor.sign(SampleBundle(version: "2.0").write("Theirs.app", in: home))
        let refusal = InstallRefusal.installedByAnotherTeam(
            try BundleID("com.example.notes"), SampleTeam.notes.team.team)
        #expect(throws: refusal) { try home.install(theirs, force: true) }
        #expect(home.catalog().apps.map(\.developer) == [SampleTeam.notes.team.team])

        _ = try home.installer.remove(BundleID("com.example.notes"))
        _ = try home.install(theirs)
        #expect(home.catalog().apps.map(\.developer) == [SampleTeam.impostor.team.team])
    }

    // MARK: Under development

    @Test func takesAnUnsignedBundleForThisDeviceAlone() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        let app = try home.installer.install(bundle, on: .development, at: SampleTeam.now).app
        #expect(app.signer == .development)
        #expect(app.developer == nil, "what its entitlements say does not count")
        #expect(home.catalog().apps == [app])
    }

    @Test func signatureOfABundleUnderDevelopmentDoesNotCount() throws {
        let bundle = try SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home))
        let app = try home.installer.install(bundle, on: .development, at: SampleTeam.now).app
        #expect(app.signer == .development)
        #expect(home.names("apps/com.example.notes.app/Contents/_Signature") == ["manifest"])
    }

    @Test func signedVersionTakesThePlaceOfOneUnderDevelopment() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        _ = try home.installer.install(bundle, on: .development, at: SampleTeam.now)
        #expect(try home.install(SampleTeam.notes.sign(bundle)).replacedVersion == "1.0")
        #expect(home.catalog().apps.map(\.isInDevelopment) == [false])
    }

    // MARK: Removing

    @Test func removesOnlyWhatIsAskedFor() throws {
        for name in ["notes", "other"] {
            let bundle = try SampleBundle(identifier: "com.example.\(name)").write("\(name).app", in: home)
            _ = try home.install(SampleTeam.notes.sign(bundle))
        }
        #expect(try home.installer.remove(BundleID("com.example.notes")).version == "1.0")
        #expect(home.names("apps") == ["com.example.other.app"])
        #expect(home.catalog().apps.map(\.bundle.name) == ["com.example.other"])
        #expect(throws: Failure(.noApp, "")) { _ = try home.installer.remove(BundleID("com.example.notes")) }
    }

    @Test func removingALinkedBundleLeavesWhatItPointsAt() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        try home.folder("apps")
        try home.link("apps/Linked.app", to: bundle)
        _ = try home.installer.remove(BundleID("com.example.notes"))
        #expect(home.names("apps").isEmpty)
        #expect(home.exists("Notes.app/Contents/Info.plist"))
    }

    // MARK: Crashes

    @Test func leftoversOfACrashedInstallGo() throws {
        try home.file("apps/.incoming.app.new/Contents/half", "")
        try home.file("apps/.com.example.gone.app.old/Contents/half", "")
        chmod(home.path("apps"), 0o700)
        _ = try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home)))
        #expect(home.names("apps") == ["com.example.notes.app"])
    }

    private static let marksImmutable = {
        let home = TemporaryDirectory()
        guard let file = try? home.file("file", ""), Program.run(["chattr", "+i", file]) == 0 else { return false }
        return Program.run(["chattr", "-i", file]) == 0
    }()

    @Test(.enabled(if: marksImmutable)) func aLeftoverThatCannotBeRemovedDoesNotKeepAnApp() throws {
        _ = try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home)))
        let file = try home.file("apps/.com.example.gone.app.old/file", "")
        try #require(Program.run(["chattr", "+i", file]) == 0)
        defer { Program.run(["chattr", "-i", file]) }
        _ = try home.installer.remove(BundleID("com.example.notes"))
        #expect(home.names("apps") == [".com.example.gone.app.old"])
    }

    /// Reproduces the state on disk after a crash between any two steps: one version is valid.
    @Test func interruptedInstallLeavesTheOldOrTheNewVersion() throws {
        let team = SampleTeam.notes
        _ = try home.install(team.sign(SampleBundle().write("Old.app", in: home)))
        let before = try Data(contentsOf: home.records)
        try FileManager.default.copyItem(atPath: home.path("apps"), toPath: home.path("apps-before"))
        _ = try home.install(team.sign(SampleBundle(version: "2.0").write("New.app", in: home)))
        let after = try Data(contentsOf: home.records)
        try FileManager.default.moveItem(atPath: home.path("apps"), toPath: home.path("apps-after"))

        // During the swap there are both records.
        var both = try InstallRecords(bytes: Array(before))
        for record in try InstallRecords(bytes: Array(after)).records { both.add(record) }
        for (records, apps, version) in [
            (before, "apps-before", "1.0"), (Data(both.encoded), "apps-before", "1.0"),
            (Data(both.encoded), "apps-after", "2.0"), (after, "apps-after", "2.0"),
        ] {
            try records.write(to: home.records)
            let catalog = home.catalog(of: apps)
            #expect(catalog.apps.map(\.version) == [version])
            #expect(catalog.problems.isEmpty)
        }
    }

    @Test func oneRecordIsLeftOfEachApp() throws {
        for version in ["1.0", "1.1", "1.2"] {
            _ = try home.install(
                SampleTeam.notes.sign(SampleBundle(version: version).write("\(version).app", in: home)))
        }
        #expect(try InstallRecords(bytes: Array(Data(contentsOf: home.records))).records.count == 1)
    }

    @Test func damagedRecordsAreNamedAndNotGuessed() throws {
        let bundle = try SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home))
        _ = try home.install(bundle)
        try Data("handoff-installs/1\nnonsense\n".utf8).write(to: home.records)
        #expect(home.catalog().apps.isEmpty)
        #expect(home.catalog().problems.first?.contains("records is damaged") == true)
        #expect(throws: Failure(.malformed, "")) { try home.install(bundle) }
    }

    // MARK: Bad bundles

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

    @Test func refusesPathsThatDifferOnlyInCaseOrUnicodeForm() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        try home.file("Notes.app/Contents/Resources/Straße", "")
        try home.file("Notes.app/Contents/Resources/STRASSE", "")
        expectRefusal(of: bundle, "differ only in case or in Unicode's normal form")
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
        expectRefusal(of: try home.folder("Empty.app"), "\(home.path("Empty.app/Contents/Info.plist")) does not exist")
    }

    @Test func refusesABundleThatIsInstalledAlready() throws {
        _ = try home.install(SampleTeam.notes.sign(SampleBundle().write("Notes.app", in: home)))
        #expect(throws: Failure(.malformed, "")) { try home.install(home.path("apps/com.example.notes.app")) }
        #expect(home.names("apps") == ["com.example.notes.app"])
    }

    /// Expects an error with this text from every install, and no leftovers.
    private func expectRefusal(of bundle: String, _ words: String) {
        do {
            _ = try home.installer.install(bundle, on: .development, at: SampleTeam.now)
            Issue.record("installed \(bundle)")
        } catch {
            #expect("\(error)".contains(words), "\(error)")
        }
        #expect(home.names("apps").isEmpty)
    }

    @Test func anOlderBundleWithoutAVersionIsNamed() {
        #expect(
            "\(InstallRefusal.olderVersion("", installed: "1.0"))"
                == "a bundle without a version is older than 1.0, which is installed")
    }
}
