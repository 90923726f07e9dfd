// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffTrust

// Shows X08, T07: the part about manifests, which are untrusted.
@Suite struct BundleManifestTests {
    static let digest = String(repeating: "07", count: 32)
    static let head = "handoff-manifest/1\nbundle\tcom.example.notes\nversion\t1.0\n"

    @Test func hasOneEncoding() throws {
        let manifest = try BundleManifest.sample()
        let text = String(decoding: manifest.bytes, as: UTF8.self)
        #expect(
            text == Self.head + "entitlement\tcom.apple.developer.team-identifier\tNOTES12345\n"
                + "file\t644\t4\t\(Self.digest)\tContents/Info.plist\n"
                + "file\t755\t4\t\(Self.digest)\tContents/Linux/Notes\n"
                + "file\t644\t4\t\(Self.digest)\tContents/Resources/en/text\n"
                + "link\tContents/Resources/latest\ten/text\n")
        #expect(try BundleManifest(bytes: manifest.bytes) == manifest)
        #expect(manifest.fileBytes == 12)
        #expect(manifest.content(at: try BundlePath("Contents/Resources/latest")) == .link(target: "en/text"))
        #expect(manifest.content(at: try BundlePath("Contents/Resources/lates")) == nil)
    }

    @Test func entitlementsThatCountAreInIt() throws {
        let entitlements = try BundleEntitlements(
            team: try TeamID("NOTES12345"),
            associatedDomains: ["applinks:b.example", "activitycontinuation:a.example", "applinks:b.example"],
            ubiquityContainers: ["NOTES12345.com.example.notes"])
        let manifest = try BundleManifest(
            bundle: try BundleID("com.example.notes"), version: "", entitlements: entitlements, entries: [])
        let again = try BundleManifest(bytes: manifest.bytes)
        #expect(again.entitlements == entitlements)
        #expect(again.entitlements.associatedDomains == ["activitycontinuation:a.example", "applinks:b.example"])
        #expect(try BundleManifest.entitlements(ofRead: manifest.bytes) == entitlements)
    }

    @Test(arguments: [0, 1, BundleLimits.entitlements])
    func entitlementsAreReadWithoutTheRest(count: Int) throws {
        let entitlements = try BundleEntitlements(associatedDomains: (0..<count).map { "applinks:h\($0).example" })
        let manifest = try BundleManifest(
            bundle: try BundleID("com.example.notes"), version: "1.0", entitlements: entitlements,
            entries: BundleManifest.sample().entries)
        #expect(try BundleManifest.entitlements(ofRead: manifest.bytes) == entitlements)
        #expect(throws: ManifestRejection.self) { try BundleManifest.entitlements(ofRead: []) }
    }

    private static let wrongWhole: [(String, ManifestRejection.Code)] = [
        ("", .notAManifest),
        ("handoff-manifest/1", .notAManifest),
        ("\n", .notAManifest),
        ("handoff-manifest/1\n", .notAManifest),
        ("handoff-manifest/2\n", .unknownVersion),
        ("handoff-manifest/1\nbundle\t../../etc\nversion\t1.0\n", .badLine),
        ("handoff-manifest/1\nversion\t1.0\nbundle\tcom.example.notes\n", .badLine),
        ("handoff-manifest/1\nbundle\tcom.example.notes\nversion\t1\u{1B}[2J\n", .badLine),
    ]

    /// The lines after the first three. DIGEST is a placeholder.
    private static let wrongBodies: [(String, ManifestRejection.Code)] = [
        ("\n", .badLine),
        ("device\tContents/null\n", .badLine),
        ("entitlement\tcom.example.anything\tyes\n", .badLine),
        ("entitlement\tcom.apple.developer.team-identifier\tnotes\n", .badLine),
        ("file\t4755\t4\tDIGEST\tContents/a\n", .badLine),
        ("file\t644\t-4\tDIGEST\tContents/a\n", .badLine),
        ("file\t644\t99999999999999999999\tDIGEST\tContents/a\n", .badLine),
        ("file\t644\t4\t0707\tContents/a\n", .badLine),
        ("file\t644\t04\tDIGEST\tContents/a\n", .notCanonical),
        ("file\t644\t+4\tDIGEST\tContents/a\n", .notCanonical),
        ("file\t644\t4\tDIGESTAB\tContents/a\n", .notCanonical),
        ("folder\tContents/a\nfolder\tContents/a\n", .listedTwice),
        ("folder\tContents/b\nfolder\tContents/a\n", .notSorted),
        ("folder\t/etc\n", .badPath),
        ("folder\t../etc\n", .badPath),
        ("folder\tContents/../../etc\n", .badPath),
        ("folder\tContents//a\n", .badPath),
        ("folder\tContents/a/\n", .badPath),
        ("folder\t./Contents\n", .badPath),
        ("folder\t\n", .badPath),
        ("folder\tContents/a\u{7F}\n", .badPath),
        ("folder\tContents/a\u{85}\n", .badPath),
        ("folder\tContents/_Signature/more\n", .badPath),
        ("folder\tContents/Notes\nfolder\tContents/notes\n", .lookAlikes),
        ("folder\tContents/B/x\nfolder\tContents/b/y\n", .lookAlikes),
        ("folder\tContents/e\u{301}\nfolder\tContents/\u{E9}\n", .lookAlikes),
        ("folder\tContents/STRASSE\nfolder\tContents/stra\u{DF}e\n", .lookAlikes),
        ("folder\tContents/a\nfolder\tContents/a/b\n", .insideAFile),
        ("file\t644\t4\tDIGEST\tContents/a\nfolder\tContents/a/b\n", .insideAFile),
        ("link\tContents/a\t/etc/passwd\n", .badLink),
        ("link\tContents/a\t../../etc\n", .badLink),
        ("link\tContents/a\tb/../../../c\n", .badLink),
        ("link\tContents/a\t\n", .badLink),
    ]

    @Test(arguments: wrongWhole)
    func refusesByName(text: String, code: ManifestRejection.Code) {
        #expect(throws: ManifestRejection(code, "")) { try BundleManifest(bytes: Array(text.utf8)) }
    }

    @Test(arguments: wrongBodies)
    func refusesWrongLinesByName(body: String, code: ManifestRejection.Code) {
        let text =
            Self.head
            + body.replacing("DIGESTAB", with: Self.digest.dropLast(2) + "AB")
            .replacing("DIGEST", with: Self.digest)
        #expect(throws: ManifestRejection(code, "")) { try BundleManifest(bytes: Array(text.utf8)) }
    }

    @Test func refusesWhatIsNotUTF8() {
        let bytes = Array(Self.head.utf8) + Array("folder\tContents/".utf8) + [0xFF, 0x0A]
        #expect(throws: ManifestRejection(.notAManifest, "")) { try BundleManifest(bytes: bytes) }
    }

    @Test func everyLimitHolds() throws {
        func manifest(_ entries: [BundleManifest.Entry]) throws -> BundleManifest {
            try BundleManifest(
                bundle: try BundleID("com.example.notes"), version: "1.0", entitlements: .none, entries: entries)
        }
        let limit = ManifestRejection(.limitReached, "")
        let many = try (0...BundleLimits.entries).map {
            try BundleManifest.Entry.file("Contents/\($0 + 100_000)", size: 0)
        }
        _ = try BundleManifest(bytes: try manifest(many.dropLast()).bytes)
        #expect(throws: limit) { try manifest(many) }
        #expect(throws: limit) {
            try BundleManifest(bytes: Array(Self.head.utf8) + many.flatMap { Array("folder\t\($0.path)\n".utf8) })
        }

        let most = BundleLimits.fileBytes
        _ = try manifest([.file("Contents/a", size: most)])
        #expect(throws: limit) { try manifest([.file("Contents/a", size: most), .file("Contents/b", size: 1)]) }
        #expect(throws: limit) { try manifest([.file("Contents/a", size: .max), .file("Contents/b", size: .max)]) }

        _ = try BundlePath(String(repeating: "a", count: BundleLimits.pathBytes))
        #expect(throws: limit) { try BundlePath(String(repeating: "a", count: BundleLimits.pathBytes + 1)) }
        #expect(!(try BundlePath("a").canPoint(at: String(repeating: "a", count: BundleLimits.pathBytes + 1))))

        let deep = Array(repeating: "d", count: BundleLimits.depth).joined(separator: "/")
        _ = try BundlePath(deep + "/file")
        #expect(throws: limit) { try BundlePath(deep + "/folder/file") }

        let huge = [UInt8](repeating: 10, count: BundleLimits.manifestBytes + 1)
        #expect(throws: limit) { try BundleManifest(bytes: huge) }

        let version = String(repeating: "1", count: BundleLimits.versionCharacters)
        _ = try BundleManifest.sample(version: version)
        #expect(throws: ManifestRejection(.badLine, "")) { try BundleManifest.sample(version: version + "1") }

        _ = try BundleEntitlements(associatedDomains: (0..<BundleLimits.entitlements).map { "applinks:\($0)" })
        #expect(throws: limit) {
            try BundleEntitlements(associatedDomains: (0...BundleLimits.entitlements).map { "applinks:\($0)" })
        }
        #expect(throws: ManifestRejection(.badEntitlement, "")) {
            try BundleEntitlements(
                associatedDomains: [String(repeating: "a", count: BundleLimits.entitlementBytes + 1)])
        }
    }

    @Test func randomBytesNeverTrap() {
        var random = Randomness.seeded(7)
        let parts: [String] = [
            "file", "folder", "link", "\t", "\n", "644", "755", "0", "a/b", "..", Self.digest, Self.head, "\u{E9}",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0..<24, using: &random)).map { _ in parts.randomElement(using: &random)! }
            _ = try? BundleManifest(bytes: Array((Self.head + text.joined()).utf8))
        }
    }

    @Test(arguments: ["en/text", "./en/text", "../x", "../../x", "../..", "..", "."])
    func linksStayInside(target: String) throws {
        #expect(try BundlePath("Contents/Resources/link").canPoint(at: target))
    }

    // A link to a folder followed by `..` leads to that folder's parent, which the text alone does not show.
    @Test(arguments: ["../../../x", "/x", "en/../text", "en/..", "..//../../..", "a\u{0}b", ""])
    func linksThatCouldLeaveAreRefused(target: String) throws {
        #expect(!(try BundlePath("Contents/Resources/link").canPoint(at: target)))
    }

    @Test func namesEveryDifference() throws {
        let signed = try BundleManifest.sample()
        var found: [BundleManifest.Entry] = try [
            .file("Contents/Added"), .file("Contents/Info.plist", isExecutable: true, size: 5),
            .link("Contents/Linux/Notes", "Other"), .link("Contents/Resources/latest", "de/text"),
        ]
        found.sort { $0.path < $1.path }
        #expect(
            signed.differences(to: found).map(\.description) == [
                "added: Contents/Added", "changed: Contents/Info.plist",
                "wrong mode: Contents/Info.plist is executable", "of another kind: Contents/Linux/Notes",
                "missing: Contents/Resources/en/text", "changed: Contents/Resources/latest",
            ])
        #expect(signed.differences(to: signed.entries) == [])
    }
}
