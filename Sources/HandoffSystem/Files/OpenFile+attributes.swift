// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

extension OpenFile {
    /// Copies owner and group (as far as this user may), the access control list, the `user.` attributes and the
    /// security label of the replaced item, and sets `mode`. Throws after setting the mode if an attribute does not
    /// fit.
    package func keepAttributes(of replaced: borrowing OpenFile, mode: UInt32) throws(SystemError) {
        guard chandoff_keep_attributes(replaced.descriptor, descriptor, mode) == 0 else {
            throw SystemError(errno, path)
        }
    }
}

package enum FileCreationMask {
    /// Setting the mask to read it would change it for every thread. Without /proc, only the owner gets permissions.
    package static var current: UInt32 {
        let status = OpenFile.text(of: "/proc/thread-self/status") ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("Umask:") }
        return line.flatMap { UInt32($0.dropFirst("Umask:".count).trimmingSpaces, radix: 8) } ?? 0o077
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring { drop { $0 == " " || $0 == "\t" } }
}
