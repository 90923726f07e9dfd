// SPDX-License-Identifier: Apache-2.0

import CHandoffSystem
package import Glibc

package struct FileStatus: Sendable {
    package let isFile: Bool
    package let isFolder: Bool
    /// Bytes.
    package let size: Int64

    package init?(descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        isFile = status.kind == S_IFREG
        isFolder = status.kind == S_IFDIR
        size = Int64(status.st_size)
    }
}

/// A boolean in an extended attribute.
package enum FileMark: String, Sendable {
    /// The user has decided about this conflict copy.
    case resolved = "user.handoff.resolved"

    package func isOn(_ path: String) -> Bool { chandoff_has_mark(path, rawValue) != 0 }

    /// On failure, false with `errno`.
    package func set(_ isOn: Bool, on path: String) -> Bool {
        if isOn { return chandoff_set_mark(path, rawValue) == 0 }
        return chandoff_remove_mark(path, rawValue) == 0 || errno == ENODATA
    }
}

extension stat {
    package var kind: mode_t { st_mode & S_IFMT }
    package var permissions: mode_t { st_mode & 0o7777 }

    /// Reliable, because programs cannot set `ctime`.
    package func isSameVersion(as other: stat) -> Bool {
        st_ino == other.st_ino && st_dev == other.st_dev && st_size == other.st_size && st_mode == other.st_mode
            && st_mtim.tv_sec == other.st_mtim.tv_sec && st_mtim.tv_nsec == other.st_mtim.tv_nsec
            && st_ctim.tv_sec == other.st_ctim.tv_sec && st_ctim.tv_nsec == other.st_ctim.tv_nsec
    }
}

extension OpenFile {
    /// Copies owner and group (as far as allowed), access control list, `user.` attributes and security label, and sets
    /// `mode`. Throws after setting the mode if an attribute does not fit.
    package func keepAttributes(of replaced: borrowing OpenFile, mode: UInt32) throws(SystemError) {
        guard chandoff_keep_attributes(replaced.descriptor, descriptor, mode) == 0 else {
            throw SystemError(errno, path)
        }
    }
}

package enum FileCreationMask {
    /// From /proc, because `umask` changes it for every thread. Without /proc, only the owner gets permissions.
    package static var current: UInt32 {
        let status = OpenFile.text(of: "/proc/thread-self/status") ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("Umask:") }
        return line.flatMap { UInt32($0.dropFirst("Umask:".count).trimmingSpaces, radix: 8) } ?? 0o077
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring { drop { $0 == " " || $0 == "\t" } }
}

extension FileStatus {
    /// File systems of the kernel, from <linux/magic.h>. The sizes of their files are not those of the contents.
    private static let ofKernel: Set<UInt32> = [
        0x9FA0,  // proc
        0x6265_6572,  // sysfs
        0x0027_E0EB, 0x6367_7270,  // cgroup, cgroup2
        0x6462_6720,  // debugfs
        0x7472_6163,  // tracefs
        0x7363_6673,  // securityfs
    ]

    package static func isOfKernel(_ descriptor: CInt) -> Bool {
        var facts = chandoff_file_system_facts()
        return chandoff_file_system(descriptor, &facts) == 0 && ofKernel.contains(facts.type)
    }
}
