// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

extension OpenFile {
    /// Somewhere beneath this folder, and never out of it. Throws `EXDEV` where it leads out, `ELOOP` for a link where none
    /// is followed. `flags` get O_CLOEXEC; no O_CREAT.
    package func openBeneath(
        _ path: [UInt8], _ flags: CInt, followingLinks: Bool = true
    ) throws(SystemError) -> OpenFile {
        let descriptor = chandoff_open_beneath(self.descriptor, path.cString, flags, followingLinks)
        guard descriptor >= 0 else { throw SystemError(errno, self.path(of: path)) }
        return OpenFile(descriptor: descriptor, path: self.path(of: path))
    }

    /// The same, following links: one to be looked at, not to be read, for what is no file may do something when it is opened.
    package func lookBeneath(_ path: [UInt8]) throws(SystemError) -> OpenFile {
        let descriptor = chandoff_look_beneath(self.descriptor, path.cString)
        guard descriptor >= 0 else { throw SystemError(errno, self.path(of: path)) }
        return OpenFile(descriptor: descriptor, path: self.path(of: path))
    }

    /// Swaps two names in one step. False where the file system cannot.
    package func swap(
        _ name: [UInt8], with other: [UInt8], in folder: borrowing OpenFile
    ) throws(SystemError) -> Bool {
        if chandoff_exchange(descriptor, name.cString, folder.descriptor, other.cString) == 0 { return true }
        switch errno {
        case EINVAL, ENOSYS, EOPNOTSUPP: return false
        default: throw SystemError(errno, folder.path(of: other))
        }
    }
}
