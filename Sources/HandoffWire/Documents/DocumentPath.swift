// SPDX-License-Identifier: Apache-2.0

/// A document in its container, or a member in its package. Not empty, no slash at either end, no `.` or `..`.
package struct DocumentPath: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    package init(bytes: some Collection<UInt8>) throws(WireError) { try self.init(Array(bytes)) }

    /// Not generic, because packages have thousands of members.
    private init(_ bytes: [UInt8]) throws(WireError) {
        guard !bytes.isEmpty, bytes.count <= Limits.pathBytes else {
            throw .pathLength
        }
        guard !bytes.contains(0) else { throw WireError(.badIdentifier, "a document's path contains a zero byte") }
        for part in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            switch part.count {
            case 0: throw WireError(.badIdentifier, "a document's path has an empty part")
            case ...Limits.pathPartBytes: break
            default: throw WireError(.badIdentifier, "a part of a path has at most \(Limits.pathPartBytes) bytes")
            }
            guard part != Self.dots[..<1], part != Self.dots else {
                throw WireError(.badIdentifier, "a document's path contains \".\" or \"..\"")
            }
            guard !part.starts(with: Self.reservedPrefix) else {
                throw WireError(.badIdentifier, "a document's path contains a name that is reserved for incoming files")
            }
        }
        self.bytes = bytes
    }

    package init(_ text: String) throws(WireError) { try self.init(Array(text.utf8)) }

    package init(name: [UInt8], in parent: DocumentPath?) throws(WireError) {
        let name = try DocumentPath(name)
        self = try parent?.appending(name) ?? name
    }

    private static let dots = Array("..".utf8)[...]
    /// For temporary files.
    package static let reservedPrefix = Array(".handoff-".utf8)

    package var parts: [ArraySlice<UInt8>] { bytes.split(separator: UInt8(ascii: "/")) }
    package var name: ArraySlice<UInt8> {
        bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes[($0 + 1)...] } ?? bytes[...]
    }
    package var last: DocumentPath { DocumentPath(unchecked: Array(name)) }
    /// Nil: directly in the container.
    package var parent: DocumentPath? {
        bytes.lastIndex(of: UInt8(ascii: "/")).map { DocumentPath(unchecked: Array(bytes[..<$0])) }
    }

    package func sibling(_ name: some Collection<UInt8>) throws(WireError) -> DocumentPath {
        guard !name.contains(UInt8(ascii: "/")) else { throw WireError(.badIdentifier, "a name contains a slash") }
        guard let parent else { return try DocumentPath(bytes: name) }
        return try DocumentPath(bytes: parent.bytes + [UInt8(ascii: "/")] + name)
    }

    package func appending(_ path: DocumentPath) throws(WireError) -> DocumentPath {
        guard bytes.count + 1 + path.bytes.count <= Limits.pathBytes else { throw .pathLength }
        return DocumentPath(unchecked: bytes + [UInt8(ascii: "/")] + path.bytes)
    }

    /// As of `FixedBytesIdentifier`.
    package func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }

    /// For display: bytes that are not UTF-8 become replacement characters.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
    package var shownName: String { String(decoding: name, as: UTF8.self) }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

extension WireError {
    fileprivate static var pathLength: WireError {
        WireError(.badIdentifier, "a document's path has 1 to \(Limits.pathBytes) bytes")
    }
}

/// A path on this device: begins with a slash, does not end with one, has no zero byte.
package struct AbsolutePath: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    /// Trailing slashes are removed.
    package init(bytes: some Collection<UInt8>) throws(WireError) {
        guard bytes.first == UInt8(ascii: "/"), !bytes.contains(0) else {
            throw WireError(.badIdentifier, "a path on this device begins with a slash, and has no zero byte")
        }
        guard bytes.count <= Limits.absolutePathBytes else {
            throw WireError(.badIdentifier, "a path of \(bytes.count) bytes is too long")
        }
        var bytes = Array(bytes)
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        self.bytes = bytes
    }

    package init(_ text: String) throws(WireError) { try self.init(bytes: Array(text.utf8)) }

    package func appending(_ path: DocumentPath) throws(WireError) -> AbsolutePath {
        let slash: [UInt8] = bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return try AbsolutePath(bytes: bytes + slash + path.bytes)
    }

    /// Nil if this path is not inside `folder`, or contains `..`. Does not follow symbolic links.
    package func path(in folder: AbsolutePath) -> DocumentPath? {
        var prefix = folder.bytes
        if prefix.last != UInt8(ascii: "/") { prefix.append(UInt8(ascii: "/")) }
        guard bytes.starts(with: prefix) else { return nil }
        return try? DocumentPath(bytes: bytes.dropFirst(prefix.count))
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
    package var description: String { text }
}
