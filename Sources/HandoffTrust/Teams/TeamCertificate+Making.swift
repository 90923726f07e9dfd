// SPDX-License-Identifier: Apache-2.0

internal import Crypto
package import HandoffWire
internal import SwiftASN1
internal import X509

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension TeamKey {
    /// Long, because every signature expires with it.
    static let validity = Duration.seconds(20 * 365 * 86_400)
    /// Other machines' clocks may be behind.
    static let slack = Duration.seconds(86_400)

    /// Throws `.noName`.
    package static func create(name: DisplayText, id: TeamID, at time: WallTime) throws(TeamRejection) -> TeamKey {
        guard !name.isEmpty else { throw .noName }
        let key = P256.Signing.PrivateKey()
        let certificate = try TeamCertificate(
            der: selfSigned(
                by: key, name: name, id: id, from: time.advanced(by: .zero - slack), to: time.advanced(by: validity)))
        return TeamKey(unchecked: key, certificates: [certificate.der], team: certificate)
    }

    /// The team may certify developers, who may not certify others.
    private static func selfSigned(
        by key: P256.Signing.PrivateKey, name: DisplayText, id: TeamID, from: WallTime, to: WallTime
    ) -> [UInt8] {
        do {
            let subject = try DistinguishedName {
                OrganizationalUnitName(id.name)
                CommonName(String(name.text.unicodeScalars.prefix(Limits.nameCharacters)))
            }
            let publicKey = Certificate.PublicKey(key.publicKey)
            let certificate = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
                notValidBefore: Date(from), notValidAfter: Date(to), issuer: subject, subject: subject,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                    Critical(KeyUsage(digitalSignature: true, keyCertSign: true))
                    SubjectKeyIdentifier(hash: publicKey)
                },
                issuerPrivateKey: .init(key))
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return serializer.serializedBytes
        } catch {
            preconditionFailure("a P-256 key signs a certificate of a checked name: \(error)")
        }
    }
}

extension Date {
    fileprivate init(_ time: WallTime) { self.init(timeIntervalSince1970: Double(time.seconds)) }
}
