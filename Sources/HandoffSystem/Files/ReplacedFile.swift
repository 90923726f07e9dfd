// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

package enum ReplacedFile {
    /// In the same folder, in one step, or two for a folder if the file system cannot exchange names. Returns where the
    /// old item is, if not gone. If it throws, both are unchanged.
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

    /// Follows links. A crash leaves the old or the new content. Keeps a file's mode, group, access control list and
    /// extended attributes. The umask reduces a new file's `mode`.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to path: String, mode: UInt32 = 0o666
    ) throws(SystemError) {
        let path = path.followingLinks ?? path
        let old = try keeping(path)
        let folder = try OpenFile.open(path.parent, O_RDONLY | O_DIRECTORY)
        let name = Array(path.lastPart.utf8)
        let temporary = Array(".handoff-save-\(String(UInt64.random(in: 0 ... .max), radix: 16))".utf8)
        let file = try folder.open(
            temporary, O_WRONLY | O_CREAT | O_EXCL, mode: old.isThere ? 0o600 : mode)
        do throws(SystemError) {
            try file.write(bytes)
            try old.give(to: file)
            try file.sync()
            guard renameat(folder.descriptor, temporary.cString, folder.descriptor, name.cString) == 0 else {
                throw SystemError(errno, path)
            }
        } catch {
            unlinkat(folder.descriptor, temporary.cString, 0)
            throw SystemError(error.code, path)
        }
    }

    /// If `body` replaces the file, the new file gets the old attributes.
    package static func keepingAttributes<Failure: Error>(
        of path: String, _ body: () throws(Failure) -> Void
    ) throws(Failure) {
        let old = try? keeping(path)
        try body()
        guard let old, old.isThere, let new = try? OpenFile.open(path.followingLinks ?? path, O_RDONLY | O_NONBLOCK)
        else { return }
        // The content is saved, so this is not a failure.
        try? old.give(to: new)
    }

    private static func keeping(_ path: String) throws(SystemError) -> KeptAttributes {
        do throws(SystemError) {
            let file = try OpenFile.open(path.followingLinks ?? path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
            return KeptAttributes(file: file, isThere: true)
        } catch {
            guard error.code == ENOENT || error.code == EACCES else { throw error }
            return KeptAttributes(file: nil, isThere: error.code == EACCES)
        }
    }
}

private struct KeptAttributes: ~Copyable {
    /// Nil also if unreadable. Then only the owner gets permissions, because the access control list is unknown.
    let file: OpenFile?
    let isThere: Bool

    /// Does nothing for the same file.
    func give(to new: borrowing OpenFile) throws(SystemError) {
        switch file {
        case .some(let old):
            let (before, after) = (try old.status(), try new.status())
            guard before.kind == S_IFREG, after.kind == S_IFREG,
                before.st_ino != after.st_ino || before.st_dev != after.st_dev
            else { return }
            try new.keepAttributes(of: old, mode: mode_t(before.permissions & 0o777))
        case .none: return
        }
    }
}
