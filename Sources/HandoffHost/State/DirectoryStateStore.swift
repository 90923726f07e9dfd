// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
package import HandoffWire

/// The daemon's files in a folder of their own: 0700, each file 0600.
///
/// A file is replaced as a whole: written beside under a temporary name, synced, renamed over the old one, the folder
/// synced. A crash or a full disk at any point leaves the old file or the new one, never a part. What a crash left
/// under a temporary name is removed at the next start. The daemon's lock is taken first, so there is one writer.
package final class DirectoryStateStore: StateStore {
    /// One file, bytes. Far above what a full roster needs.
    package static let fileBytes = 16 * 1024 * 1024
    package let directory: String
    private let folder: OpenFile

    /// `directory` is absolute, and made where it is missing. `isOnlyWriter`: false for a reader of what another process
    /// may be writing; leftovers stay then, for they may be none. Throws as `PrivateDirectory.prepare` does.
    package init(directory: String, isOnlyWriter: Bool = true) throws(Failure) {
        self.directory = directory
        self.folder = try PrivateDirectory.open(directory)
        if isOnlyWriter { try removeLeftovers() }
    }

    package func read(_ name: String) throws(Failure) -> [UInt8]? {
        let path = try path(of: name)
        do throws(SystemError) {
            // Without O_NONBLOCK a named pipe put in the file's place would hold the daemon for ever.
            let file = try folder.open(name, O_RDONLY | O_NONBLOCK)
            try Self.check(try file.status(), path: path)
            return try file.readAll(limit: Self.fileBytes)
        } catch let error where error.code == ENOENT {
            return nil
        } catch {
            throw Failure(.stateNotWritable, error.explanation ?? "cannot read \(path): \(error.sentence)")
        }
    }

    package func write(_ bytes: [UInt8], to name: String) throws(Failure) {
        let path = try path(of: name)
        let temporary = Self.temporaryName(for: name)
        do throws(SystemError) {
            _ = unlinkat(folder.descriptor, temporary, 0)
            let file = try folder.open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            try file.write(bytes)
            try file.sync()
            guard renameat(folder.descriptor, temporary, folder.descriptor, name) == 0 else {
                throw SystemError(errno, path)
            }
            try folder.sync()
        } catch {
            _ = unlinkat(folder.descriptor, temporary, 0)
            throw Failure(.stateNotWritable, "cannot write \(path): \(error.sentence)\(Self.advice(error.code))")
        }
    }

    package func remove(_ name: String) throws(Failure) {
        let path = try path(of: name)
        guard unlinkat(folder.descriptor, name, 0) == 0 else {
            if errno == ENOENT { return }
            throw Failure(.stateNotWritable, "cannot remove \(path): \(SystemError(errno, path).sentence)")
        }
        do throws(SystemError) {
            try folder.sync()
        } catch {
            throw Failure(.stateNotWritable, "cannot remove \(path): \(error.sentence)")
        }
    }

    /// Names are ours, so a bad one is a mistake of ours; still an error, for it could reach out of the folder.
    private func path(of name: String) throws(Failure) -> String {
        let allowed = name.utf8.allSatisfy { character in
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard allowed, !name.isEmpty, name.utf8.count <= 128, !name.hasPrefix(".") else {
            throw Failure(.internal, "not a name for a file of state: \(name.debugDescription)")
        }
        return directory + "/" + name
    }

    private static func temporaryName(for name: String) -> String { ".\(name).new" }

    private func removeLeftovers() throws(Failure) {
        do throws(SystemError) {
            for name in try folder.entries(atMost: .max) where name.hasPrefix(".") && name.hasSuffix(".new") {
                _ = unlinkat(folder.descriptor, name, 0)
            }
        } catch {
            throw Failure(.stateNotWritable, "cannot list the folder \(directory): \(error.sentence)")
        }
    }

    private static func check(_ status: stat, path: String) throws(SystemError) {
        guard status.kind == S_IFREG else {
            throw SystemError(EINVAL, path, "\(path) is not a plain file; move it away")
        }
        guard status.st_uid == geteuid() else {
            throw SystemError(
                EPERM, path, "\(path) belongs to user \(status.st_uid), not to user \(geteuid()) who runs this")
        }
        guard status.permissions & 0o077 == 0 else {
            throw SystemError(
                EPERM, path,
                "others can read \(path) (mode \(PrivateDirectory.octal(status.permissions))), so they may know what it "
                    + "holds; if you are sure that they do not, run: chmod 600 \(path)")
        }
    }

    private static func advice(_ code: CInt) -> String {
        switch code {
        case ENOSPC, EDQUOT: "; nothing was lost, make room and try again"
        case EROFS, EACCES, EPERM: "; nothing was lost, make the folder writable"
        default: ""
        }
    }
}
