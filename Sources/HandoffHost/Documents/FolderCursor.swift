// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// Visits the folders of a tree, and opens each at its first member: usually once, if members are in the order of their
/// paths. Follows no links.
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
