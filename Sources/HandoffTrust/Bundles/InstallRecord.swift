// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// A bundle's verification at installation, which a start need not repeat.
package struct InstallRecord: Hashable, Sendable {
    package enum Signer: Hashable, Sendable {
        case team(TeamCertificate)
        /// Unsigned.
        case development
    }

    package let bundle: BundleID
    package let signer: Signer
    /// `Contents/_Signature/manifest`, which lists everything else; under development the installer writes it.
    package let manifest: FileDigest
    package let info: FileDigest
    /// A link is followed.
    package let executable: FileDigest
    package let installed: WallTime

    package init(
        bundle: BundleID, signer: Signer, manifest: FileDigest, info: FileDigest, executable: FileDigest,
        installed: WallTime
    ) {
        self.bundle = bundle
        self.signer = signer
        self.manifest = manifest
        self.info = info
        self.executable = executable
        self.installed = installed
    }
}

/// In a file of lines:
///
///     handoff-installs/1
///     BUNDLE MANIFEST INFO EXECUTABLE TIME CERTIFICATE
///     SHA-256 of all lines before
///
/// Digests and the DER certificate (`-` if missing) are hexadecimal, times milliseconds since 1970. Never sent.
package struct InstallRecords: Hashable, Sendable {
    /// Two while one version replaces another.
    package private(set) var records: [InstallRecord] = []

    package init() {}

    package func record(of bundle: BundleID, manifest: FileDigest) -> InstallRecord? {
        records.first { $0.bundle == bundle && $0.manifest == manifest }
    }

    package mutating func add(_ record: InstallRecord) {
        records.removeAll { $0.bundle == record.bundle && $0.manifest == record.manifest }
        records.append(record)
    }

    package mutating func remove(_ bundle: BundleID, except manifest: FileDigest? = nil) {
        records.removeAll { $0.bundle == bundle && $0.manifest != manifest }
    }
}

extension InstallRecords {
    package enum Damage: String, Error, Hashable, Sendable {
        case notRecords = "it is not a list of installed apps of this version"
        case checksum = "its checksum does not match"
        case line = "a line of it cannot be read"
    }

    package var encoded: [UInt8] {
        let body = Array(([Self.heading] + records.map(\.line)).map { $0 + "\n" }.joined().utf8)
        return body + Array((FileDigest(of: body).hex + "\n").utf8)
    }

    package init(bytes: [UInt8]) throws(Damage) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard lines.count >= 2, lines.first?.elementsEqual(Self.heading.utf8) == true, let sum = lines.popLast() else {
            throw .notRecords
        }
        guard sum.elementsEqual(FileDigest(of: Array(bytes[..<sum.startIndex])).hex.utf8) else { throw .checksum }
        for line in lines.dropFirst() {
            guard let record = InstallRecord(line: String(decoding: line, as: UTF8.self)) else { throw .line }
            add(record)
        }
    }

    private static let heading = "handoff-installs/1"
}

extension InstallRecord {
    fileprivate var line: String {
        let certificate =
            switch signer {
            case .team(let certificate): certificate.der.hexadecimal
            case .development: "-"
            }
        return [bundle.name, manifest.hex, info.hex, executable.hex, "\(installed.milliseconds)", certificate]
            .joined(separator: " ")
    }

    fileprivate init?(line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 6, let bundle = try? BundleID(words[0]), let manifest = try? FileDigest(hex: words[1]),
            let info = try? FileDigest(hex: words[2]), let executable = try? FileDigest(hex: words[3]),
            let time = Int64(words[4]), let signer = Signer(word: words[5])
        else { return nil }
        self.init(
            bundle: bundle, signer: signer, manifest: manifest, info: info, executable: executable,
            installed: WallTime(milliseconds: time))
    }
}

extension InstallRecord.Signer {
    fileprivate init?(word: String) {
        if word == "-" {
            self = .development
            return
        }
        guard let der = [UInt8](hexadecimal: word), let certificate = try? TeamCertificate(der: der) else { return nil }
        self = .team(certificate)
    }
}
