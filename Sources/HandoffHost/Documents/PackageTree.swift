// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

/// The members of a package, without the content of files.
struct PackageTree: Hashable {
    enum Kind: Hashable {
        case file
        case folder
        case link([UInt8])
    }

    struct Member: Hashable {
        let path: DocumentPath
        let kind: Kind
        let version: FileVersion
        let owner: FileOwner
        let isExecutable: Bool
    }

    /// Folders precede their members.
    let members: [Member]
    /// Has the size of all files and the latest times. Any write, rename or removal inside changes it.
    let version: FileVersion

    /// Follows no links. Throws `.limitReached`, `.notAllowed` for items that a document cannot have.
    init(of package: borrowing OpenFile) throws(Failure) {
        var version = try reading { () throws(SystemError) in try package.version() }
        version.size = 0
        var members: [Member] = []
        // Not recursive, because the depth is untrusted.
        var folders: [DocumentPath?] = [nil]
        while let path = folders.popLast() {
            let folder = try Self.open(path, in: package)
            let left = Limits.packageMembers - members.count
            let names = try reading { () throws(SystemError) in try folder.names(atMost: left + 1) }
            guard names.count <= left else {
                throw Failure(
                    .limitReached, "the package \(package.path) holds more than \(Limits.packageMembers) files")
            }
            for name in names {
                let member = try Self.member(name, of: path, in: folder)
                if case .folder = member.kind { folders.append(member.path) }
                if case .file = member.kind {
                    let (sum, overflow) = version.size.addingReportingOverflow(member.version.size)
                    version.size = overflow ? .max : sum
                }
                version.modified = max(version.modified, member.version.modified)
                version.changed = max(version.changed, member.version.changed)
                members.append(member)
            }
        }
        self.members = members.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
        self.version = version
    }

    /// The folder's mode without other users' bits that any member lacks. A replacing package does not get these bits,
    /// because its members have the usual modes.
    var closestMode: UInt16 {
        members.reduce(version.mode) { mode, member in
            switch member.kind {
            case .file:
                let readers = member.version.mode & 0o044
                return mode & (0o700 | readers | readers >> 2)
            case .folder: return mode & (0o700 | member.version.mode)
            case .link: return mode
            }
        }
    }

    private static func open(
        _ path: DocumentPath?, in package: borrowing OpenFile
    ) throws(Failure) -> OpenFile {
        try reading { () throws(SystemError) in
            try package.openBeneath(
                path?.bytes ?? Array(".".utf8), O_RDONLY | O_DIRECTORY | O_NOFOLLOW, followingLinks: false)
        }
    }

    private static func member(
        _ name: [UInt8], of parent: DocumentPath?, in folder: borrowing OpenFile
    ) throws(Failure) -> Member {
        let path: DocumentPath
        do throws(WireError) { path = try DocumentPath(name: name, in: parent) } catch {
            throw Failure(.notAllowed, "\(folder.path(of: name)) cannot be part of a document: \(error.reason)")
        }
        guard let status = try reading({ () throws(SystemError) in try folder.status(of: name) }) else {
            throw Failure(.documentChanged, "\(folder.path(of: name)) was removed while it was read")
        }
        let kind: Kind
        switch status.kind {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .link(try reading { () throws(SystemError) in try folder.linkTarget(of: name) })
        default:
            throw Failure(
                .notAllowed, "\(folder.path(of: name)) is not a document: it is neither a file, a folder nor a link")
        }
        return Member(
            path: path, kind: kind, version: FileVersion(status), owner: FileOwner(status),
            isExecutable: status.permissions & 0o111 != 0)
    }
}

struct HashedPackage {
    let tree: PackageTree
    let manifest: PackageManifest

    /// Reads uncached files, up to `limits.tries` times while the package is written to.
    init(
        of package: borrowing OpenFile, tree known: PackageTree? = nil, cache: HashCache, limits: DocumentLimits
    ) throws(Failure) {
        var known = known
        for _ in 0..<limits.tries {
            do throws(Failure) {
                let tree = if let first = known.take() { first } else { try PackageTree(of: package) }
                var hasRead = false
                let manifest = try Self.manifest(of: tree, in: package, cache, limits, &hasRead)
                // If no file was read, the tree is current.
                if hasRead, try PackageTree(of: package) != tree { continue }
                self.init(tree: tree, manifest: manifest)
                return
            } catch let failure where failure.code == .documentChanged || failure.code == .documentGone {
                continue
            }
        }
        throw Failure(.documentChanged, "\(package.path) is being written to")
    }

    private init(tree: PackageTree, manifest: PackageManifest) {
        self.tree = tree
        self.manifest = manifest
    }

    private static func manifest(
        of tree: PackageTree, in package: borrowing OpenFile, _ cache: HashCache, _ limits: DocumentLimits,
        _ hasRead: inout Bool
    ) throws(Failure) -> PackageManifest {
        var members: [PackageManifest.Member] = []
        for member in tree.members {
            switch member.kind {
            case .folder: members.append(PackageManifest.Member(member.path, .folder))
            case .link(let target): members.append(PackageManifest.Member(member.path, .link(target)))
            case .file:
                var hash = cache.hash(of: member.version)
                if hash == nil {
                    hasRead = true
                    hash = try Self.hash(of: member, in: package, cache, limits)
                }
                guard let hash else { throw Failure(.documentChanged, "\(package.path)/\(member.path) was written to") }
                members.append(
                    PackageManifest.Member(
                        member.path,
                        .file(size: member.version.size, hash: hash, isExecutable: member.isExecutable)))
            }
        }
        do throws(WireError) { return try PackageManifest(members) } catch {
            throw Failure(.notAllowed, "\(package.path) is not a package: \(error.reason)")
        }
    }

    /// Nil if the file has changed.
    private static func hash(
        of member: PackageTree.Member, in package: borrowing OpenFile, _ cache: HashCache, _ limits: DocumentLimits
    ) throws(Failure) -> FileDigest? {
        let file = try reading { () throws(SystemError) in
            try package.openBeneath(member.path.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY, followingLinks: false)
        }
        let hashed = try HashedFile(file, cache: cache, limits: limits)
        return hashed.version == member.version ? hashed.hash : nil
    }
}

extension PackageManifest {
    func hash() throws(Failure) -> FileDigest {
        do throws(WireError) { return FileDigest(of: try encoded()) } catch {
            throw Failure(.limitReached, error.reason)
        }
    }
}
