// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem
package import HandoffWire

/// The kernel releases it even at a crash.
package final class DaemonLock {
    package let path: String
    private let file: OpenFile

    /// `path`: `Locations.lock`. Throws `.notAllowed` naming the holder, `.stateNotWritable` if the file cannot be
    /// used.
    package init(path: String) throws(Failure) {
        self.path = path
        try PrivateDirectory.prepare(path.parent)
        file = try Self.open(path)
        guard retrying({ flock(file.descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
            let holder = (try? file.readAll(limit: 64)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            let process = Int32(holder.prefix { $0.isNumber }).map { " (process \($0))" } ?? ""
            throw Failure(
                .notAllowed,
                "another handoffd\(process) is already running here: it holds \(path); stop it, or give this handoffd its own --root"
            )
        }
        do throws(SystemError) {
            guard ftruncate(file.descriptor, 0) == 0 else { throw SystemError(errno, path) }
            try file.write("\(getpid())\n".utf8)
        } catch {
            throw Failure(.stateNotWritable, "cannot write the lock \(path): \(error.reason)")
        }
    }

    private static func open(_ path: String) throws(Failure) -> OpenFile {
        do throws(SystemError) {
            return try OpenFile.open(path, O_RDWR | O_CREAT)
        } catch {
            throw Failure(.stateNotWritable, "cannot use the lock \(path): \(error.reason)")
        }
    }
}

enum PrivateDirectory {
    /// Creates the folder and its parents, 0700. Throws `.stateNotWritable`, also if it belongs to another user or is
    /// open to others.
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
