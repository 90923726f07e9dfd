// SPDX-License-Identifier: Apache-2.0

/// What this device knows of one document. On disk.
package struct DocumentHistory: Hashable, Sendable {
    package var container: ContainerID
    package var path: DocumentPath
    /// Of the file system, and on it.
    package var device: UInt64
    package var inode: UInt64
    /// Oldest first, at most `Limits.knownHashes`; the last is what was there when it was looked at last.
    package var hashes: [FileDigest]
    package var looked: WallTime

    package init(
        container: ContainerID, path: DocumentPath, device: UInt64, inode: UInt64, hashes: [FileDigest],
        looked: WallTime
    ) {
        self.container = container
        self.path = path
        self.device = device
        self.inode = inode
        self.hashes = hashes
        self.looked = looked
    }
}

/// Whose a container is on this device, and where the user wants it. On disk.
package struct ContainerEntry: Hashable, Sendable {
    package var container: ContainerID
    /// Of the first app that used it.
    package var team: Team
    /// Nil: in the folder that every container gets.
    package var mapped: AbsolutePath?

    package init(container: ContainerID, team: Team, mapped: AbsolutePath? = nil) {
        self.container = container
        self.team = team
        self.mapped = mapped
    }
}

/// Where what was replaced lay. On disk, beside it.
package struct KeptDocument: Hashable, Sendable {
    /// That it is never put out of.
    package var folder: AbsolutePath
    package var path: DocumentPath
    /// Bytes.
    package var size: UInt64
    package var modified: FileTime
    /// When it was replaced.
    package var kept: WallTime
    /// Whose version took its place.
    package var deviceName: DisplayText
    package var isPackage: Bool
    /// Permission bits that a package's folder gets when it is put back: while it is kept its owner may write to it.
    package var mode: UInt16

    package init(
        folder: AbsolutePath, path: DocumentPath, size: UInt64, modified: FileTime, kept: WallTime,
        deviceName: DisplayText, isPackage: Bool, mode: UInt16
    ) {
        self.folder = folder
        self.path = path
        self.size = size
        self.modified = modified
        self.kept = kept
        self.deviceName = deviceName
        self.isPackage = isPackage
        self.mode = mode
    }
}
