// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

extension DocumentDisk {
    /// Only documents of containers are replaced. `asPackage`: a folder is a document.
    func hold(at location: DocumentLocation, asPackage: Bool) -> DocumentHold? {
        guard case .container(let folder, let path) = location, let root = try? root(folder),
            let reached = try? root.reach(path), reached.missing == 0,
            let parent = try? root.openParent(of: reached)
        else { return nil }
        let name = Array(reached.path.name)
        guard let status = try? parent.status(of: name), status.kind == S_IFREG || asPackage else {
            return nil
        }
        return hold(on: name, in: parent)
    }

    func hold(on name: [UInt8], in folder: borrowing OpenFile) -> DocumentHold? {
        guard let status = try? folder.status(of: name) else { return nil }
        var owners: Set<FileOwner> = [FileOwner(status)]
        var files: Set<FileNumber> = []
        if status.kind == S_IFDIR {
            guard let tree = try? PackageTree(of: folder.open(name, O_RDONLY | O_DIRECTORY)) else { return nil }
            owners.formUnion(tree.members.map(\.owner))
            files.formUnion(tree.members.lazy.filter { $0.kind == .file }.map(\.version.file))
        } else {
            if let program = folder.editor(of: name, now: now()) { return .editor(program) }
            files = [FileNumber(status)]
        }
        if let hold = hold(for: owners, in: folder) { return hold }
        // A package is replaced by its folder, which has one name.
        if status.kind == S_IFREG, status.st_nlink > 1, UInt64(status.st_nlink) > 1 + versions.links(to: status) {
            return .links
        }
        return FileUse(of: files, name, in: folder).hold
    }

    /// A probe file shows the owner and group that the document would get; the folder and the mount decide.
    private func hold(for owners: Set<FileOwner>, in folder: borrowing OpenFile) -> DocumentHold? {
        let own = FileOwner(user: geteuid(), group: getegid())
        guard owners != [own], let probe = try? UnplacedDocument.file(in: folder, staging: staging),
            let made = (try? probe.item.status()).map({ FileOwner($0) })
        else { return nil }
        for owner in owners.sorted() {
            if owner.user != made.user { return .user(FileOwner.userName(owner.user)) }
            if owner.group != made.group, fchown(probe.item.descriptor, uid_t.max, owner.group) != 0 {
                return .group(FileOwner.groupName(owner.group))
            }
        }
        return nil
    }
}

extension DocumentHold {
    func reasonNotToRestore(_ path: String) -> String {
        switch self {
        case .editor(let program), .process(let program):
            "\(path) is open in \(program): close it there, then restore it"
        case .user, .group, .links:
            "\(path) is not replaced; copy the kept version over it instead. \(reason)"
        }
    }
}

struct FileOwner: Hashable, Comparable {
    let user: uid_t
    let group: gid_t

    init(user: uid_t, group: gid_t) {
        self.user = user
        self.group = group
    }

    init(_ status: stat) { self.init(user: status.st_uid, group: status.st_gid) }

    static func < (one: Self, other: Self) -> Bool { (one.user, one.group) < (other.user, other.group) }

    static func userName(_ user: uid_t) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: bufferSize) { buffer in
            guard getpwuid_r(user, &entry, buffer.baseAddress!, buffer.count, &found) == 0, found != nil else {
                return "\(user)"
            }
            return String(cString: entry.pw_name)
        }
    }

    static func groupName(_ group: gid_t) -> String {
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: bufferSize) { buffer in
            guard getgrgid_r(group, &entry, buffer.baseAddress!, buffer.count, &found) == 0, found != nil else {
                return "\(group)"
            }
            return String(cString: entry.gr_name)
        }
    }

    /// A group with many members needs more, and is shown by its number.
    private static let bufferSize = 16 * 1024
}
