// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import Crypto
package import HandoffWire
internal import SwiftASN1

package enum TeamRejection: Error, Hashable, Sendable, CustomStringConvertible {
    case notACertificate
    case tooLarge
    case notP256
    /// A developer's.
    case notSelfSigned
    case noTeamID
    case notATeamID
    case noName
    case mayNotSign

    package var description: String {
        switch self {
        case .notACertificate: "it is not an X.509 certificate"
        case .tooLarge: "it is larger than \(TeamCertificate.bytes) bytes"
        case .notP256: "its key is not a P-256 key"
        case .notSelfSigned: "it is not signed by its own key, so it is not a team's certificate"
        case .noTeamID: "its subject has no OU, or several; the OU is the Team ID"
        case .notATeamID: "the OU of its subject is not a Team ID, ten of A-Z and 0-9"
        case .noName: "its subject has no CN, or several; the CN is the name of the team"
        case .mayNotSign: "its key may not be used for signatures"
        }
    }
}

/// P-256, self-signed, with the Team ID as OU and the name as CN. Its key signs apps and certifies developers.
package struct TeamCertificate: Hashable, Sendable {
    /// DER or PEM.
    package static let bytes = 8 * 1024

    package let der: [UInt8]
    package let id: TeamID
    package let name: DisplayText
    /// SHA-256 of the SubjectPublicKeyInfo.
    package let fingerprint: TeamFingerprint
    let validFrom: WallTime
    package let validUntil: WallTime
    let spki: [UInt8]

    package init(der: [UInt8]) throws(TeamRejection) {
        guard der.count <= Self.bytes else { throw .tooLarge }
        guard let certificate = OpenSSLCertificate(der: der) else { throw .notACertificate }
        try self.init(certificate, der: der)
    }

    /// One PEM block, as `pem` writes it.
    package init(pem: [UInt8]) throws(TeamRejection) {
        guard pem.count <= Self.bytes else { throw .tooLarge }
        guard let text = String(validating: pem, as: UTF8.self),
            let document = try? PEMDocument(pemString: text), document.discriminator == Self.pemBlock
        else { throw .notACertificate }
        try self.init(der: document.derBytes)
    }

    init(_ certificate: borrowing OpenSSLCertificate, der: [UInt8]) throws(TeamRejection) {
        guard let spki = certificate.p256Key else { throw .notP256 }
        guard certificate.isSelfSigned else { throw .notSelfSigned }
        guard certificate.maySign else { throw .mayNotSign }
        guard let from = certificate.validFrom, let until = certificate.validUntil else { throw .notACertificate }
        id = try certificate.teamID
        let name = DisplayText(
            cleaning: certificate.subjectText(NID_commonName) ?? "", limit: Limits.nameCharacters)
        guard !name.isEmpty else { throw .noName }
        self.name = name
        self.der = der
        self.spki = spki
        fingerprint = TeamFingerprint(uncheckedBytes: Array(SHA256.hash(data: spki)))
        validFrom = from
        validUntil = until
    }

    package var pem: String { PEMDocument(type: Self.pemBlock, derBytes: der).pemString + "\n" }

    static let pemBlock = "CERTIFICATE"
}

extension OpenSSLCertificate {
    var teamID: TeamID {
        get throws(TeamRejection) {
            guard let text = subjectText(NID_organizationalUnitName) else { throw .noTeamID }
            do throws(WireError) { return try TeamID(text) } catch { throw .notATeamID }
        }
    }
}

extension TeamID {
    package static func fresh() -> TeamID {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        let text = String((0..<10).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] })
        do throws(WireError) {
            return try TeamID(text)
        } catch {
            preconditionFailure("ten of A-Z and 0-9 are a Team ID: \(error)")
        }
    }
}
