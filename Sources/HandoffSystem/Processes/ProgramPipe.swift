// SPDX-License-Identifier: Apache-2.0

internal import Glibc

package final class ProgramPipe {
    package private(set) var reading: CInt
    package private(set) var writing: CInt

    package init() throws(SystemError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError(errno, "a pipe") }
        // Above the standard descriptors, which they replace in the child.
        let above = ends.map { fcntl($0, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
        let problem = errno
        for end in ends { close(end) }
        (reading, writing) = (above[0], above[1])
        guard reading >= 0, writing >= 0 else { throw SystemError(problem, "a pipe") }
    }

    deinit {
        closeReading()
        closeWriting()
    }

    package func closeReading() {
        if reading >= 0 { close(reading) }
        reading = -1
    }

    package func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// One `write` call. False if the reader is gone.
    package func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in retrying { Glibc.write(writing, bytes.baseAddress, bytes.count) } }
            == bytes.count
    }

    /// False if the reader is gone, or does not take all bytes before the deadline.
    package func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard wait(for: POLLOUT, of: writing, until: deadline) else { return false }
            // The kernel reports a pipe as writable if it has room for this much.
            let count = retrying {
                rest.prefix(4096).withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) }
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Nil if fewer bytes arrive.
    package func read(_ size: Int, until deadline: ContinuousClock.Instant) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: size)
        while bytes.count < size {
            guard wait(for: POLLIN, of: reading, until: deadline) else { return nil }
            let more = retrying { Glibc.read(reading, &buffer, size - bytes.count) }
            guard more > 0 else { return nil }
            bytes += buffer[..<more]
        }
        return bytes
    }

    /// Up to one byte beyond `limit`. Nil if the deadline passes.
    package func readAll(limit: Int, until deadline: ContinuousClock.Instant) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while bytes.count <= limit {
            guard wait(for: POLLIN, of: reading, until: deadline) else { return nil }
            let count = retrying { Glibc.read(reading, &buffer, buffer.count) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Blocks. Nil once the writer has ended.
    package func readSome() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        let count = retrying { Glibc.read(reading, &buffer, buffer.count) }
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// True also if the other end is gone. False after the deadline.
    private func wait(for event: CInt, of end: CInt, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { return false }
            var waiting = pollfd(fd: end, events: Int16(event), revents: 0)
            if retrying({ poll(&waiting, 1, CInt(left.rounded(.up))) }) != 0 { return true }
        }
    }
}
