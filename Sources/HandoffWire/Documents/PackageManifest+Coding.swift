// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension PackageManifest {
    /// Throws `.tooLarge` above `Limits.documentListBytes`.
    package func encoded() throws(WireError) -> [UInt8] {
        try ListBytes(PBPackageManifest.with { $0.members = members.map(PBPackageMember.init) }.bytes()).bytes
    }

    /// Accepts only the bytes that `encoded` writes; otherwise one package could have two hashes.
    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        let bytes = try ListBytes(bytes)
        // Checked before decoding, because a member of two bytes takes a hundred in memory.
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
