// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Verified. Does not decide whether the team is trusted; `BundleManifest.differences` compares the bundle itself.
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
