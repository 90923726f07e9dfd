// SPDX-License-Identifier: Apache-2.0

internal import HandoffTrust
internal import HandoffWire
internal import NIOCore
internal import NIOSSL

/// TLS 1.3 only, both sides authenticated. `TLSHandshake` compares the keys: certificates are self-issued, and no root
/// is trusted.
struct TLSCredentials {
    private let server: NIOSSLContext
    private let clients: [ConnectionPurpose: NIOSSLContext]

    init(key: DeviceKey, certificate: DeviceCertificate) throws {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: certificate.der, format: .der))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key.der, format: .der)))
        configuration.minimumTLSVersion = .tlsv13
        // Makes the server request a certificate. Our own callback replaces the verification.
        configuration.certificateVerification = .noHostnameVerification
        // Otherwise the system's few hundred roots are loaded.
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
        try NIOSSLClientHandler(context: clients[purpose]!, serverHostname: nil, customVerificationCallback: verify)
    }
}
