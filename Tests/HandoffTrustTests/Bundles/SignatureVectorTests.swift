// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import HandoffTrust

/// `Protocol/vectors/bundle-signatures.json`: certificates and signatures by `openssl`, some valid and some not.
// Shows T07.
@Suite struct SignatureVectorTests {
    struct Vector: Decodable {
        struct Signature: Decodable {
            var name, signature: String
            var refusedFor: String?
        }

        var manifest, teamID, teamName, teamCertificate, fingerprint: String
        var time: Int64
        var signatures: [Signature]

        func check(_ name: String, at time: WallTime? = nil) throws -> BundleSignature {
            let signature = try #require(signatures.first { $0.name == name })
            return try BundleSignature(
                signature: try #require([UInt8](hexadecimal: signature.signature)), manifest: Array(manifest.utf8),
                at: time ?? WallTime(milliseconds: self.time))
        }
    }

    let vector: Vector

    init() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Protocol/vectors/bundle-signatures.json")
        vector = try JSONDecoder().decode(Vector.self, from: Data(contentsOf: url))
    }

    // Shows T06.
    @Test(arguments: ["sha256", "sha384", "sha512", "smime", "leafWithChain"])
    func signaturesOfOpenSSLCount(name: String) throws {
        let signature = try vector.check(name)
        #expect(signature.teamID.name == vector.teamID)
        #expect(signature.teamName.text == vector.teamName)
        #expect(signature.team.der.hexadecimal == vector.teamCertificate)
        #expect(signature.fingerprint.hex == vector.fingerprint)
        #expect(signature.signedAt < WallTime(milliseconds: vector.time))
        #expect(signature.manifest.bytes == Array(vector.manifest.utf8))
    }

    @Test(arguments: [
        ("sha1", SignatureRejection.weakDigest), ("attached", .notDetached), ("stream", .notDetached),
        ("withoutAttributes", .noSigningTime), ("withoutCertificate", .noSignerCertificate),
        ("twoSigners", .notOneSigner(count: 2)), ("rsa", .notECDSA), ("p384", .notP256),
        ("withoutTeamID", .certificate(.noTeamID)), ("notATeamID", .certificate(.notATeamID)),
        ("keyForOtherUse", .mayNotSign), ("leafWithoutChain", .leafWithoutChain),
        ("leafWithTheWrongChain", .leafWithoutChain), ("leafOfAnotherTeam", .developerOfAnotherTeam),
        ("tooManyCertificates", .tooManyCertificates(count: 3)), ("anotherManifest", .doesNotMatch),
        ("notSigned", .notCMS),
    ])
    func invalidSignatureIsRejectedByName(name: String, rejection: SignatureRejection) {
        #expect(throws: rejection) { try vector.check(name) }
    }

    @Test(arguments: ["leafOfWhoMayNotIssue", "leafIssuedWithSHA1"])
    func brokenChainsAreRefusedWithAReason(name: String) {
        #expect {
            _ = try vector.check(name)
        } throws: { error in
            if case .leafWithoutChain = error as? SignatureRejection { return true }
            if case .certificateBroken(let reason) = error as? SignatureRejection { return !reason.isEmpty }
            return false
        }
    }

    @Test func aDevelopersCertificateExpiresToo() {
        #expect(throws: SignatureRejection.certificateExpired) {
            try vector.check("leafWithChain", at: WallTime(milliseconds: vector.time + 200 * 365 * 86_400_000))
        }
    }

    @Test func everyVectorIsLookedAt() {
        #expect(vector.signatures.filter { $0.refusedFor == nil }.count == 5)
        #expect(vector.signatures.filter { $0.refusedFor != nil }.count == 19)
    }
}
