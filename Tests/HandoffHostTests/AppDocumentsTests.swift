// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

/// Shows X10: an app's declarations on documents, and which of them are valid.
@Suite struct AppDocumentsTests {
    let home = TemporaryDirectory()
    private func installed(_ bundle: SampleBundle) throws -> InstalledApp {
        try home.install(SampleTeam.notes.sign(bundle.write("Notes.app", in: home))).app
    }

    // MARK: Containers

    @Test func containersOfBothKeysCountInTheOrderOfTheEntitlements() throws {
        var bundle = SampleBundle()
        bundle.containers = ["iCloud.com.example.notes", "NOTES12345.com.example.drafts"]
        bundle.cloudContainers = ["iCloud.com.example.archive", "iCloud.com.example.notes"]
        let names = ["iCloud.com.example.notes", "NOTES12345.com.example.drafts", "iCloud.com.example.archive"]
        #expect(try installed(bundle).documents.containers.map(\.name) == names)
        #expect(home.catalog().apps.first?.documents.containers.map(\.name) == names)
    }

    @Test func containersAreThoseThatItsTeamSigned() throws {
        var bundle = SampleBundle()
        bundle.containers = ["iCloud.com.example.notes"]
        _ = try installed(bundle)
        bundle.containers = ["iCloud.com.example.bank"]
        try bundle.write("apps/com.example.notes.app", in: home)
        #expect(home.catalog().apps.first?.documents.containers.map(\.name) == ["iCloud.com.example.notes"])
    }

    @Test func anAppUnderDevelopmentHasItsContainersToo() throws {
        var bundle = SampleBundle()
        bundle.containers = ["iCloud.com.example.notes"]
        bundle.domains = ["activitycontinuation:example.com"]
        let path = try bundle.write("Notes.app", in: home)
        let installed = try home.installer.install(path, on: .development, at: SampleTeam.now)
        #expect(installed.app.documents.containers.map(\.name) == ["iCloud.com.example.notes"])
        let app = try #require(home.catalog().apps.first)
        #expect(app.documents == installed.app.documents)
        #expect(app.associatedDomains.isEmpty)
        // A later change of the file is not part of the install.
        bundle.containers.append("iCloud.com.example.bank")
        try bundle.write("apps/com.example.notes.app", in: home)
        #expect(home.catalog().apps.first?.documents.containers.map(\.name) == ["iCloud.com.example.notes"])
    }

    @Test func invalidContainerIdentifierIsOmittedAndReported() throws {
        var bundle = SampleBundle()
        bundle.containers = ["../../etc", "iCloud.com.example.notes", "iCloud.$(CFBundleIdentifier)"]
        let app = try installed(bundle)
        #expect(app.documents.containers.map(\.name) == ["iCloud.com.example.notes"])
        #expect(app.documents.problems.count == 2)
        let catalog = home.catalog()
        #expect(catalog.apps == [app])
        let problem = try #require(catalog.problems.first)
        #expect(catalog.problems.count == 1)
        #expect(problem.hasPrefix("the entitlements of \(app.path) name invalid containers: \"../../etc\": "))
        #expect(problem.contains("; \"iCloud.$(CFBundleIdentifier)\": "))
    }

    /// Signed before the newer key was supported: its containers are not in the manifest, and are ignored.
    @Test func olderSignatureIsValidForWhatItCovers() throws {
        var bundle = SampleBundle()
        bundle.containers = ["iCloud.com.example.notes"]
        let path = try bundle.write("Notes.app", in: home)
        let signed = try BundleSigner(path: path).sign(with: SampleTeam.notes, at: SampleTeam.now).manifest
        bundle.cloudContainers = ["iCloud.com.example.archive"]
        try bundle.write("Notes.app", in: home)
        let newer = try BundleSigner(path: path).sign(with: SampleTeam.notes, at: SampleTeam.now).manifest
        let older = try BundleManifest(
            bundle: newer.bundle, version: newer.version, entitlements: signed.entitlements, entries: newer.entries)
        let signature = try older.signed(by: SampleTeam.notes, at: SampleTeam.now)
        try Data(older.bytes).write(to: URL(filePath: home.path("Notes.app/Contents/_Signature/manifest")))
        try Data(signature).write(to: URL(filePath: home.path("Notes.app/Contents/_Signature/signature")))
        #expect(try BundleVerification.of(path, at: SampleTeam.now).findings == [])
        #expect(try home.install(path).app.documents.containers.map(\.name) == ["iCloud.com.example.notes"])
    }

