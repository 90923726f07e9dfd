// SPDX-License-Identifier: Apache-2.0

/// Relative to the bundle: `Contents/Linux/Notes`. Cannot lead out. Compared by UTF-8 bytes.
package struct BundlePath: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    package static let infoPropertyList = BundlePath(unchecked: "Contents/Info.plist")
    package static let entitlements = BundlePath(unchecked: "Contents/Entitlements.plist")
    package static let signatureFolder = BundlePath(unchecked: "Contents/_Signature")
    package static let manifest = BundlePath(unchecked: "Contents/_Signature/manifest")
    package static let signature = BundlePath(unchecked: "Contents/_Signature/signature")

    private init(unchecked text: String) { self.text = text }

    package init(_ text: String) throws(ManifestRejection) {
        guard !text.isEmpty else { throw ManifestRejection(.badPath, "a path is empty") }
        guard text.utf8.count <= BundleLimits.pathBytes else {
            throw ManifestRejection(
                .limitReached, "a path has more than \(BundleLimits.pathBytes) bytes: \(text.prefix(32))…")
        }
        guard !text.unicodeScalars.contains(where: \.isUnfitForPaths) else {
            throw ManifestRejection(.badPath, "a path has control characters or is not UTF-8: \(text.debugDescription)")
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count <= BundleLimits.depth + 1 else {
            throw ManifestRejection(.limitReached, "\(text) is deeper than \(BundleLimits.depth) folders")
        }
        guard parts.allSatisfy({ !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }) else {
            throw ManifestRejection(.badPath, "the path \(text) is absolute, or has an empty part, . or ..")
        }
        self.text = text
    }

    package var description: String { text }

    /// Outermost first.
    var folders: [BundlePath] {
        text.utf8.indices.filter { text.utf8[$0] == UInt8(ascii: "/") }.map {
            BundlePath(unchecked: String(text[..<$0]))
        }
    }

    func isInside(_ folder: BundlePath) -> Bool {
        text.utf8.count > folder.text.utf8.count && text.utf8.starts(with: (folder.text + "/").utf8)
    }

    /// `target` must be relative and inside the bundle. `..` may only be at the beginning: after a name that may be a
    /// link, it could lead anywhere.
    package func canPoint(at target: String) -> Bool {
        guard !target.isEmpty, !target.hasPrefix("/"), target.utf8.count <= BundleLimits.pathBytes,
            !target.unicodeScalars.contains(where: \.isUnfitForPaths)
        else { return false }
        let parts = target.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        let ups = parts.prefix { $0.elementsEqual("..".utf8) }.count
        return ups <= folders.count && !parts.dropFirst(ups).contains { $0.elementsEqual("..".utf8) }
    }

    /// Equal for paths that some file system equates. Two mappings, for letters such as ß.
    var folded: String { text.uppercased().lowercased() }

    package static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension Unicode.Scalar {
    /// U+FFFD: bytes that were not UTF-8.
    fileprivate var isUnfitForPaths: Bool {
        switch self {
        case "\u{2028}", "\u{2029}", "\u{FFFD}": true
        default: properties.generalCategory == .control
        }
    }
}
