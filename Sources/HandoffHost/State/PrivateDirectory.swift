// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
import HandoffWire

/// A folder that only this user can enter: the state, the logs, and the runtime folder with the daemon's socket.
enum PrivateDirectory {
    /// Creates it and missing parents with mode 0700. Throws `.stateNotWritable` if it cannot be created, is not a
    /// folder, belongs to another user, or is open to others.
    static func prepare(_ path: String) throws(Failure) {
        _ = try open(path)
    }

    static func open(_ path: String) throws(Failure) -> PrivateFolder {
        do throws(SystemError) {
            return try PrivateFolder.make(path)
        } catch {
            throw Failure(
                .stateNotWritable,
                error.explanation ?? "cannot use the folder \(error.subject): \(error.reason)\(advice(error))")
        }
    }

    private static func advice(_ error: SystemError) -> String {
        switch error.code {
        case EACCES, EROFS, EPERM: "; choose a folder of your own with --root, or set the XDG variable that names it"
        default: ""
        }
    }
}
