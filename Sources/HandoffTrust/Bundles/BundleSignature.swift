// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Verified, but the team may be untrusted and the bundle changed.
package struct BundleSignature: Hashable, Sendable {
    package let manifest: BundleManifest
    package let team: TeamCertificate
    /// Not proved.
    package let signedAt: WallTime

    package var teamID: TeamID { team.id }
    package var teamName: DisplayText { team.name }
    package var fingerprint: TeamFingerprint { team.fingerprint }

    /// `signature`: CMS in DER. `time`: now.
    package init(signature: [UInt8], manifest bytes: [UInt8], at time: WallTime) throws(SignatureRejection) {
        guard bytes.count <= BundleLimits.manifestBytes else {
            throw .manifest(ManifestRejection(.limitReached, "it is larger than \(BundleLimits.manifestBytes) bytes"))
        }
        // Verified before anything is parsed.
        let signer = try CMSSignature.check(signature, over: bytes, at: time)
        team = signer.team
        signedAt = signer.signedAt
        do throws(ManifestRejection) {
            manifest = try BundleManifest(bytes: bytes)
        } catch {
            throw .manifest(error)
        }
        if let named = manifest.entitlements.team, named != team.id {
            throw .manifest(
                ManifestRejection(
                    .badEntitlement, "its entitlements name team \(named), and team \(team.id) signed it"))
        }
    }
}

extension BundleManifest {
    /// CMS in DER. Throws `.internal` if libcrypto fails.
    package func signed(by key: TeamKey, at time: WallTime) throws(Failure) -> [UInt8] {
        do throws(OpenSSLError) {
            return try CMSSignature.make(over: bytes, by: key, at: time)
        } catch {
            throw Failure(.internal, "libcrypto cannot sign: \(error.reason)")
        }
    }
}

package enum SignatureRejection: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLarge
    case notCMS
    /// The manifest must be beside the signature.
    case notDetached
    case notOneSigner(count: Int)
    case tooManyCertificates(count: Int)
    case noSignerCertificate
    case weakDigest
    case notP256
    case notECDSA
    case mayNotSign
    case leafWithoutChain
    case developerOfAnotherTeam
    case certificateExpired
    case certificateNotYetValid
    case certificateBroken(String)
    case certificate(TeamRejection)
    case noSigningTime
    case doesNotMatch
    case manifest(ManifestRejection)

    package var description: String {
        switch self {
        case .tooLarge: "the signature is larger than \(BundleLimits.signatureBytes) bytes"
        case .notCMS: "the signature is not CMS SignedData"
        case .notDetached: "the signature contains the data that it signs; it must be detached"
        case .notOneSigner(let count): "the signature has \(count) signers, not one"
        case .tooManyCertificates(let count):
            "the signature holds \(count) certificates; the limit is \(BundleLimits.certificates)"
        case .noSignerCertificate: "the signature does not contain its signer's certificate"
        case .weakDigest: "the signature's digest is neither SHA-256, SHA-384 nor SHA-512"
        case .notP256: "the signer's key is not a P-256 key"
        case .notECDSA: "the signature is not ECDSA with the digest that it names"
        case .mayNotSign: "the signer's key may not be used for signatures"
        case .leafWithoutChain:
            "the signer's certificate was issued by another one, and that team certificate is not in the signature"
        case .developerOfAnotherTeam: "the signer's certificate names a different Team ID from the team that issued it"
        case .certificateExpired: "the signer's certificate has expired"
        case .certificateNotYetValid: "the signer's certificate is not valid yet; is the clock right?"
        case .certificateBroken(let reason): "the signer's certificate is not valid: \(reason)"
        case .certificate(let rejection): "the team's certificate cannot be used: \(rejection)"
        case .noSigningTime: "the signature does not say when it was made"
        case .doesNotMatch: "the signature is for another manifest"
        case .manifest(let rejection): "the manifest cannot be used: \(rejection)"
        }
    }
}
