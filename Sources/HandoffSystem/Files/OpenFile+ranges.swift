// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem
internal import Glibc

// The descriptor's position stays, because it may be shared.
extension OpenFile {
    /// Reads less only at the end of the file.
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

    /// Fewer bytes only at the end of the file.
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

    /// Shares blocks if possible. Returns how many bytes there were.
    package func copy(_ size: UInt64, of source: borrowing OpenFile) throws(SystemError) -> UInt64 {
        try copy(0..<size, of: source, to: 0)
    }

    @discardableResult
    package func copy(
        _ range: Range<UInt64>, of source: borrowing OpenFile, to offset: UInt64
    ) throws(SystemError) -> UInt64 {
        var done: UInt64 = 0
        while done < UInt64(range.count) {
            let most = Int(min(UInt64(range.count) - done, 1 << 30))
            let count = retrying {
                chandoff_copy_range(
                    source.descriptor, off_t(range.lowerBound + done), descriptor, off_t(offset + done), most)
            }
            guard count >= 0 else {
                switch errno {
                // Two file systems, or two folders of an encrypted one.
                case EXDEV, EINVAL, EOPNOTSUPP, ENOSYS, EPERM:
                    let rest = range.lowerBound + done..<range.upperBound
                    return done + (try copyHere(rest, of: source, to: offset + done))
                default: throw SystemError(errno, path)
                }
            }
            if count == 0 { break }
            done += UInt64(count)
        }
        return done
    }

    private func copyHere(
        _ range: Range<UInt64>, of source: borrowing OpenFile, to offset: UInt64
    ) throws(SystemError) -> UInt64 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 1)
        defer { buffer.deallocate() }
        var done: UInt64 = 0
        while done < UInt64(range.count) {
            let wanted = Int(min(UInt64(range.count) - done, UInt64(buffer.count)))
            let place = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            let count = try source.read(into: place, at: range.lowerBound + done)
            try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset + done)
            done += UInt64(count)
            if count < wanted { break }
        }
        return done
    }

    /// Shortens a later sync, if the file system can. Does not block.
    package func beginWriting(_ range: Range<UInt64>) {
        guard let offset = off_t(exactly: range.lowerBound), let count = off_t(exactly: range.count) else { return }
        chandoff_begin_writing(descriptor, offset, count)
    }

    /// Throws if so many bytes in total do not fit. Without reservations, checks the free space.
    package func reserve(_ bytes: UInt64) throws(SystemError) {
        guard bytes > 0 else { return }
        guard bytes <= UInt64(off_t.max) else { throw SystemError(EFBIG, path) }
        guard chandoff_reserve(descriptor, off_t(bytes)) != 0 else { return }
        guard errno == EOPNOTSUPP || errno == ENOSYS else { throw SystemError(errno, path) }
        try checkFree(bytes)
    }

    /// Frees blocks, which then read as zeros. False if the file system cannot.
    package func freeRange(_ range: Range<UInt64>) throws(SystemError) -> Bool {
        guard !range.isEmpty else { return true }
        guard let offset = off_t(exactly: range.lowerBound), let count = off_t(exactly: range.count) else {
            return false
        }
        if retrying({ chandoff_free_range(descriptor, offset, count) }) == 0 { return true }
        guard errno == EOPNOTSUPP || errno == ENOSYS else { throw SystemError(errno, path) }
        return false
    }

    /// Also frees space reserved beyond `bytes`.
    package func truncate(to bytes: UInt64) throws(SystemError) {
        guard let size = off_t(exactly: bytes), retrying({ ftruncate(descriptor, size) }) == 0 else {
            throw SystemError(errno, path)
        }
    }

    package func checkFree(_ bytes: UInt64) throws(SystemError) {
        var facts = chandoff_file_system_facts()
        if chandoff_file_system(descriptor, &facts) == 0, facts.free_bytes < bytes { throw SystemError(ENOSPC, path) }
    }

    package func setTime(seconds: Int, nanoseconds: Int) throws(SystemError) {
        let time = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
        guard futimens(descriptor, [time, time]) == 0 else { throw SystemError(errno, path) }
    }
}
