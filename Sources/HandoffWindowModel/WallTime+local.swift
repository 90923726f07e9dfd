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

    private func formatted(_ format: String) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "" }
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, format, &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
