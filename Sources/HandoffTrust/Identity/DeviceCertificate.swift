// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import SwiftASN1
internal import X509

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Self-signed. Its name and dates mean nothing.
package struct DeviceCertificate: Hashable, Sendable {
    package let der: [UInt8]
    package let publicKey: DevicePublicKey

    package init(der: [UInt8]) throws(KeyRejection) {
        publicKey = try DevicePublicKey(certificate: der)
        self.der = der
    }

    /// From 1970 to "no expiration" (RFC 5280, section 4.1.2.5).
    package init(selfSignedBy key: DeviceKey) {
        do {
            let name = try DistinguishedName { CommonName("handoff") }
            let certificate = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.key.publicKey),
                notValidBefore: Date(timeIntervalSince1970: 0), notValidAfter: Self.noExpiration,
                issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                },
                issuerPrivateKey: .init(key.key))
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            der = serializer.serializedBytes
            publicKey = key.publicKey
        } catch {
            preconditionFailure("a P-256 key signs a certificate without a subject from outside: \(error)")
        }
    }

    /// 9999-12-31 23:59:59.
    private static let noExpiration = Date(timeIntervalSince1970: 253_402_300_799)
}
