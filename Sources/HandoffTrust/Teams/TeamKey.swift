// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire
internal import SwiftASN1

/// May sign apps for a team. The certificate is the team's own, or a developer's together with the team's.
package struct TeamKey: Sendable, CustomStringConvertible {
    package let team: TeamCertificate
    /// The signer's first, DER.
    let certificates: [[UInt8]]
    private let key: P256.Signing.PrivateKey

    init(unchecked key: P256.Signing.PrivateKey, certificates: [[UInt8]], team: TeamCertificate) {
        self.key = key
        self.certificates = certificates
        self.team = team
    }

    /// `key` is PKCS #8.
    init(key der: [UInt8], certificates: [[UInt8]]) throws(TeamKeyFile.Damage) {
        let key: P256.Signing.PrivateKey
        do { key = try P256.Signing.PrivateKey(derRepresentation: der) } catch { throw .notAKey }
        guard let first = certificates.first, let last = certificates.last, certificates.count <= 2 else {
            throw .blocks
        }
        do throws(TeamRejection) { team = try TeamCertificate(der: last) } catch { throw .certificate(error) }
        guard let own = OpenSSLCertificate(der: first) else { throw .certificate(.notACertificate) }
        guard own.p256Key == Array(key.publicKey.derRepresentation) else { throw .certificateOfAnotherKey }
        self.key = key
        self.certificates = certificates
    }

    package var id: TeamID { team.id }

    /// PKCS #8. Secret.
    var der: [UInt8] { Array(key.derRepresentation) }

    /// Hides the key.
    package var description: String { "key of team \(team.id)" }
}
