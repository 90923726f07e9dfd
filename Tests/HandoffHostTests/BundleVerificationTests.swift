// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffHost

// Shows T07.
@Suite struct BundleVerificationTests {
    static let now = WallTime(milliseconds: 1_772_366_400_000)
    static let team = try! TeamKey.create(
        name: DisplayText(cleaning: "Notes Makers"), id: TeamID("NOTES12345"), at: now)

    let home = TemporaryDirectory()

    @Test func aSignedBundleIsVerified() throws {
        let bundle = try signedBundle()
        let verification = try verify(bundle)
        let signature = try #require(verification.verified)
        #expect(signature.team == Self.team.team)
        #expect(signature.signedAt == Self.now)
        #expect(signature.manifest.bundle.name == "com.example.notes")
        #expect(signature.manifest.version == "1.0")
        #expect(signature.manifest.entitlements.team?.name == "NOTES12345")
        #expect(
            signature.manifest.entries.map(\.path.text) == [
                "Contents/Entitlements.plist", "Contents/Info.plist", "Contents/Linux/Notes",
                "Contents/Resources/en/text", "Contents/Resources/latest",
            ])
    }

    @Test func signingTwiceGivesTheSameManifest() throws {
        let bundle = try signedBundle()
        let first = home.text("Notes.app/Contents/_Signature/manifest")
        try home.file("Notes.app/Contents/_Signature/left-behind", "")
        _ = try sign(bundle)
        #expect(first != nil && home.text("Notes.app/Contents/_Signature/manifest") == first)
        #expect(try verify(bundle).verified != nil)
    }

    @Test func anUnsignedBundleIsReportedAsUnsigned() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        let verification = try verify(bundle)
        #expect(verification.isUnsigned)
        #expect(verification.verified == nil)
    }

    @Test func everyDifferenceIsNamed() throws {
        let bundle = try signedBundle()
        try home.file("Notes.app/Contents/Resources/en/text", "HELLO")
        try home.file("Notes.app/Contents/Resources/new", "")
        try home.folder("Notes.app/Contents/Empty")
        try home.file("Notes.app/beside", "")
        try FileManager.default.removeItem(atPath: home.path("Notes.app/Contents/Entitlements.plist"))
        chmod(home.path("Notes.app/Contents/Linux/Notes"), 0o600)
        chmod(home.path("Notes.app/Contents/Info.plist"), 0o755)
        try home.file("Notes.app/Contents/_Signature/more", "")
        let verification = try verify(bundle)
        #expect(verification.verified == nil)
        #expect(verification.signature != nil)
        #expect(
            Set(verification.findings.map(\.description)) == [
                "changed: Contents/Resources/en/text", "added: Contents/Resources/new", "added: Contents/Empty",
                "added: beside", "missing: Contents/Entitlements.plist",
                "wrong mode: Contents/Linux/Notes is not executable", "wrong mode: Contents/Info.plist is executable",
                "added: Contents/_Signature/more",
            ])
    }

    @Test func aChangeOfTheSameSizeIsFound() throws {
        let bundle = try signedBundle()
        try home.file("Notes.app/Contents/Resources/en/text", "hallo")
        #expect(try sentences(bundle) == ["changed: Contents/Resources/en/text"])
    }

    @Test func aFileInPlaceOfALinkIsFound() throws {
        let bundle = try signedBundle()
        try FileManager.default.removeItem(atPath: home.path("Notes.app/Contents/Resources/latest"))
        try home.file("Notes.app/Contents/Resources/latest", "hello")
        #expect(try sentences(bundle) == ["of another kind: Contents/Resources/latest"])
    }

    @Test(arguments: ["/etc/passwd", "../../../outside", "en/../text"])
    func aLinkThatLeavesTheBundleIsNamedAndNotFollowed(target: String) throws {
        let bundle = try signedBundle()
        try home.link("Notes.app/Contents/Resources/link", to: target)
        #expect(try sentences(bundle) == ["Contents/Resources/link is a link that leaves the bundle"])
        #expect(try refusal(bundle) == ["Contents/Resources/link is a link that leaves the bundle"])
    }

    @Test(arguments: [("Read", "read"), ("e\u{301}", "\u{E9}")])
    func pathsThatLookAlikeCannotBeSigned(one: String, other: String) throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        try home.file("Notes.app/Contents/Resources/\(one)", "")
        try home.file("Notes.app/Contents/Resources/\(other)", "")
        let sentences = try refusal(bundle)
        #expect(sentences.count == 1)
        #expect(sentences[0].contains("differ only in case or in Unicode's normal form"))
    }

    @Test func aNameInAnotherUnicodeFormIsAnotherFile() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        try home.file("Notes.app/Contents/Resources/e\u{301}", "")
        _ = try sign(bundle)
        rename(
            home.path("Notes.app/Contents/Resources/e\u{301}"), home.path("Notes.app/Contents/Resources/\u{E9}"))
        #expect(try sentences(bundle).count == 2)
    }

    @Test func aNameThatIsNotUTF8CannotBeSigned() throws {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        close(creat(Array((bundle + "/Contents/").utf8CString.dropLast()) + [-1, 0], 0o600))
        #expect(try refusal(bundle).contains { $0.contains("not UTF-8") })
    }

    @Test func aFileThatChangesWhileItIsReadIsNamed() throws {
        let bundle = try signedBundle()
        let path = home.path("Notes.app/Contents/Resources/en/text")
        let verification = try BundleVerification.of(bundle, at: Self.now) { _, _ in
            let file = open(path, O_WRONLY | O_APPEND)
            write(file, "!", 1)
            close(file)
        }
        #expect(verification.verified == nil)
        #expect(
            verification.findings.map(\.description).contains("Contents/Resources/en/text changed while it was read"))
    }

    @Test func aPipeAndSpecialBitsAreNamed() throws {
        let bundle = try signedBundle()
        mkfifo(home.path("Notes.app/Contents/pipe"), 0o600)
        chmod(home.path("Notes.app/Contents/Linux/Notes"), 0o4755)
        let expected: Set = [
            "Contents/pipe is neither a file, a folder nor a link",
            "Contents/Linux/Notes has a set-user-ID, set-group-ID or sticky bit",
        ]
        #expect(Set(try refusal(bundle)) == expected)
        #expect(Set(try sentences(bundle)).isSuperset(of: expected))
    }

    @Test func aSignatureFolderThatIsALinkIsRefused() throws {
        let bundle = try signedBundle()
        rename(home.path("Notes.app/Contents/_Signature"), home.path("elsewhere"))
        try home.link("Notes.app/Contents/_Signature", to: home.path("elsewhere"))
        #expect(try verify(bundle).verified == nil)
    }

    @Test func anotherManifestIsRefused() throws {
        let bundle = try signedBundle()
        try SampleBundle(version: "2.0").write("Newer.app", in: home)
        _ = try sign(home.path("Newer.app"))
        let manifest = try #require(home.text("Newer.app/Contents/_Signature/manifest"))
        try home.file("Notes.app/Contents/_Signature/manifest", manifest)
        #expect(try verify(bundle).findings == [.signature(.doesNotMatch)])
    }

    // Shows X10.
    @Test func aManifestThatContradictsTheBundleIsRefused() throws {
        let bundle = try signedBundle()
        let honest = try #require(try verify(bundle).verified).manifest
        let lying = try BundleManifest(
            bundle: BundleID("com.example.other"), version: "9.0",
            entitlements: BundleEntitlements(associatedDomains: ["applinks:bank.example"]), entries: honest.entries)
        let signature = try lying.signed(by: Self.team, at: Self.now)
        try Data(lying.bytes).write(to: URL(filePath: home.path("Notes.app/Contents/_Signature/manifest")))
        try Data(signature).write(to: URL(filePath: home.path("Notes.app/Contents/_Signature/signature")))
        #expect(try sentences(bundle).count == 3)
    }

    @Test func expiredTeamNeitherSignsNorVerifies() throws {
        let bundle = try signedBundle()
        let later = Self.team.team.validUntil.advanced(by: .seconds(1))
        let verification = try BundleVerification.of(bundle, at: later)
        #expect(verification.findings == [.signature(.certificateExpired)])
        #expect(throws: Failure(.notAllowed, "")) { try BundleSigner(path: bundle).sign(with: Self.team, at: later) }
    }

    @Test func anotherTeamCannotSignForTheNamedTeam() throws {
        let bundle = try SampleBundle(team: "OTHER12345").write("Notes.app", in: home)
        #expect(throws: Failure(.notAllowed, "")) { try sign(bundle) }
        #expect(!home.exists("Notes.app/Contents/_Signature"))
    }

    @Test func uninstallableBundleIsNotSigned() throws {
        let bundle = try SampleBundle(identifier: nil).write("Notes.app", in: home)
        #expect(throws: Failure(.malformed, "")) { try sign(bundle) }
        #expect(throws: Failure(.malformed, "")) { try sign(home.path("Missing.app")) }
        #expect(throws: Failure(.malformed, "")) { try verify(home.path("Missing.app")) }
    }

    @Test func limitsOfABundleHold() throws {
        let bundle = try signedBundle()
        let sparse = try home.file("Notes.app/Contents/big", "")
        truncate(sparse, off_t(BundleLimits.fileBytes) + 1)
        #expect(try refusal(bundle) == ["the bundle holds more than 1024 MiB"])
        #expect(try sentences(bundle).contains("the bundle holds more than 1024 MiB"))
        unlink(sparse)
        for number in 0...BundleLimits.entries {
            close(creat(home.path("Notes.app/Contents/Resources/\(number)"), 0o600))
        }
        #expect(try refusal(bundle) == ["the bundle holds more than 20000 files"])
    }

    @Test func aHugeSignatureIsNotRead() throws {
        let bundle = try signedBundle()
        truncate(home.path("Notes.app/Contents/_Signature/signature"), off_t(BundleLimits.signatureBytes) + 1)
        #expect(try verify(bundle).findings == [.signature(.tooLarge)])
        _ = try sign(bundle)
        truncate(home.path("Notes.app/Contents/_Signature/manifest"), off_t(BundleLimits.manifestBytes) + 1)
        #expect(
            try sentences(bundle) == ["Contents/_Signature/manifest is larger than \(BundleLimits.manifestBytes) bytes"]
        )
    }

    @Test func progressEndsAtTheWhole() throws {
        let bundle = try signedBundle()
        var last: (Int64, Int64) = (0, -1)
        _ = try BundleVerification.of(bundle, at: Self.now) { last = ($0, $1) }
        #expect(last.0 == last.1)
    }

    // MARK: Helpers

    private func signedBundle() throws -> String {
        let bundle = try SampleBundle().write("Notes.app", in: home)
        try home.file("Notes.app/Contents/Resources/en/text", "hello")
        try home.link("Notes.app/Contents/Resources/latest", to: "en/text")
        _ = try sign(bundle)
        return bundle
    }

    private func sign(_ bundle: String) throws -> BundleSignature {
        try BundleSigner(path: bundle).sign(with: Self.team, at: Self.now)
    }

    private func verify(_ bundle: String) throws -> BundleVerification {
        try BundleVerification.of(bundle, at: Self.now)
    }

    private func sentences(_ bundle: String) throws -> [String] { try verify(bundle).findings.map(\.description) }

    private func refusal(_ bundle: String) throws -> [String] {
        do {
            _ = try sign(bundle)
            return []
        } catch let refusal as BundleSigner.Refusal {
            return refusal.findings.map(\.description)
        }
    }
}
