// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

extension OpenFile {
    /// By the bytes of its path, and through links: of a path that somebody names who may lead it where he likes. `flags` get
    /// O_CLOEXEC.
    package static func open(following path: [UInt8], _ flags: CInt) throws(SystemError) -> OpenFile {
        let name = path.map { CChar(bitPattern: $0) } + [0]
        let descriptor = retrying { Glibc.open(name, flags | O_CLOEXEC) }
        let shown = String(decoding: path, as: UTF8.self)
        guard descriptor >= 0 else { throw SystemError(errno, shown) }
        return OpenFile(descriptor: descriptor, path: shown)
    }

    /// Whether a plain file or a folder can be read by it, and not be written to. Asks no file system, of which some never
    /// answer.
    package var isFileOrFolderToRead: Bool { chandoff_reads_file_or_folder(descriptor) != 0 }

    /// Where it lies now, by the system's word and its bytes, without links. Nil where it has no name any more.
    package var place: [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink > 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> [UInt8]? in
            let length = readlink("/proc/self/fd/\(descriptor)", buffer.baseAddress!, buffer.count)
            guard length > 0, length < buffer.count else { return nil }
            return Array(UnsafeRawBufferPointer(start: buffer.baseAddress, count: length))
        }
    }

    /// Another descriptor of the same. They have one position, which both move.
    package func duplicate() throws(SystemError) -> OpenFile {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw SystemError(errno, path) }
        return OpenFile(descriptor: copy, path: path)
    }
}
