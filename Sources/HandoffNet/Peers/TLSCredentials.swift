// SPDX-License-Identifier: Apache-2.0

internal import HandoffTrust
internal import HandoffWire
internal import NIOCore
internal import NIOSSL

/// This device's key and certificate as NIOSSL wants them: TLS 1.3 and nothing older, both sides authenticated.
///
/// What counts is the key, compared in `TLSHandshake`; nobody has signed these certificates, and no root is trusted.
struct TLSCredentials {
    private let server: NIOSSLContext
    private let clients: [ConnectionPurpose: NIOSSLContext]

    init(key: DeviceKey, certificate: DeviceCertificate) throws {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: certificate.der, format: .der))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key.der, format: .der)))
        configuration.minimumTLSVersion = .tlsv13
        // Makes the server ask for a certificate too. Our own callback replaces the verification itself.
        configuration.certificateVerification = .noHostnameVerification
        // Else the system's few hundred roots are read into memory, for nothing.
        configuration.trustRoots = .certificates([])
        configuration.shutdownTimeout = .seconds(1)
        configuration.applicationProtocols = ConnectionPurpose.allCases.map(\.rawValue)
        server = try NIOSSLContext(configuration: configuration)

        var clients: [ConnectionPurpose: NIOSSLContext] = [:]
        for purpose in ConnectionPurpose.allCases {
            configuration.applicationProtocols = [purpose.rawValue]
            clients[purpose] = try NIOSSLContext(configuration: configuration)
        }
        self.clients = clients
    }

    func acceptingHandler(_ verify: @escaping NIOSSLCustomVerificationCallback) -> NIOSSLServerHandler {
        NIOSSLServerHandler(context: server, customVerificationCallback: verify)
    }

    func diallingHandler(
        _ purpose: ConnectionPurpose, _ verify: @escaping NIOSSLCustomVerificationCallback
    ) throws -> NIOSSLClientHandler {
        // Every purpose has a context: they were made from all cases.
        try NIOSSLClientHandler(context: clients[purpose]!, serverHostname: nil, customVerificationCallback: verify)
    }
}