    @Test func aContainerHasTheNameThatInfoPlistGivesIt() throws {
        var bundle = SampleBundle()
        bundle.containers = ["iCloud.com.example.notes"]
        bundle.extraKeys = """
            <key>NSUbiquitousContainers</key>
            <dict><key>iCloud.com.example.notes</key>
            <dict><key>NSUbiquitousContainerIsDocumentScopePublic</key><true/>
            <key>NSUbiquitousContainerName</key><string>Our\nNotes</string></dict>
            <key>not one</key><dict/></dict>
            """
        let names = try installed(bundle).documents.containerNames
        #expect(names == [try ContainerID("iCloud.com.example.notes"): DisplayText(cleaning: "Our Notes")])
    }

    // MARK: Documents

    private func app(_ keys: String) throws -> InstalledApp {
        var bundle = SampleBundle()
        bundle.extraKeys = keys
        return try installed(bundle)
    }

    @Test func packageDocumentTypesAreFolders() throws {
        let app = try app(
            """
            <key>CFBundleDocumentTypes</key><array>
            <dict><key>CFBundleTypeExtensions</key><array><string>Pages</string><string>*</string></array>
            <key>LSTypeIsPackage</key><true/></dict>
            <dict><key>CFBundleTypeExtensions</key><array><string>txt</string></array></dict>
            <dict><key>CFBundleTypeExtensions</key><array><string>rtfd</string></array>
            <key>LSTypeIsPackage</key><string>YES</string></dict>
            <dict><key>CFBundleTypeExtensions</key><array><string>key</string></array>
            <key>LSTypeIsPackage</key><integer>1</integer></dict>
            <dict><key>CFBundleTypeExtensions</key><array><string>csv</string></array>
            <key>LSTypeIsPackage</key><array/></dict></array>
            """)
        #expect(app.documents.packageExtensions == ["key", "pages", "rtfd"])
    }

    @Test func packageContentTypesAreFolders() throws {
        func type(_ identifier: String, _ parent: String, _ tags: String) -> String {
            """
            <dict><key>UTTypeIdentifier</key><string>\(identifier)</string>
            <key>UTTypeConformsTo</key>\(parent)
            <key>UTTypeTagSpecification</key><dict><key>public.filename-extension</key>\(tags)
            <key>public.mime-type</key><string>application/x-letter</string></dict></dict>
            """
        }
        let letter = type(
            "com.example.letter", "<array><string>com.apple.package</string></array>", "<string>Letter</string>")
        let note = type(
            "com.example.note", "<string>public.plain-text</string>", "<array><string>note</string></array>")
        let other = type("com.example.other", "<string>com.apple.package</string>", "<string>other</string>")
        let app = try app(
            """
            <key>UTExportedTypeDeclarations</key><array>\(letter)\(other)</array>
            <key>UTImportedTypeDeclarations</key><array>\(note)</array>
            <key>CFBundleDocumentTypes</key><array>
            <dict><key>LSItemContentTypes</key><array><string>com.example.letter</string></array></dict>
            <dict><key>LSItemContentTypes</key>
            <array><string>com.example.note</string><string>public.text</string></array></dict></array>
            """)
        // The app opens no documents of the other type.
        #expect(app.documents.packageExtensions == ["letter"])
    }

    @Test func tooManyExtensionsOfFoldersAreNamed() throws {
        let extensions = (0...256).map { "<string>x\($0)</string>" }.joined()
        let keys = """
            <key>CFBundleDocumentTypes</key><array><dict><key>LSTypeIsPackage</key><true/>
            <key>CFBundleTypeExtensions</key><array>\(extensions)</array></dict></array>
            """
        let failure = #expect(throws: Failure(.malformed, "")) { try app(keys) }
        #expect(failure?.reason.contains("more than 256 extensions of folders") == true)
    }

    @Test(arguments: [("<true/>", true), ("<false/>", false), ("", false)])
    func downloadsContentsKeyIsRead(value: String, isSet: Bool) throws {
        let app = try app(value.isEmpty ? "" : "<key>NSDownloadsUbiquitousContents</key>\(value)")
        #expect(app.documents.downloadsContents == isSet)
    }
}
