// SPDX-License-Identifier: Apache-2.0

/// The known versions of one document. Stored on disk.
package struct DocumentHistory: Hashable, Sendable {
    package var container: ContainerID
    package var path: DocumentPath
    /// `inode` is on this file system.
    package var device: UInt64
    package var inode: UInt64
    /// Oldest first, at most `Limits.knownHashes`. The last was current at `looked`.
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

/// The owner of a container, and its folder on this device. Stored on disk.
package struct ContainerEntry: Hashable, Sendable {
    package var container: ContainerID
    /// The team of the first app that used it.
    package var team: Team
    /// Nil: the default folder.
    package var mapped: AbsolutePath?

    package init(container: ContainerID, team: Team, mapped: AbsolutePath? = nil) {
        self.container = container
        self.team = team
        self.mapped = mapped
    }
}

/// Stored on disk beside the kept version.
package struct KeptDocument: Hashable, Sendable {
    /// Restoring never writes outside this folder.
    package var folder: AbsolutePath
    package var path: DocumentPath
    /// Bytes.
    package var size: UInt64
    package var modified: FileTime
    package var kept: WallTime
    /// The device whose version replaced it.
    package var deviceName: DisplayText
    package var isPackage: Bool
    /// For a package's folder when it is restored. Until then its owner may write to it.
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
