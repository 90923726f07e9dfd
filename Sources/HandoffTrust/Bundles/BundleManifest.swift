// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package struct ManifestRejection: CodedError {
    package enum Code: String, Sendable {
        case notAManifest
        case unknownVersion
        case limitReached
        case badLine
        case badPath
        case badLink
        case badEntitlement
        case notSorted
        case listedTwice
        /// Paths that differ only in case or Unicode form.
        case lookAlikes
        case insideAFile
        case notCanonical
    }

    package let code: Code
    package let description: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        description = DisplayText(cleaning: reason, limit: Limits.reasonCharacters).text
    }
}

/// The content that a bundle's signature covers. Always valid, with one encoding.
package struct BundleManifest: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case file(isExecutable: Bool, size: Int64, digest: FileDigest)
        /// Other folders follow from their contents.
        case emptyFolder
        case link(target: String)
    }

    package struct Entry: Hashable, Sendable {
        package let path: BundlePath
        package let content: Content

        package init(path: BundlePath, content: Content) {
            self.path = path
            self.content = content
        }
    }

    package let bundle: BundleID
    /// `CFBundleShortVersionString`, safe to display, perhaps empty.
    package let version: String
    package let entitlements: BundleEntitlements
    /// Sorted. Excludes `Contents/_Signature`.
    package let entries: [Entry]

    /// `entries` must be sorted.
    package init(
        bundle: BundleID, version: String, entitlements: BundleEntitlements, entries: [Entry]
    ) throws(ManifestRejection) {
        guard DisplayText(cleaning: version, limit: BundleLimits.versionCharacters).text == version else {
            throw ManifestRejection(
                .badLine,
                "the version is longer than \(BundleLimits.versionCharacters) characters or not clean text")
        }
        try Self.check(entries)
        self.bundle = bundle
        self.version = version
        self.entitlements = entitlements
        self.entries = entries
    }

    package func content(at path: BundlePath) -> Content? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].path < path { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].path == path ? entries[low].content : nil
    }

    package var fileBytes: Int64 { Self.fileBytes(entries) ?? .max }

    private static func check(_ entries: [Entry]) throws(ManifestRejection) {
        guard entries.count <= BundleLimits.entries else {
            throw ManifestRejection(.limitReached, "the bundle holds more than \(BundleLimits.entries) files")
        }
        guard let bytes = fileBytes(entries), bytes <= BundleLimits.fileBytes else {
            throw ManifestRejection(
                .limitReached, "the bundle holds more than \(BundleLimits.fileBytes / 1024 / 1024) MiB")
        }
        for (entry, next) in zip(entries, entries.dropFirst()) where !(entry.path < next.path) {
            guard entry.path != next.path else {
                throw ManifestRejection(.listedTwice, "\(entry.path) is listed twice")
            }
            throw ManifestRejection(.notSorted, "\(next.path) is listed after \(entry.path)")
        }
        try checkLookAlikes(entries)
        for entry in entries {
            guard entry.path != .signatureFolder, !entry.path.isInside(.signatureFolder) else {
                throw ManifestRejection(.badPath, "\(entry.path) belongs to the signature itself")
            }
            if case .link(let target) = entry.content, !entry.path.canPoint(at: target) {
                throw ManifestRejection(.badLink, "\(entry.path) is a link that leaves the bundle")
            }
        }
    }

    /// Includes parent folders.
    private static func checkLookAlikes(_ entries: [Entry]) throws(ManifestRejection) {
        var folders: [BundlePath: Bool] = [:]
        var known: [String: BundlePath] = [:]
        func add(_ path: BundlePath) throws(ManifestRejection) {
            if let other = known.updateValue(path, forKey: path.folded), other != path {
                throw ManifestRejection(
                    .lookAlikes, "\(other) and \(path) differ only in case or in Unicode's normal form")
            }
        }
        for entry in entries {
            try add(entry.path)
            for folder in entry.path.folders where folders.updateValue(true, forKey: folder) == nil {
                try add(folder)
            }
        }
        for entry in entries where folders[entry.path] != nil {
            throw ManifestRejection(.insideAFile, "a file is listed within \(entry.path), which is not a folder")
        }
    }

    /// Nil on overflow.
    private static func fileBytes(_ entries: [Entry]) -> Int64? {
        var sum: Int64 = 0
        for case .file(_, let size, _) in entries.map(\.content) {
            let (next, overflow) = sum.addingReportingOverflow(size)
            guard size >= 0, !overflow else { return nil }
            sum = next
        }
        return sum
    }
}

/// Each has a test by its name.
package enum BundleLimits {
    /// Files, folders and links.
    package static let entries = 20_000
    /// All files together.
    package static let fileBytes: Int64 = 1024 * 1024 * 1024
    package static let depth = 32
    /// Also for a link's target.
    static let pathBytes = 1024
    package static let manifestBytes = 8 * 1024 * 1024
    package static let signatureBytes = 32 * 1024
    /// A developer's and the team's.
    package static let certificates = 2
    package static let versionCharacters = 64
    /// All values together.
    package static let entitlements = 256
    /// One value.
    static let entitlementBytes = 1024
}
