// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffWire

/// A folder that only this user can enter: the state, the logs, and the runtime folder with the daemon's socket.
package enum PrivateDirectory {
    /// Makes it, and the folders above it, with mode 0700 where they are missing.
    /// Throws `.stateNotWritable` where it cannot be made, is not a folder, belongs to another user, or is open to others.
    package static func prepare(_ path: String) throws(Failure) {
        _ = try open(path)
    }

    static func open(_ path: String) throws(Failure) -> OpenFile {
        guard path.hasPrefix("/") else {
            throw Failure(.stateNotWritable, "\(path) is not an absolute path")
        }
        do throws(SystemError) {
            try makeMissing(path)
        } catch {
            throw Failure(.stateNotWritable, "cannot make the folder \(error.path): \(error.sentence)\(advice(error))")
        }
        let folder = try openFolder(path)
        var status = stat()
        guard fstat(folder.descriptor, &status) == 0 else {
            throw Failure(.stateNotWritable, "cannot use the folder \(path): \(SystemError(errno, path).sentence)")
        }
        guard status.st_uid == geteuid() else {
            throw Failure(
                .stateNotWritable,
                "the folder \(path) belongs to user \(status.st_uid), not to user \(geteuid()) who runs this")
        }
        guard status.permissions & 0o077 == 0 else {
            throw Failure(
                .stateNotWritable,
                "others can enter the folder \(path) (mode \(octal(status.permissions))); run: chmod 700 \(path)")
        }
        return folder
    }

    private static func openFolder(_ path: String) throws(Failure) -> OpenFile {
        do throws(SystemError) {
            return try OpenFile.open(path, O_RDONLY | O_DIRECTORY)
        } catch let error where error.code == ENOTDIR || error.code == ELOOP {
            throw Failure(.stateNotWritable, "\(path) is not a folder; move it away")
        } catch {
            throw Failure(.stateNotWritable, "cannot use the folder \(path): \(error.sentence)")
        }
    }

    private static func makeMissing(_ path: String) throws(SystemError) {
        var status = stat()
        if lstat(path, &status) == 0 { return }
        try makeMissing(path.parent)
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw SystemError(errno, path) }
    }

    private static func advice(_ error: SystemError) -> String {
        switch error.code {
        case EACCES, EROFS, EPERM: "; choose a folder of your own with --root, or set the XDG variable it comes from"
        default: ""
        }
    }

    /// "0644"
    static func octal(_ mode: mode_t) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
