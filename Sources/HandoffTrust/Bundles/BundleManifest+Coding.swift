// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// Format: docs/bundles.md.
extension BundleManifest {
    private static let heading = "handoff-manifest/"
    private static let version1 = "handoff-manifest/1"

    package var bytes: [UInt8] {
        var lines = [Self.version1, "bundle\t\(bundle)", "version\t\(version)"]
        lines += entitlements.pairs.map { "entitlement\t\($0.key.rawValue)\t\($0.value)" }
        lines += entries.map(\.line)
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Accepts only the canonical encoding.
    package init(bytes: [UInt8]) throws(ManifestRejection) {
        guard bytes.count <= BundleLimits.manifestBytes else {
            throw ManifestRejection(
                .limitReached, "the manifest is larger than \(BundleLimits.manifestBytes) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self), text.utf8.last == UInt8(ascii: "\n") else {
            throw ManifestRejection(.notAManifest, "the manifest is not text in UTF-8 that ends with a line feed")
        }
        var lines = ManifestLines(text)
        try Self.checkHeading(try lines.next())
        let bundle = try lines.bundle()
        let version = try lines.value(of: "version")
        let entitlements = try lines.entitlements()
        try self.init(bundle: bundle, version: version, entitlements: entitlements, entries: try lines.entries())
        guard self.bytes == bytes else {
            throw ManifestRejection(.notCanonical, "the manifest is not in canonical form")
        }
    }

    /// For a manifest that was checked at installation.
    package static func entitlements(ofRead bytes: [UInt8]) throws(ManifestRejection) -> BundleEntitlements {
        let head = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: 3 + BundleLimits.entitlements, omittingEmptySubsequences: false
        ).dropLast()
        var lines = ManifestLines(head.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined())
        try checkHeading(try lines.next())
        _ = try lines.bundle()
        _ = try lines.value(of: "version")
        return try lines.entitlements()
    }

    private static func checkHeading(_ line: Substring) throws(ManifestRejection) {
        if line.utf8.elementsEqual(version1.utf8) { return }
        guard line.hasPrefix(heading) else { throw ManifestRejection(.notAManifest, "it is not a manifest") }
        throw ManifestRejection(.unknownVersion, "the manifest has an unknown version: \(line)")
    }
}

extension BundleManifest.Entry {
    fileprivate var line: String {
        switch content {
        case .file(let isExecutable, let size, let digest):
            "file\t\(isExecutable ? "755" : "644")\t\(size)\t\(digest.hex)\t\(path)"
        case .emptyFolder: "folder\t\(path)"
        case .link(let target): "link\t\(path)\t\(target)"
        }
    }
}

private struct ManifestLines {
    private let lines: [Substring.UTF8View]
    private var index = 0

    /// `text` ends with a line feed.
    init(_ text: String) {
        lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map { $0 }
    }

    mutating func next() throws(ManifestRejection) -> Substring {
        guard index < lines.count else { throw ManifestRejection(.notAManifest, "the manifest ends too early") }
        defer { index += 1 }
        return Substring(lines[index])
    }

    mutating func value(of key: String) throws(ManifestRejection) -> String {
        let fields = fields(try next())
        guard fields.count == 2, fields[0] == key else { throw wrong("lacks the \(key)") }
        return fields[1]
    }

    mutating func bundle() throws(ManifestRejection) -> BundleID {
        let name = try value(of: "bundle")
        do throws(WireError) { return try BundleID(name) } catch { throw wrong("is wrong: \(error.reason)") }
    }

    mutating func entitlements() throws(ManifestRejection) -> BundleEntitlements {
        var team: TeamID?
        var domains: [String] = []
        var containers: [String] = []
        while index < lines.count, lines[index].starts(with: "entitlement\t".utf8) {
            let fields = fields(try next())
            guard fields.count == 3, let key = BundleEntitlements.Key(rawValue: fields[1]) else {
                throw wrong("is an unknown entitlement")
            }
            switch key {
            case .team:
                do throws(WireError) { team = try TeamID(fields[2]) } catch { throw wrong("is wrong: \(error.reason)") }
            case .associatedDomains: domains.append(fields[2])
            case .ubiquityContainers: containers.append(fields[2])
            }
        }
        return try BundleEntitlements(team: team, associatedDomains: domains, ubiquityContainers: containers)
    }

    mutating func entries() throws(ManifestRejection) -> [BundleManifest.Entry] {
        guard lines.count - index <= BundleLimits.entries else {
            throw ManifestRejection(.limitReached, "the manifest lists more than \(BundleLimits.entries) files")
        }
        var entries: [BundleManifest.Entry] = []
        while index < lines.count { entries.append(try entry()) }
        return entries
    }

    private mutating func entry() throws(ManifestRejection) -> BundleManifest.Entry {
        let fields = fields(try next())
        switch (fields.first, fields.count) {
        case ("file", 5):
            guard ["644", "755"].contains(fields[1]), let size = Int64(fields[2]), size >= 0,
                let digest = try? FileDigest(hex: fields[3])
            else { throw wrong("is not a file's mode, size and SHA-256") }
            return BundleManifest.Entry(
                path: try BundlePath(fields[4]),
                content: .file(isExecutable: fields[1] == "755", size: size, digest: digest))
        case ("folder", 2): return BundleManifest.Entry(path: try BundlePath(fields[1]), content: .emptyFolder)
        case ("link", 3):
            return BundleManifest.Entry(path: try BundlePath(fields[1]), content: .link(target: fields[2]))
        default: throw wrong("is neither a file, a folder nor a link")
        }
    }

    private func wrong(_ what: String) -> ManifestRejection {
        ManifestRejection(.badLine, "line \(index) of the manifest \(what)")
    }

    private func fields(_ line: Substring) -> [String] {
        line.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
}
