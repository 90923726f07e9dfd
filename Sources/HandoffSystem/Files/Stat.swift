// SPDX-License-Identifier: Apache-2.0

package import Glibc

extension stat {
    package var kind: mode_t { st_mode & S_IFMT }
    package var permissions: mode_t { st_mode & 0o7777 }

    /// Programs cannot set the change time (`ctime`) of a file.
    package func isSameVersion(as other: stat) -> Bool {
        st_ino == other.st_ino && st_dev == other.st_dev && st_size == other.st_size && st_mode == other.st_mode
            && st_mtim.tv_sec == other.st_mtim.tv_sec && st_mtim.tv_nsec == other.st_mtim.tv_nsec
            && st_ctim.tv_sec == other.st_ctim.tv_sec && st_ctim.tv_nsec == other.st_ctim.tv_nsec
    }
}
