// SPDX-License-Identifier: Apache-2.0

internal import NIOSSL

/// The system's, to verify signatures outside TLS.
package enum TrustedRoots {
    /// Debian, Fedora and their derivatives, SUSE.
    private static let files = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    ]

    /// In DER. Empty if unreadable, so that every signature is rejected. Takes a few milliseconds.
    package static func certificates() -> [[UInt8]] { certificates(in: files) }

    static func certificates(in files: [String]) -> [[UInt8]] {
        for file in files {
            guard let found = try? NIOSSLCertificate.fromPEMFile(file) else { continue }
            return found.compactMap { try? $0.toDERBytes() }
        }
        return []
    }
}
