// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

enum FrameStream {
    /// False: the time is over, without input.
    static func waitForInput(until time: ContinuousClock.Instant) -> Bool {
        let left = max((time - .now) / .milliseconds(1), 0)
        var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return retrying { poll(&waiting, 1, CInt(left.rounded(.up))) } != 0
    }

    /// Nil: the input has ended, or is not a frame.
    static func read(limit: Int) -> [UInt8]? {
        guard let head = read(exactly: FrameHeader.byteCount) else { return nil }
        return (try? FrameHeader.length(head, limit: limit)).flatMap(read(exactly:))
    }

    private static func read(exactly count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: count)
        while bytes.count < count {
            let more = retrying { Glibc.read(STDIN_FILENO, &buffer, count - bytes.count) }
            guard more > 0 else { return nil }
            bytes += buffer[..<more]
        }
        return bytes
    }

    /// False: the reader is gone.
    static func write(_ bytes: [UInt8]) -> Bool {
        var rest = (FrameHeader.bytes(length: bytes.count) + bytes)[...]
        while !rest.isEmpty {
            let count = retrying { rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) } }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
