// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import SwiftASN1
import X509

struct SiteAuthority {
    struct Identity {
        let certificate: NIOSSLCertificate
        let key: NIOSSLPrivateKey

        /// A TLS listener on 127.0.0.1 as this site; without an identity, plain TCP.
        static func listen(
            as identity: Identity?, _ prepare: @escaping @Sendable (any Channel) throws -> Void
        ) async throws -> any Channel {
            let context = try identity.map { identity in
                try NIOSSLContext(
                    configuration: .makeServerConfiguration(
                        certificateChain: [.certificate(identity.certificate)], privateKey: .privateKey(identity.key)))
            }
            return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let context {
                            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                        }
                        try prepare(channel)
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
        }
    }

    private let key = P256.Signing.PrivateKey()
    private let name: DistinguishedName
    /// DER.
    let root: [UInt8]

    init(_ name: String = "Town Hall") throws {
        self.name = try DistinguishedName { CommonName(name) }
        root = try Self.certificate(
            of: key.publicKey, named: self.name, by: key, named: self.name, from: .longAgo, until: .someDay,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true))
            })
    }

    func identity(of host: String, until end: Date = .someDay) throws -> Identity {
        let siteKey = P256.Signing.PrivateKey()
        let der = try Self.certificate(
            of: siteKey.publicKey, named: try DistinguishedName { CommonName(host) }, by: key, named: name,
            from: .longAgo, until: end,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                SubjectAlternativeNames([.dnsName(host)])
            })
        return Identity(
            certificate: try NIOSSLCertificate(bytes: der, format: .der),
            key: try NIOSSLPrivateKey(bytes: Array(siteKey.derRepresentation), format: .der))
    }

    private static func certificate(
        of key: P256.Signing.PublicKey, named subject: DistinguishedName, by issuerKey: P256.Signing.PrivateKey,
        named issuer: DistinguishedName, from start: Date, until end: Date, extensions: Certificate.Extensions
    ) throws -> [UInt8] {
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key), notValidBefore: start,
            notValidAfter: end, issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions, issuerPrivateKey: .init(issuerKey))
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}

extension Date {
    /// A certificate's years range from 1950 to 9999.
    static let longAgo = Date(timeIntervalSince1970: 0)
    static let someDay = Date(timeIntervalSince1970: 253_402_300_799)
    static let lastYear = Date(timeIntervalSinceNow: -365 * 86400)
}
