// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

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
