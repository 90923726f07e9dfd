// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

extension DocumentDisk {
    func storage(of path: AbsolutePath) throws(Failure) -> DocumentStorage {
        let folder = try placing { () throws(SystemError) in
            do throws(SystemError) { return try OpenFile.openFolder(path) } catch let error where error.code == ENOENT {
                try makeFolders(path)
                return try OpenFile.openFolder(path)
            }
        }
        guard let kind = FileSystemKind(of: folder) else {
            throw Failure(.documentGone, "the system does not report which file system \(path) is on")
        }
        var readOnly: String?
        if kind.isReadOnly {
            readOnly = "\(path) is on a read-only file system"
        } else if faccessat(folder.descriptor, ".", W_OK | X_OK, 0) != 0 {
            readOnly = "\(path) cannot be written to: \(SystemError(errno, path.text).reason)"
        }
        return DocumentStorage(name: kind.name, isShared: kind.isShared, readOnly: readOnly)
    }

    private func makeFolders(_ path: AbsolutePath) throws(SystemError) {
        var bytes: [UInt8] = []
        for part in path.bytes.split(separator: UInt8(ascii: "/")) {
            bytes += [UInt8(ascii: "/")] + part
            guard mkdir(bytes.cString, 0o700) == 0 || errno == EEXIST else {
                // For an existing folder, mkdir may report another error, such as in a read-only parent.
                if access(bytes.cString, F_OK) == 0 { continue }
                throw SystemError(errno, String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}
