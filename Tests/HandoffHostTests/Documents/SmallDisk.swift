// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// A separate file system for tests that the machine's own do not allow; it is removed with the object.
final class SmallDisk {
    enum Kind: String, CaseIterable {
        case tmpfs
        case readOnly
        case ext4
        case ext4FoldingCase = "ext4 that folds case"
        case vfat
        case xfs
        case btrfs
        /// File systems in user space, over a folder of this machine.
        case bindfs, gocryptfs
        /// Its names have 175 bytes at most, and it reports 189.
        case encfs
    }

    let path: String
    private let home = TemporaryDirectory()

    /// Nil if this machine does not support it.
    init?(_ kind: Kind, megabytes: Int? = nil) {
        // The minimum size of each kind.
        let megabytes = megabytes ?? (kind == .xfs || kind == .btrfs ? 320 : 64)
        guard geteuid() == 0, let disk = try? home.folder("disk") else { return nil }
        path = disk
        let image = home.path("image")
        func format(_ command: String...) -> Bool {
            truncate(image, megabytes) && Self.run(command + [image]) && Self.run(["mount", "-o", "loop", image, disk])
        }
        let below = home.path("below")
        let isMounted =
            switch kind {
            case .tmpfs: Self.run(["mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700", "tmpfs", disk])
            case .readOnly: Self.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", disk])
            case .ext4: format("mkfs.ext4", "-q", "-F")
            case .ext4FoldingCase:
                format("mkfs.ext4", "-q", "-F", "-O", "casefold", "-E", "encoding=utf8")
                    && Self.run(["chattr", "+F", disk])
            case .vfat: format("mkfs.vfat")
            case .xfs: format("mkfs.xfs", "-q", "-f")
            case .btrfs: format("mkfs.btrfs", "-q", "-f")
            case .bindfs: mkdir(below, 0o700) == 0 && Self.run(["bindfs", below, disk])
            case .encfs:
                mkdir(below, 0o700) == 0
                    && Self.run(["sh", "-c", "echo secret | encfs --standard -S \(below) \(disk)"])
            case .gocryptfs:
                mkdir(below, 0o700) == 0 && Self.run(["gocryptfs"] + Self.weak + ["-init", below])
                    && Self.run(["gocryptfs"] + Self.weak + [below, disk])
            }
        guard isMounted else { return nil }
    }

    private static let weak = ["-q", "-nosyslog", "-extpass", "echo secret", "-scryptn", "10"]

    deinit { _ = Self.run(["umount", "-l", path]) }

    private static func run(_ command: [String]) -> Bool { Program.run(command) == 0 }
}

extension Trait where Self == ConditionTrait {
    static func needs(_ kind: SmallDisk.Kind) -> Self {
        .enabled(
            if: SmallDisk(kind) != nil,
            "needs root, the program that makes \(kind.rawValue) and a kernel that mounts it")
    }
}

private func truncate(_ path: String, _ megabytes: Int) -> Bool {
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return ftruncate(descriptor, off_t(megabytes) << 20) == 0
}
