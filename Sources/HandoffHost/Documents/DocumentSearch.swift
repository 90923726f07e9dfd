// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffSystem
import HandoffWire

/// Finds a renamed or moved file, nearer folders first. Skips other file systems.
struct DocumentSearch: ~Copyable {
    private let root: OpenFile
    private let file: FileNumber
    private let size: UInt64
    private let limits: DocumentLimits
    private let end: ContinuousClock.Instant
    private var entriesLeft: Int
    private var candidates: [DocumentPath] = []

    init(for file: FileNumber, size: UInt64, in root: consuming OpenFile, limits: DocumentLimits) {
        self.root = root
        self.file = file
        self.size = size
        self.limits = limits
        entriesLeft = limits.searchedEntries
        end = .now + limits.search
    }

    mutating func run(hash: FileDigest?, cache: HashCache) throws(Failure) -> DocumentPath? {
        if let path = try byNumber() { return path }
        guard let hash else { return nil }
        for path in candidates where .now < end {
            guard let file = try? root.openBeneath(path.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY, followingLinks: false),
                let found = try? HashedFile(file, cache: cache, limits: limits), found.hash == hash
            else { continue }
            return path
        }
        return nil
    }

    private mutating func byNumber() throws(Failure) -> DocumentPath? {
        let device = try reading { () throws(SystemError) in FileNumber(try root.status()).device }
        var folders: ArraySlice<DocumentPath?> = [nil]
        while let path = folders.popFirst(), entriesLeft > 0, .now < end {
            guard
                let folder = try? root.openBeneath(
                    path?.bytes ?? Array(".".utf8), O_RDONLY | O_DIRECTORY, followingLinks: false),
                let names = try? folder.names(atMost: entriesLeft)
            else { continue }
            entriesLeft -= names.count
            for name in names {
                guard let status = try? folder.status(of: name), UInt64(status.st_dev) == device,
                    let entry = try? DocumentPath(name: name, in: path)
                else { continue }
                // The inode number of a deleted file may have been reused by a pipe.
                guard status.kind == S_IFREG || status.kind == S_IFDIR else { continue }
                if FileNumber(status) == file { return entry }
                if status.kind == S_IFDIR {
                    folders.append(entry)
                } else if UInt64(clamping: status.st_size) == size {
                    candidates.append(entry)
                }
            }
        }
        return nil
    }
}

/// Opens each folder of a tree usually once if members are in path order. Follows no links.
struct FolderCursor: ~Copyable {
    let root: OpenFile
    private(set) var folder: OpenFile
    private var path: DocumentPath?

    init(_ root: borrowing OpenFile) throws(SystemError) {
        let first = try Self.open(nil, in: root)
        let second = try Self.open(nil, in: root)
        self.root = first
        folder = second
    }

    mutating func go(toParentOf path: DocumentPath) throws(SystemError) {
        guard path.parent != self.path else { return }
        folder = try Self.open(path.parent, in: root)
        self.path = path.parent
    }

    private static func open(_ path: DocumentPath?, in root: borrowing OpenFile) throws(SystemError) -> OpenFile {
        try root.openBeneath(path?.bytes ?? Array(".".utf8), O_RDONLY | O_DIRECTORY, followingLinks: false)
    }
}
