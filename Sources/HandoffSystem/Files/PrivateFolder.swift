// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A folder that only this user can enter (0700), with files that only this user can read (0600).
///
/// Files are written under a temporary name, with a dot, synced and renamed: a crash or a full disk leaves the old or
/// the new file.
///
/// Errors have full sentences if the system's message is unclear.
package struct PrivateFolder: ~Copyable, Sendable {
    package let folder: OpenFile

    package var path: String { folder.path }

    /// Creates missing folders, 0700. Throws if that fails, or if it is not a folder, belongs to another user, or is
    /// open to others.
    package static func make(_ path: String) throws(SystemError) -> PrivateFolder {
        guard path.hasPrefix("/") else { throw SystemError(EINVAL, path, "\(path) is not an absolute path") }
        try MissingFolders.make(path)
        return try open(path)
    }

    /// Throws `ENOENT` if missing, else as `make` does.
    package static func open(_ path: String) throws(SystemError) -> PrivateFolder {
        let folder: OpenFile
        do throws(SystemError) {
            folder = try OpenFile.open(path, O_RDONLY | O_DIRECTORY)
        } catch let error where error.code == ENOTDIR || error.code == ELOOP {
            throw SystemError(error.code, path, "\(path) is not a folder; move it out of the way")
        }
        let status = try folder.status()
        try checkOwner(of: status, "the folder \(path)")
        guard status.isPrivate else {
            throw SystemError(
                EBADF, path, "other users can enter the folder \(path) (mode \(status.octal)); run: chmod 700 \(path)")
        }
        return PrivateFolder(folder: folder)
    }

    private static func checkOwner(of status: stat, _ what: String) throws(SystemError) {
        guard status.st_uid == geteuid() else {
            throw SystemError(
                EBADF, what, "\(what) belongs to user \(status.st_uid), not to user \(geteuid()) who runs this")
        }
    }

    // MARK: Files

    /// Throws if it is not a regular file, belongs to another user, or is readable by others; `EFBIG` above `limit`
    /// bytes.
    package func read(_ name: String, limit: Int) throws(SystemError) -> [UInt8]? {
        let file: OpenFile
        do throws(SystemError) {
            // O_NONBLOCK: a named pipe in the file's place would block forever.
            file = try folder.open(name, O_RDONLY | O_NONBLOCK)
        } catch let error where error.code == ENOENT {
            return nil
        }
        let status = try file.status()
        guard status.kind == S_IFREG else {
            throw SystemError(EINVAL, file.path, "\(file.path) is not a plain file; move it away")
        }
        try Self.checkOwner(of: status, file.path)
        guard status.isPrivate else {
            throw SystemError(
                EBADF, file.path,
                "other users can read \(file.path) (mode \(status.octal)), so they may know its content; if you are sure that "
                    + "they do not, run: chmod 600 \(file.path)")
        }
        return try file.readAll(limit: limit)
    }

    /// Returns once the file is on disk.
    package func write(_ bytes: [UInt8], to name: String) throws(SystemError) {
        let temporary = try writeBeside(bytes, name)
        guard renameat(folder.descriptor, temporary, folder.descriptor, name) == 0 else {
            let error = SystemError(errno, path + "/" + name)
            unlinkat(folder.descriptor, temporary, 0)
            throw error
        }
        try folder.sync()
    }

    /// False, without a change, if the file exists.
    package func writeFirst(_ bytes: [UInt8], to name: String) throws(SystemError) -> Bool {
        let temporary = try writeBeside(bytes, name)
        defer { unlinkat(folder.descriptor, temporary, 0) }
        guard linkat(folder.descriptor, temporary, folder.descriptor, name, 0) == 0 else {
            guard errno == EEXIST else { throw SystemError(errno, path + "/" + name) }
            return false
        }
        try folder.sync()
        return true
    }

    /// The temporary name has the process number because other processes may write too. Within a process, one thread at
    /// a time may write a file.
    private func writeBeside(_ bytes: [UInt8], _ name: String) throws(SystemError) -> String {
        let temporary = ".\(name).\(getpid())\(Self.ending)"
        unlinkat(folder.descriptor, temporary, 0)
        do throws(SystemError) {
            let file = try folder.open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            try file.write(bytes)
            try file.sync()
        } catch {
            unlinkat(folder.descriptor, temporary, 0)
            throw SystemError(error.code, path + "/" + name)
        }
        return temporary
    }

    package func remove(_ name: String) throws(SystemError) {
        guard unlinkat(folder.descriptor, name, 0) == 0 else {
            if errno == ENOENT { return }
            throw SystemError(errno, path + "/" + name)
        }
        try folder.sync()
    }

    /// Regular files, sorted, without those that begin with a dot.
    package func names() throws(SystemError) -> [String] {
        try folder.entries(atMost: .max).filter { name in
            var status = stat()
            return !name.hasPrefix(".") && fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
                && status.kind == S_IFREG
        }
    }

    private static let ending = ".new"

    /// Only while no one writes.
    package func removeLeftovers() throws(SystemError) {
        for name in try folder.entries(atMost: .max) where name.hasPrefix(".") && name.hasSuffix(Self.ending) {
            unlinkat(folder.descriptor, name, 0)
        }
    }
}

extension stat {
    fileprivate var isPrivate: Bool { permissions & 0o077 == 0 }

    fileprivate var octal: String {
        let digits = String(permissions, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

enum MissingFolders {
    /// 0700. Throws `EPERM` if a user became root to do this in their own folder: they could not use what root created
    /// there, possibly `~/.config`, or the folder of their daemon's socket.
    static func make(_ path: String) throws(SystemError) {
        var status = stat()
        if stat(path, &status) == 0 { return try refuseForeign(path, of: status.st_uid) }
        // A broken link, which the caller's own error names.
        if lstat(path, &status) == 0 { return }
        try make(path.parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError(errno, path) }
    }

    private static func refuseForeign(_ path: String, of owner: uid_t) throws(SystemError) {
        guard geteuid() == 0, owner != 0 else { return }
        let advice: String
        if owner == elevatedUser {
            advice = "run this without sudo"
        } else if path == sessionFolder {
            advice = "run this as that user, or unset XDG_RUNTIME_DIR"
        } else {
            return
        }
        throw SystemError(
            EPERM, path, "\(path) belongs to user \(owner), who could not use a file that root creates there; \(advice)"
        )
    }

    /// `su` leaves it as it was. The XDG Base Directory Specification: it belongs to its user.
    private static var sessionFolder: String? {
        getenv("XDG_RUNTIME_DIR").map { value in
            let path = String(cString: value)
            return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }
    }

    /// The user who ran sudo, run0 or pkexec.
    private static var elevatedUser: uid_t? {
        for variable in ["SUDO_UID", "PKEXEC_UID"] {
            if let value = getenv(variable), let user = uid_t(String(cString: value)) { return user }
        }
        return nil
    }
}
