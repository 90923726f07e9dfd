// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

extension OpenFile {
    /// Throws `EXDEV` if the path leads out of this folder, `ELOOP` for a link without `followingLinks`. Adds O_CLOEXEC
    /// to `flags`; no O_CREAT.
    package func openBeneath(
        _ path: [UInt8], _ flags: CInt, followingLinks: Bool = true
    ) throws(SystemError) -> OpenFile {
        let descriptor = chandoff_open_beneath(self.descriptor, path.cString, flags, followingLinks)
        guard descriptor >= 0 else { throw SystemError(errno, self.path(of: path)) }
        return OpenFile(descriptor: descriptor, path: self.path(of: path))
    }

    /// Follows links. Only for inspection: opening a special file can have side effects.
    package func lookBeneath(_ path: [UInt8]) throws(SystemError) -> OpenFile {
        let descriptor = chandoff_look_beneath(self.descriptor, path.cString)
        guard descriptor >= 0 else { throw SystemError(errno, self.path(of: path)) }
        return OpenFile(descriptor: descriptor, path: self.path(of: path))
    }

    /// In one step. False if the file system cannot.
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
