// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

/// Stored on disk.
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

/// Stored on disk.
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
    /// A package folder's mode, set when it is restored.
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

extension DocumentHistory {
    package func encoded() throws(WireError) -> [UInt8] {
        try PBDocumentHistory.with {
            $0.container = container.name
            $0.path = path.bytes.data
            $0.device = device
            $0.inode = inode
            $0.hashes = hashes.map(\.bytes.data)
            $0.lookedMs = looked.milliseconds
        }.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        let message = try PBDocumentHistory.decode(bytes)
        guard message.hashes.count <= Limits.knownHashes else {
            throw WireError(.limitReached, "more than \(Limits.knownHashes) known hashes of a document")
        }
        self.init(
            container: try ContainerID(message.container), path: try DocumentPath(bytes: message.path),
            device: message.device, inode: message.inode, hashes: try [FileDigest](wire: message.hashes),
            looked: WallTime(milliseconds: message.lookedMs))
    }
}

extension [ContainerEntry] {
    package func encoded() throws(WireError) -> [UInt8] {
        try PBContainerBook.with {
            $0.entries = map { entry in
                .with {
                    $0.container = entry.container.name
                    $0.team = PBTeam(entry.team)
                    $0.path = (entry.mapped?.bytes ?? []).data
                }
            }
        }.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        self.init()
        for entry in try PBContainerBook.decode(bytes).entries {
            append(
                ContainerEntry(
                    container: try ContainerID(entry.container), team: try Team(entry.team),
                    mapped: try AbsolutePath?(wire: entry.path)))
        }
    }
}

extension KeptDocument {
    package func encoded() throws(WireError) -> [UInt8] {
        try PBKeptDocument.with {
            $0.folder = folder.bytes.data
            $0.path = path.bytes.data
            $0.size = size
            $0.modifiedNs = modified.nanoseconds
            $0.keptMs = kept.milliseconds
            $0.deviceName = deviceName.text
            $0.package = isPackage
            $0.mode = UInt32(mode)
        }.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        let message = try PBKeptDocument.decode(bytes)
        self.init(
            folder: try AbsolutePath(bytes: message.folder), path: try DocumentPath(bytes: message.path),
            size: message.size, modified: FileTime(nanoseconds: message.modifiedNs),
            kept: WallTime(milliseconds: message.keptMs), deviceName: .name(message.deviceName),
            isPackage: message.package, mode: try UInt16(permissions: message.mode))
    }
}
