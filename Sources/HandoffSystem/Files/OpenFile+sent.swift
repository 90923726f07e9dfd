// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

extension OpenFile {
    /// Follows links, so only for a path that the caller may choose freely. Adds O_CLOEXEC.
    package static func open(following path: [UInt8], _ flags: CInt) throws(SystemError) -> OpenFile {
        let name = path.map { CChar(bitPattern: $0) } + [0]
        let descriptor = retrying { Glibc.open(name, flags | O_CLOEXEC) }
        let shown = String(decoding: path, as: UTF8.self)
        guard descriptor >= 0 else { throw SystemError(errno, shown) }
        return OpenFile(descriptor: descriptor, path: shown)
    }

    /// Opened for reading only. Asks no file system, because it may never answer.
    package var isFileOrFolderToRead: Bool { chandoff_reads_file_or_folder(descriptor) != 0 }

    /// Without links. Nil without a name.
    package var place: [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink > 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> [UInt8]? in
            let length = readlink("/proc/self/fd/\(descriptor)", buffer.baseAddress!, buffer.count)
            guard length > 0, length < buffer.count else { return nil }
            return Array(UnsafeRawBufferPointer(start: buffer.baseAddress, count: length))
        }
    }

    /// Both descriptors share one position.
    package func duplicate() throws(SystemError) -> OpenFile {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw SystemError(errno, path) }
        return OpenFile(descriptor: copy, path: path)
    }
}
