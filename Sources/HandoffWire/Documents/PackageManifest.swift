// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

/// The SHA-256 of its encoding is the document's hash.
package struct PackageManifest: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case file(size: UInt64, hash: FileDigest, isExecutable: Bool)
        case folder
        /// The target: relative, and inside the package.
        case link([UInt8])
    }

    package struct Member: Hashable, Sendable {
        package var path: DocumentPath
        package var content: Content

        package init(_ path: DocumentPath, _ content: Content) {
            self.path = path
            self.content = content
        }
    }

    /// Sorted by the bytes of their paths, without duplicates, each folder before its content.
    package let members: [Member]
    /// In bytes; at most `Limits.documentBytes`.
    package let size: UInt64

    /// Throws for too many members or bytes, duplicate paths, a missing parent folder, or a link that leads out.
    package init(_ members: [Member]) throws(WireError) {
        guard members.count <= Limits.packageMembers else { throw Self.tooManyMembers }
        let sorted = members.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
        var folders: Set<DocumentPath> = []
        var last: DocumentPath?
        var sum: UInt64 = 0
        for member in sorted {
            guard member.path != last else {
                throw WireError(.malformed, "a package with two members at the same path")
            }
            last = member.path
            if let parent = member.path.parent, !folders.contains(parent) {
                throw WireError(.malformed, "a package with a member in a folder that is missing")
            }
            switch member.content {
            case .folder: folders.insert(member.path)
            case .link(let target): try Self.check(target, of: member.path)
            case .file(let size, _, _):
                let (total, overflow) = sum.addingReportingOverflow(size)
                sum = try UInt64(documentBytes: overflow ? .max : total)
            }
        }
        self.members = sorted
        self.size = sum
    }

    static let tooManyMembers = WireError(.limitReached, "a package of more than \(Limits.packageMembers) members")

    /// `..` may only begin a target: the depth there is known, because the link's own folders are never links.
    private static func check(_ target: [UInt8], of path: DocumentPath) throws(WireError) {
        guard !target.isEmpty, target.first != UInt8(ascii: "/"), !target.contains(0),
            target.count <= Limits.pathBytes
        else { throw WireError(.malformed, "a package with a link that is not relative, or too long") }
        let parts = target.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        let climbing = parts.prefix { $0.elementsEqual("..".utf8) }
        guard climbing.count < path.parts.count,
            !parts[climbing.count...].contains(where: { $0.elementsEqual("..".utf8) })
        else {
            throw WireError(.malformed, "a package with a link that leaves it, or that contains \"..\" after a folder")
        }
    }
}

extension PackageManifest {
    /// Throws `.tooLarge` above `Limits.documentListBytes`.
    package func encoded() throws(WireError) -> [UInt8] {
        try ListBytes(PBPackageManifest.with { $0.members = members.map(PBPackageMember.init) }.bytes()).bytes
    }

    /// Accepts only the bytes that `encoded` writes; otherwise one package could have two hashes.
    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        let bytes = try ListBytes(bytes)
        // Before decoding: a member of two bytes takes a hundred in memory.
        guard try bytes.fields(atMost: Limits.packageMembers) != nil else { throw Self.tooManyMembers }
        var members: [Member] = []
        for member in try PBPackageManifest.decode(bytes.bytes).members { members.append(try Member(member)) }
        try self.init(members)
        guard self.members == members else { throw WireError(.malformed, "a package's members are not in order") }
        guard try encoded() == bytes.bytes else {
            throw WireError(.malformed, "a package's manifest is not in canonical form")
        }
    }
}

extension PBPackageMember {
    init(_ member: PackageManifest.Member) {
        self.init()
        path = member.path.bytes.data
        switch member.content {
        case .file(let size, let hash, let isExecutable):
            kind = .file
            self.size = size
            self.hash = hash.bytes.data
            executable = isExecutable
        case .folder: kind = .folder
        case .link(let target):
            kind = .link
            self.target = target.data
        }
    }
}

extension PackageManifest.Member {
    init(_ message: PBPackageMember) throws(WireError) {
        let content: PackageManifest.Content
        switch message.kind {
        case .file:
            content = .file(
                size: message.size, hash: try FileDigest(bytes: message.hash), isExecutable: message.executable)
        case .folder: content = .folder
        case .link: content = .link(Array(message.target))
        case .unspecified, .UNRECOGNIZED:
            throw WireError(.unknownKind, "a member of a package of a kind that this version does not know")
        }
        self.init(try DocumentPath(bytes: message.path), content)
    }
}
