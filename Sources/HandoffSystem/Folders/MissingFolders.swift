// SPDX-License-Identifier: Apache-2.0

internal import Glibc

enum MissingFolders {
    /// Creates the folder and its missing parents with mode 0700. Throws `EPERM` if a user became root to do this in
    /// their own folder. They could not use what root created there, possibly `~/.config`, which all their programs
    /// need.
    static func make(_ path: String) throws(SystemError) {
        var status = stat()
        if stat(path, &status) == 0 { return try refuseElevated(path, of: status.st_uid) }
        // A broken link: the caller's own error names it.
        if lstat(path, &status) == 0 { return }
        try make(path.parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError(errno, path) }
    }

    private static func refuseElevated(_ path: String, of owner: uid_t) throws(SystemError) {
        guard geteuid() == 0, owner != 0, owner == elevatedUser else { return }
        throw SystemError(
            EPERM, path,
            "\(path) belongs to user \(owner), who could not use a file that root creates there; run this without sudo")
    }

    /// The user who ran sudo, run0 or pkexec.
    private static var elevatedUser: uid_t? {
        for variable in ["SUDO_UID", "PKEXEC_UID"] {
            if let value = getenv(variable), let user = uid_t(String(cString: value)) { return user }
        }
        return nil
    }
}
