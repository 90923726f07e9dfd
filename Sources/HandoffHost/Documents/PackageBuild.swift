// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffTrust
internal import HandoffWire

struct PackageBuild: ~Copyable {
    let manifest: PackageManifest
    private(set) var isThere: [Bool]
    private var cursor: FolderCursor
    /// Reused files keep their times.
    private var new: Set<Int> = []
    private var sent: Set<Int> = []
    /// Versions of copied members that have the attributes of an original with the same path.
    private(set) var originals: [DocumentPath: FileVersion] = [:]
    private let firstPlaces: [FileDigest: Int]

    static func begin(_ manifest: PackageManifest, in folder: borrowing OpenFile) throws(Failure) -> PackageBuild {
        try placing { () throws(SystemError) in
            var build = PackageBuild(manifest, try FolderCursor(folder))
            for (index, member) in manifest.members.enumerated() { try build.begin(index, member) }
            return build
        }
    }

    private init(_ manifest: PackageManifest, _ cursor: consuming FolderCursor) {
        var firstPlaces: [FileDigest: Int] = [:]
        for (index, member) in manifest.members.enumerated() {
            guard case .file(_, let hash, _) = member.content, firstPlaces[hash] == nil else { continue }
            firstPlaces[hash] = index
        }
        self.cursor = cursor
        self.manifest = manifest
        self.firstPlaces = firstPlaces
        isThere = [Bool](repeating: false, count: manifest.members.count)
    }

    private mutating func begin(_ index: Int, _ member: PackageManifest.Member) throws(SystemError) {
        let name = Array(member.path.name)
        switch member.content {
        case .file(let size, let hash, _):
            guard size == 0, hash == FileDigest(of: []) else { return }
            _ = try makeFile(index)
            new.insert(index)
        case .folder:
            try cursor.go(toParentOf: member.path)
            guard mkdirat(cursor.folder.descriptor, name.cString, 0o755) == 0 else {
                throw SystemError(errno, cursor.folder.path(of: name))
            }
        case .link(let target):
            try cursor.go(toParentOf: member.path)
            guard symlinkat(target.cString, cursor.folder.descriptor, name.cString) == 0 else {
                throw SystemError(errno, cursor.folder.path(of: name))
            }
        }
        isThere[index] = true
    }

    /// Equal content is requested once.
    var wish: DocumentWish {
        var wish = DocumentWish(itemCount: isThere.count)
        for index in isThere.indices where isWished(index) { wish[index] = true }
        return wish
    }

    var missingBytes: UInt64 {
        var sum: UInt64 = 0
        for index in isThere.indices where isWished(index) {
            guard case .file(let size, _, _) = manifest.members[index].content else { continue }
            let (next, overflow) = sum.addingReportingOverflow(size)
            sum = overflow ? .max : next
        }
        return sum
    }

    /// Bytes still to write; equal content is included once per file.
    var unwrittenBytes: UInt64 {
        var sum: UInt64 = 0
        for index in isThere.indices where !isThere[index] {
            guard case .file(let size, _, _) = manifest.members[index].content else { continue }
            let (next, overflow) = sum.addingReportingOverflow(size)
            sum = overflow ? .max : next
        }
        return sum
    }

    private func isWished(_ index: Int) -> Bool {
        guard !isThere[index], case .file(_, let hash, _) = manifest.members[index].content,
            let first = firstPlaces[hash]
        else { return false }
        return first == index
    }

    // MARK: Members on this device

    /// Skips members that changed since they were hashed. `wasSent`: their content was sent before.
    mutating func fill(
        from basis: HashedPackage, in package: borrowing OpenFile, wasSent: Bool = false
    ) throws(Failure) {
        var sources: [FileDigest: PackageTree.Member] = [:]
        for (member, known) in zip(basis.manifest.members, basis.tree.members) {
            if case .file(_, let hash, _) = member.content { sources[hash] = known }
        }
        try placing { () throws(SystemError) in
            var from = try FolderCursor(package)
            for (index, member) in manifest.members.enumerated() where !isThere[index] {
                guard case .file(let size, let hash, _) = member.content, let source = sources[hash],
                    source.version.size == size
                else { continue }
                do throws(SystemError) { try from.go(toParentOf: source.path) } catch { continue }
                guard try copy(source, from: from.folder, as: index) else { continue }
                if wasSent { came(index) } else { isThere[index] = true }
            }
        }
    }

