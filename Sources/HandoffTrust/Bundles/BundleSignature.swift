// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// A bundle's manifest, and the team that signed it. Made only by checking a signature. Whether the team is one to trust
/// is for others to say, and whether the bundle is what the manifest lists for `BundleManifest.differences`.
package struct BundleSignature: Hashable, Sendable {
    package let manifest: BundleManifest
    package let team: TeamCertificate
    /// As the signer says. Nothing proves it.
    package let signedAt: WallTime

    package var teamID: TeamID { team.id }
    package var teamName: DisplayText { team.name }
    package var fingerprint: TeamFingerprint { team.fingerprint }

    /// `signature` is CMS in DER, `manifest` the bytes that it is over; `time` is now, for the certificates' dates.
    package init(signature: [UInt8], manifest bytes: [UInt8], at time: WallTime) throws(SignatureRejection) {
        guard bytes.count <= BundleLimits.manifestBytes else {
            throw .manifest(ManifestRejection(.limitReached, "it is larger than \(BundleLimits.manifestBytes) bytes"))
        }
        // Nothing of the manifest is looked at before it is known to be the signer's.
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
    /// CMS in DER over `bytes`. Throws `.internal` where libcrypto does not go on.
    package func signed(by key: TeamKey, at time: WallTime) throws(Failure) -> [UInt8] {
        do throws(OpenSSLError) {
            return try CMSSignature.make(over: bytes, by: key, at: time)
        } catch {
            throw Failure(.internal, "libcrypto cannot sign: \(error.reason)")
        }
    }
}
