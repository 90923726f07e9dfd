// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

/// Another file or folder takes a name.
package enum ReplacedFile {
    /// What is at `path`, a file or a folder with all that is in it, gives way to what is at `other`, in the same folder: in
    /// one step, or in two where a folder is concerned and the file system cannot exchange names. Where it lies then, to be
    /// removed; nil if it is gone. Throws, with both as they were, where that cannot be.
    package static func replace(_ path: String, with other: String) throws(SystemError) -> String? {
        let isOfFolders = [path, other].contains { FileStamp(path: $0)?.isFolder ?? false }
        if !isOfFolders || FileStamp(path: path) == nil {
            guard Glibc.rename(other, path) == 0 else { throw SystemError(errno, path) }
            return nil
        }
        if chandoff_exchange(AT_FDCWD, path, AT_FDCWD, other) == 0 { return other }
        guard errno == EINVAL || errno == ENOSYS else { throw SystemError(errno, path) }
        let aside = other + ".old"
        guard Glibc.rename(path, aside) == 0 else { throw SystemError(errno, path) }
        guard Glibc.rename(other, path) == 0 else {
            let error = SystemError(errno, path)
            _ = Glibc.rename(aside, path)
            throw error
        }
        return aside
    }
}