    /// False if the source has changed.
    private mutating func copy(
        _ source: PackageTree.Member, from folder: borrowing OpenFile, as index: Int
    ) throws(SystemError) -> Bool {
        let member = manifest.members[index]
        let name = Array(member.path.name)
        try cursor.go(toParentOf: member.path)
        guard let status = try? folder.status(of: Array(source.path.name)), FileVersion(status) == source.version
        else { return false }
        var isExecutable: Bool?
        if case .file(_, _, let isWanted) = member.content, isWanted != source.isExecutable { isExecutable = isWanted }
        let copy = try cursor.folder.copyMember(
            Array(source.path.name), of: folder, as: name, isExecutable: isExecutable)
        guard copy.before == source.version, copy.after == copy.before else {
            unlinkat(cursor.folder.descriptor, name.cString, 0)
            return false
        }
        if copy.hasAttributes, source.path == member.path { originals[member.path] = source.version }
        return true
    }

    // MARK: Received members

    mutating func makeFile(_ index: Int) throws(SystemError) -> OpenFile {
        let member = manifest.members[index]
        guard case .file(let size, _, let isExecutable) = member.content else {
            throw SystemError(EISDIR, "\(member.path)")
        }
        try cursor.go(toParentOf: member.path)
        let file = try cursor.folder.open(
            Array(member.path.name), O_RDWR | O_CREAT | O_EXCL, mode: isExecutable ? 0o755 : 0o644)
        try file.reserve(size)
        return file
    }

    mutating func came(_ index: Int) {
        isThere[index] = true
        new.insert(index)
        sent.insert(index)
    }

    /// Removes copied members, which can be copied again.
    mutating func keepWhatCame() throws(SystemError) {
        for (index, member) in manifest.members.enumerated() where isThere[index] && !sent.contains(index) {
            guard case .file(let size, _, _) = member.content, size > 0 else { continue }
            try removePart(index)
            isThere[index] = false
            originals[member.path] = nil
            new.remove(index)
        }
    }

    mutating func removePart(_ index: Int) throws(SystemError) {
        let path = manifest.members[index].path
        try cursor.go(toParentOf: path)
        try cursor.folder.removeTree(Array(path.name))
    }

    /// Copies content received for other members. Throws `.malformed` if any is missing.
    mutating func complete() throws(Failure) {
        for (index, member) in manifest.members.enumerated() where !isThere[index] {
            guard case .file(let size, let hash, _) = member.content, let first = firstPlaces[hash], isThere[first]
            else { throw Failure(.malformed, "\(member.path) of a package is missing") }
            let path = manifest.members[first].path
            try placing { () throws(SystemError) in
                let file = try cursor.root.openBeneath(path.bytes, O_RDONLY, followingLinks: false)
                let copy = try makeFile(index)
                guard try copy.copy(size, of: file) == size else { throw SystemError(EIO, copy.path) }
            }
            isThere[index] = true
            new.insert(index)
        }
    }

    mutating func setTimes(_ modified: FileTime) throws(SystemError) {
        let time = timespec(tv_sec: modified.parts.seconds, tv_nsec: modified.parts.nanoseconds)
        for (index, member) in manifest.members.enumerated() {
            if case .file = member.content, !new.contains(index) { continue }
            try cursor.go(toParentOf: member.path)
            let name = Array(member.path.name)
            guard utimensat(cursor.folder.descriptor, name.cString, [time, time], AT_SYMLINK_NOFOLLOW) == 0 else {
                throw SystemError(errno, cursor.folder.path(of: name))
            }
        }
    }
}
