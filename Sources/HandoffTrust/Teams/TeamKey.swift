// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire
internal import SwiftASN1

/// Who may sign apps for a team: a private key and the certificate of that key. The certificate is the team's own, or
/// one that the team issued to a developer, and then the team's comes with it.
package struct TeamKey: Sendable, CustomStringConvertible {
    package let team: TeamCertificate
    /// The signer's own first; the team's last. One or two, DER.
    let certificates: [[UInt8]]
    private let key: P256.Signing.PrivateKey

    init(unchecked key: P256.Signing.PrivateKey, certificates: [[UInt8]], team: TeamCertificate) {
        self.key = key
        self.certificates = certificates
        self.team = team
    }

    /// `key` is PKCS #8. Throws what is wrong with the three together.
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

    /// PKCS #8. A secret.
    var der: [UInt8] { Array(key.derRepresentation) }

    /// Never the key.
    package var description: String { "key of team \(team.id)" }
}
