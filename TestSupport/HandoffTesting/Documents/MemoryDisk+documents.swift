// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire

extension MemoryDisk {
    func document(at path: AbsolutePath, asPackage: Bool) throws(Failure) -> (kind: DocumentKind, version: FileVersion)?
    {
        guard let node = nodes[path] else { return nil }
        let kind: DocumentKind
        var (size, changed) = (UInt64(0), node.changed)
        switch node.content {
        case .file(let bytes): (kind, size) = (.file, UInt64(bytes.count))
        case .folder:
            kind = asPackage ? .package : .folder
            for (_, member) in asPackage ? tree(at: path) : [] {
                if case .file(let bytes) = member.content { size += UInt64(bytes.count) }
                changed = max(changed, member.changed)
            }
        case .link, .special: throw Failure(.notAllowed, "the file there is not a document")
        }
        let file = FileNumber(device: Self.device, inode: node.inode)
        return (
            kind, FileVersion(file: file, size: size, modified: node.modified, changed: changed, mode: node.mode)
        )
    }

    func manifest(of package: AbsolutePath) throws(Failure) -> PackageManifest {
        var members: [PackageManifest.Member] = []
        for case (let path?, let node) in tree(at: package) {
            switch node.content {
            case .file(let bytes):
                let content = PackageManifest.Content.file(
                    size: UInt64(bytes.count), hash: FileDigest(of: bytes), isExecutable: node.mode & 0o100 != 0)
                members.append(PackageManifest.Member(path, content))
            case .folder: members.append(PackageManifest.Member(path, .folder))
            case .link(let target): members.append(PackageManifest.Member(path, .link(target)))
            case .special: throw Failure(.notAllowed, "a package contains something that is not a file")
            }
        }
        do throws(WireError) {
            return try PackageManifest(members)
        } catch {
            throw Failure(error.code == .limitReached ? .limitReached : .notAllowed, error.reason)
        }
    }

    func hash(of path: AbsolutePath, as kind: DocumentKind) throws(Failure) -> FileDigest? {
        switch (nodes[path]?.content, kind) {
        case (.file(let bytes)?, _): FileDigest(of: bytes)
        case (.folder?, .package): try manifest(of: path).hash()
        case (.folder?, _), (.link?, _), (.special?, _), (nil, _): nil
        }
    }
}

extension PackageManifest {
    func hash() throws(Failure) -> FileDigest {
        do throws(WireError) { return FileDigest(of: try encoded()) } catch {
            throw Failure(.limitReached, error.reason)
        }
    }
}
