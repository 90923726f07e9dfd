// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import HandoffCore
internal import HandoffSystem

struct FileSystemKind {
    let name: String
    let isReadOnly: Bool
    private let known: Known?

    private struct Known {
        let name: String
        /// Other machines may have access.
        var isShared = false
        var foldsCase = false
    }

    var isShared: Bool { known?.isShared ?? false }
    var foldsCase: Bool { known?.foldsCase ?? false }

    /// Nil if the system does not report it.
    init?(of file: borrowing OpenFile) {
        var facts = chandoff_file_system_facts()
        guard chandoff_file_system(file.descriptor, &facts) == 0 else { return nil }
        known = facts.type == Self.userSpace ? Self.known(Mount(of: file)) : Self.all[facts.type]
        name = known?.name ?? "0x" + String(facts.type, radix: 16)
        isReadOnly = facts.is_read_only
    }

    /// FUSE, which serves files of this or other machines.
    private static let userSpace: UInt32 = 0x6573_5546

    /// Without data from /proc, it may be shared.
    private static func known(_ mount: Mount?) -> Known {
        Known(name: mount?.type ?? "fuse", isShared: mount?.isShared ?? true)
    }

    /// From <linux/magic.h> or the kernel's sources.
    private static let all: [UInt32: Known] = [
        0xEF53: Known(name: "ext4"),
        0x9123_683E: Known(name: "btrfs"),
        0x5846_5342: Known(name: "xfs"),
        0xF2F5_2010: Known(name: "f2fs"),
        0x2FC1_2FC1: Known(name: "zfs"),
        0xCA45_1A4E: Known(name: "bcachefs"),
        0x0102_1994: Known(name: "tmpfs"),
        0x8584_58F6: Known(name: "ramfs"),
        0x794C_7630: Known(name: "overlay"),
        0xF15F: Known(name: "ecryptfs"),
        0x7371_7368: Known(name: "squashfs"),
        0xE0F5_E1E2: Known(name: "erofs"),
        0x9660: Known(name: "iso9660"),
        0x1501_3346: Known(name: "udf"),
        0x5265_4973: Known(name: "reiserfs"),
        0x3153_464A: Known(name: "jfs"),
        0x3434: Known(name: "nilfs2"),
        0x4D44: Known(name: "vfat", foldsCase: true),
        0x2011_BAB0: Known(name: "exfat", foldsCase: true),
        0x7366_746E: Known(name: "ntfs3", foldsCase: true),
        0x5346_544E: Known(name: "ntfs", foldsCase: true),
        0x482B: Known(name: "hfsplus", foldsCase: true),
        0x6969: Known(name: "nfs", isShared: true),
        0x517B: Known(name: "smb", isShared: true, foldsCase: true),
        0xFF53_4D42: Known(name: "cifs", isShared: true, foldsCase: true),
        0xFE53_4D42: Known(name: "smb2", isShared: true, foldsCase: true),
        0x0102_1997: Known(name: "9p", isShared: true),
        0x5346_414F: Known(name: "afs", isShared: true),
        0x6B41_4653: Known(name: "afs", isShared: true),
        0x00C3_6400: Known(name: "ceph", isShared: true),
        0x7375_7245: Known(name: "coda", isShared: true),
        0x0116_1970: Known(name: "gfs2", isShared: true),
        0x7461_636F: Known(name: "ocfs2", isShared: true),
        0x0BD0_0BD0: Known(name: "lustre", isShared: true),
        0x786F_4256: Known(name: "vboxsf", isShared: true, foldsCase: true),
    ]
}
