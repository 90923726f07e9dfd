// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffTrust

extension BundleSignature {
    static func of(
        _ manifest: BundleManifest, by key: TeamKey, signed: WallTime = Teams.now, at time: WallTime = Teams.now
    ) throws -> BundleSignature {
        try BundleSignature(
            signature: try manifest.signed(by: key, at: signed), manifest: manifest.bytes, at: time)
    }
}

// Shows T07: the parts about signatures.
@Suite struct BundleSignatureTests {
    @Test func signedManifestNamesItsTeam() throws {
        let manifest = try BundleManifest.sample()
        let signature = try BundleSignature.of(manifest, by: Teams.notes)
        #expect(signature.manifest == manifest)
        #expect(signature.teamID.name == "NOTES12345")
        #expect(signature.teamName.text == "Notes Makers")
        #expect(signature.fingerprint == Teams.notes.team.fingerprint)
        #expect(signature.signedAt == Teams.now)
        let impostors = try BundleSignature.of(manifest, by: Teams.impostor)
        #expect(impostors.teamID == signature.teamID)
        #expect(impostors.fingerprint != signature.fingerprint)
    }

    @Test func signatureOverAnotherManifestIsRefused() throws {
        let signature = try BundleManifest.sample().signed(by: Teams.notes, at: Teams.now)
        let other = try BundleManifest.sample(version: "2.0")
        #expect(throws: SignatureRejection.doesNotMatch) {
            try BundleSignature(signature: signature, manifest: other.bytes, at: Teams.now)
        }
    }

    @Test func everyChangedByteOfTheSignatureIsRefused() throws {
        let manifest = try BundleManifest.sample()
        let signature = try manifest.signed(by: Teams.notes, at: Teams.now)
        let genuine = try BundleSignature(signature: signature, manifest: manifest.bytes, at: Teams.now)
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 0x01
            // An insignificant byte may change, but not the signed content or the signer.
            if let accepted = try? BundleSignature(signature: changed, manifest: manifest.bytes, at: Teams.now) {
                #expect(accepted == genuine, "byte \(index)")
            }
        }
    }

    @Test func cutOrLengthenedSignaturesAreRefused() throws {
        let manifest = try BundleManifest.sample()
        let signature = try manifest.signed(by: Teams.notes, at: Teams.now)
        for bytes in [[], Array(signature.dropLast()), signature + [0], Array("signature".utf8)] {
            #expect(throws: SignatureRejection.notCMS) {
                try BundleSignature(signature: bytes, manifest: manifest.bytes, at: Teams.now)
            }
        }
        let huge = [UInt8](repeating: 0x30, count: BundleLimits.signatureBytes + 1)
        #expect(throws: SignatureRejection.tooLarge) {
            try BundleSignature(signature: huge, manifest: manifest.bytes, at: Teams.now)
        }
    }

    @Test func expiredCertificateIsRefused() throws {
        let manifest = try BundleManifest.sample()
        let end = Teams.notes.team.validUntil
        _ = try BundleSignature.of(manifest, by: Teams.notes, at: end.advanced(by: .seconds(-1)))
        #expect(throws: SignatureRejection.certificateExpired) {
            try BundleSignature.of(manifest, by: Teams.notes, at: end.advanced(by: .seconds(1)))
        }
        #expect(throws: SignatureRejection.certificateNotYetValid) {
            try BundleSignature.of(
                manifest, by: Teams.notes, at: Teams.notes.team.validFrom.advanced(by: .seconds(-1)))
        }
    }

    // Shows X10.
    @Test func entitlementsOfAnotherTeamAreRefused() throws {
        let manifest = try BundleManifest.sample(team: "OTHER12345")
        #expect(throws: SignatureRejection.manifest(ManifestRejection(.badEntitlement, ""))) {
            try BundleSignature.of(manifest, by: Teams.notes)
        }
    }

    @Test func manifestBeyondItsLimitIsRefusedUnread() throws {
        let signature = try BundleManifest.sample().signed(by: Teams.notes, at: Teams.now)
        let huge = [UInt8](repeating: 10, count: BundleLimits.manifestBytes + 1)
        #expect(throws: SignatureRejection.manifest(ManifestRejection(.limitReached, ""))) {
            try BundleSignature(signature: signature, manifest: huge, at: Teams.now)
        }
    }
}
