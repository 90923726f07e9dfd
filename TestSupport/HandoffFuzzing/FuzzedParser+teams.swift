// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffTrust
package import HandoffWire

extension FuzzedParser {
    /// Proofs of an app's team.
    static let teams = [manifest, signature, teamCertificate, teamKeyFile]

    private static let manifest = FuzzedParser("manifest") { bytes in
        let verdict = try roundTrip(bytes, parse: { try BundleManifest(bytes: $0) }, write: \.bytes)
        guard verdict == .taken else { return .refused }
        let manifest = try BundleManifest(bytes: bytes)
        try promise(manifest.bytes == bytes, "a manifest with two encodings")
        for entry in manifest.entries {
            let parts = entry.path.text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            let climbs = parts.contains { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
            try promise(!climbs, "the path \(entry.path) leads out of the bundle")
            try promise(manifest.content(at: entry.path) == entry.content, "\(entry.path) is not found again")
            guard case .link(let target) = entry.content else { continue }
            try promise(staysInside(target, from: parts.count - 1), "\(entry.path) points out of the bundle: \(target)")
        }
        return .taken
    }

    /// A signature over a constant manifest.
    private static let signature = FuzzedParser("signature") { bytes in
        let signed = try? BundleSignature(
            signature: bytes, manifest: FuzzedBundle.manifest.bytes, at: FuzzedBundle.time)
        guard let signed else { return .refused }
        try promise(signed.manifest == FuzzedBundle.manifest, "another manifest came out")
        let team = try? TeamCertificate(der: signed.team.der)
        try promise(team == signed.team, "a team whose certificate is not read again")
        var other = FuzzedBundle.manifest.bytes
        other[other.count - 2] ^= 1
        let forged = try? BundleSignature(signature: bytes, manifest: other, at: FuzzedBundle.time)
        try promise(forged == nil, "a signature over two manifests")
        return .taken
    }

    /// The first byte selects DER or PEM.
    private static let teamCertificate = FuzzedParser("team-certificate") { bytes in
        let text = Array(bytes.dropFirst())
        let isPEM = (bytes.first ?? 0) % 2 == 1
        let certificate = try? isPEM ? TeamCertificate(pem: text) : TeamCertificate(der: text)
        guard let certificate else { return .refused }
        try promise(isPEM || certificate.der == text, "something is behind the certificate")
        let again = try? TeamCertificate(pem: Array(certificate.pem.utf8))
        try promise(again == certificate, "another certificate was read back")
        try promise(!certificate.name.isEmpty, "a team without a name")
        return .taken
    }

    private static let teamKeyFile = FuzzedParser("team-key-file") { bytes in
        guard let file = try? TeamKeyFile(bytes: bytes) else { return .refused }
        // A passphrase would take its time by design.
        guard !file.isEncrypted, let key = try? file.unlock() else { return .taken }
        let again = try TeamKeyFile(bytes: try TeamKeyFile.bytes(of: key, passphrase: nil))
        try promise(again.team == file.team && key.team == file.team, "a key of another team was read back")
        return .taken
    }

    /// `depth`: folders below the bundle's. Treats no folder as a link.
    private static func staysInside(_ target: String, from depth: Int) -> Bool {
        guard !target.hasPrefix("/") else { return false }
        var depth = depth
        for part in target.utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
            depth += part.elementsEqual("..".utf8) ? -1 : 1
            if depth < 0 { return false }
        }
        return true
    }
}

/// The bundle for untrusted signatures.
package enum FuzzedBundle {
    /// In 2027, while the certificates of the kept signatures are valid.
    package static let time = WallTime(milliseconds: 1_800_000_000_000)

    package static let manifest: BundleManifest = {
        let text = """
            handoff-manifest/1
            bundle\tcom.example.notes
            version\t1.0
            entitlement\tcom.apple.developer.associated-domains\tactivitycontinuation:example.com
            file\t644\t5\t\(String(repeating: "0a", count: 32))\tContents/Info.plist
            file\t755\t10\t\(String(repeating: "b1", count: 32))\tContents/Linux/Notes
            link\tContents/Linux/notes-link\tNotes
            folder\tContents/Resources

            """
        do { return try BundleManifest(bytes: Array(text.utf8)) } catch { fatalError("no manifest: \(error)") }
    }()
}

func environment(_ variable: String) -> String? { getenv(variable).map { String(cString: $0) } }
