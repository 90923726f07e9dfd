// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

extension FileNumber {
    init(_ status: stat) { self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) }
}

extension FileTime {
    init(_ time: timespec) { self.init(seconds: time.tv_sec, nanoseconds: time.tv_nsec) }

    /// Rounded down, because the system requires nanoseconds of at least zero.
    var parts: (seconds: Int, nanoseconds: Int) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest < 0 ? (Int(seconds) - 1, Int(rest) + 1_000_000_000) : (Int(seconds), Int(rest))
    }
}

extension FileVersion {
    init(_ status: stat) {
        self.init(
            file: FileNumber(status), size: UInt64(clamping: status.st_size), modified: FileTime(status.st_mtim),
            changed: FileTime(status.st_ctim), mode: UInt16(status.permissions & 0o777))
    }
}

extension OpenFile {
    func version() throws(SystemError) -> FileVersion { FileVersion(try status()) }

    func setTime(_ time: FileTime) throws(SystemError) {
        try setTime(seconds: time.parts.seconds, nanoseconds: time.parts.nanoseconds)
    }
}

/// The clock of file time stamps, which advances in steps of a few milliseconds.
enum FileClock {
    /// Milliseconds; a step is at most ten.
    private static let longestWait = 20

    /// Every later change then gets a later time stamp, so the same version means the same content. False for a time
    /// too far ahead, as another machine may set.
    static func waits(past time: FileTime) -> Bool {
        for attempt in 0...longestWait {
            var now = timespec()
            clock_gettime(CLOCK_REALTIME_COARSE, &now)
            if FileTime(now) > time { return true }
            if attempt < longestWait { usleep(1000) }
        }
        return false
    }

    /// In this file, because it names `stat` first: if the compiler finds `timespec` first, it takes `stat` for
    /// CoreFoundation's in later files.
    static var now: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Includes suspend.
    static var sinceBoot: Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
