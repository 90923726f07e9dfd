// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffWire

extension WallTime {
    package static var now: WallTime {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return WallTime(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
    }

    /// `14:05`; on other days `2026-03-01 14:05`.
    package var localClock: String {
        let today = Self.now.formatted("%Y-%m-%d")
        let day = formatted("%Y-%m-%d")
        return day == today ? formatted("%H:%M") : "\(day) \(formatted("%H:%M"))"
    }

    /// When `Pause.untilTomorrow` ends.
    private static let morningHour: CInt = 5

    /// The next 5:00 of the user's clock, also on days with 23 or 25 hours.
    package var nextMorning: WallTime? {
        guard var parts = localParts else { return nil }
        if parts.tm_hour >= Self.morningHour { parts.tm_mday += 1 }
        (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (Self.morningHour, 0, 0, -1)
        let seconds = mktime(&parts)
        return seconds == -1 ? nil : WallTime(milliseconds: Int64(seconds) * 1000)
    }

    private var localParts: tm? {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        return localtime_r(&seconds, &parts) == nil ? nil : parts
    }

    private func formatted(_ format: String) -> String {
        guard var parts = localParts else { return "" }
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, format, &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
