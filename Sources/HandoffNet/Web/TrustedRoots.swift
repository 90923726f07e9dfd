// SPDX-License-Identifier: Apache-2.0

internal import NIOSSL

/// The certificates by which this system knows web sites, for what they signed outside of TLS.
package enum TrustedRoots {
    /// Where distributions keep them, all in one file: Debian and those like it, Fedora and those like it, SUSE.
    private static let files = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    ]

    /// In DER; none where none can be read, so nothing that is signed counts. A few milliseconds for the usual hundreds.
    package static func certificates() -> [[UInt8]] { certificates(in: files) }

    /// Of the first of these files that can be read.
    static func certificates(in files: [String]) -> [[UInt8]] {
        for file in files {
            guard let found = try? NIOSSLCertificate.fromPEMFile(file) else { continue }
            return found.compactMap { try? $0.toDERBytes() }
        }
        return []
    }
}
