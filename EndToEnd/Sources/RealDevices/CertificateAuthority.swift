// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Signs certificates of web sites. openssl makes its root and certificates, with P-256.
package struct CertificateAuthority: Sendable {
    /// A certificate and its owner's key, both in PEM.
    package struct Credentials: Sendable {
        package let certificate: URL
        package let key: URL

        fileprivate init(_ name: String, in folder: URL) {
            certificate = folder.appending(path: "\(name).pem")
            key = folder.appending(path: "\(name).key")
        }
    }

    private let folder: URL
    private let root: Credentials

    package init(_ name: String, in folder: URL) throws {
        self.folder = folder
        root = Credentials("root", in: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try openssl(
            ["req", "-x509", "-days", "30", "-subj", "/CN=\(name)", "-out", root.certificate.path], newKey: root)
    }

    /// For the root lists of those who trust it.
    package var certificate: Data { get throws { try Data(contentsOf: root.certificate) } }

    /// For a server of this name. `days` below zero: expired.
    package func credentials(for host: String, days: Int = 30) throws -> Credentials {
        let made = Credentials(days < 0 ? "\(host)-over" : host, in: folder)
        let (request, purpose) = (folder.appending(path: "\(host).csr"), folder.appending(path: "\(host).ext"))
        try openssl(["req", "-new", "-subj", "/CN=\(host)", "-out", request.path], newKey: made)
        let extensions = [
            "subjectAltName = DNS:\(host)", "basicConstraints = critical, CA:FALSE",
            "keyUsage = critical, digitalSignature", "extendedKeyUsage = serverAuth",
        ]
        try Data(extensions.map { "\($0)\n" }.joined().utf8).write(to: purpose)
        try openssl([
            "x509", "-req", "-in", request.path, "-CA", root.certificate.path, "-CAkey", root.key.path,
            "-CAcreateserial", "-days", "\(days)", "-extfile", purpose.path, "-out", made.certificate.path,
        ])
        return made
    }

    /// Signs a site's file as the site's owner does.
    package func signed(_ file: Data, by signer: Credentials) throws -> Data {
        let (plain, signed) = (folder.appending(path: "plain"), folder.appending(path: "signed"))
        try file.write(to: plain)
        try openssl([
            "smime", "-sign", "-nodetach", "-outform", "DER", "-signer", signer.certificate.path, "-inkey",
            signer.key.path, "-in", plain.path, "-out", signed.path,
        ])
        return try Data(contentsOf: signed)
    }

    private func openssl(_ arguments: [String], newKey owner: Credentials) throws {
        try openssl(
            arguments + [
                "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", owner.key.path,
            ])
    }

    private func openssl(_ arguments: [String]) throws {
        let ended = try RunningProgram.run(["openssl"] + arguments)
        guard ended.code == 0 else { throw Unmet("openssl \(arguments[0]): \(ended.errors)") }
    }
}
