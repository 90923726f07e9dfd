// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

// Bytes by where they are: the descriptor's own position, which others may share, is left alone.
extension OpenFile {
    /// As many as the buffer has and the file gives, from `offset`: fewer only at its end.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = retrying {
                pread(descriptor, buffer.baseAddress! + filled, buffer.count - filled, off_t(offset) + off_t(filled))
            }
            guard count >= 0 else { throw SystemError(errno, path) }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// So many from there on: fewer only at its end.
    package func bytes(at offset: UInt64, count: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemError) {
                let place = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
                filled = try read(into: UnsafeMutableRawBufferPointer(place), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// All of them.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = retrying {
                pwrite(descriptor, bytes.baseAddress! + written, bytes.count - written, off_t(offset) + off_t(written))
            }
            guard count >= 0 else { throw SystemError(errno, path) }
            written += count
        }
    }

    /// The first `size` bytes of another file, at the same places; shared with it where the file system can. Returns how many
    /// there were.
    package func copy(_ size: UInt64, of source: borrowing OpenFile) throws(SystemError) -> UInt64 {
        var done: UInt64 = 0
        while done < size {
            let most = Int(min(size - done, 1 << 30))
            let count = retrying {
                chandoff_copy_range(source.descriptor, off_t(done), descriptor, off_t(done), most)
            }
            guard count >= 0 else {
                switch errno {
                // Between two file systems, or two folders of one that is encrypted.
                case EXDEV, EINVAL, EOPNOTSUPP, ENOSYS, EPERM: return try copyHere(size, of: source, from: done)
                default: throw SystemError(errno, path)
                }
            }
            if count == 0 { break }
            done += UInt64(count)
        }
        return done
    }

    private func copyHere(
        _ size: UInt64, of source: borrowing OpenFile, from begin: UInt64
    ) throws(SystemError) -> UInt64 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 1)
        defer { buffer.deallocate() }
        var done = begin
        while done < size {
            let wanted = Int(min(size - done, UInt64(buffer.count)))
            let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: done)
            try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: done)
            done += UInt64(count)
            if count < wanted { break }
        }
        return done
    }

    /// Room for so many bytes in all. Throws where that is not to be had; a file system that cannot tell beforehand is asked how
    /// much is free.
    package func reserve(_ bytes: UInt64) throws(SystemError) {
        guard bytes > 0 else { return }
        guard bytes <= UInt64(off_t.max) else { throw SystemError(EFBIG, path) }
        guard chandoff_reserve(descriptor, off_t(bytes)) != 0 else { return }
        guard errno == EOPNOTSUPP || errno == ENOSYS else { throw SystemError(errno, path) }
        try checkFree(bytes)
    }

    /// Throws where so many bytes are not free now where this file or folder is.
    package func checkFree(_ bytes: UInt64) throws(SystemError) {
        var facts = chandoff_file_system_facts()
        if chandoff_file_system(descriptor, &facts) == 0, facts.free_bytes < bytes { throw SystemError(ENOSPC, path) }
    }

    /// The times of its last change of content; of its last use as well.
    package func setTime(seconds: Int, nanoseconds: Int) throws(SystemError) {
        let time = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
        guard futimens(descriptor, [time, time]) == 0 else { throw SystemError(errno, path) }
    }
}
