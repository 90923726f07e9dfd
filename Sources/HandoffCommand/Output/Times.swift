// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc
internal import HandoffWire

extension WallTime {
    /// For scripts: `2026-03-01T12:00:00Z`.
    var iso8601: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }

    /// `2026-03-01 13:00`, in the user's time zone.
    var local: String { formatted("%Y-%m-%d %H:%M") }
    var localClock: String { formatted("%H:%M:%S") }

    private func formatted(_ format: String) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static var now: WallTime { WallTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
}

extension Duration {
    /// With microseconds.
    var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1000 + Double(attoseconds / 1_000_000_000_000) / 1000
    }

    var inMilliseconds: String {
        let tenths = Int((milliseconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    /// `12.3 ms`, `4.2 s`, `5 min 2 s`
    var inBrief: String {
        if self < .seconds(1) { return inMilliseconds }
        guard self < .seconds(60) else { return inWords }
        let tenths = Int((milliseconds / 100).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// The two largest units: `3 d 4 h`.
    var inWords: String {
        var rest = max(0, components.seconds)
        var parts: [String] = []
        for (unit, seconds) in [("d", Int64(86400)), ("h", 3600), ("min", 60), ("s", 1)] {
            if rest >= seconds || (unit == "s" && parts.isEmpty) { parts.append("\(rest / seconds) \(unit)") }
            rest %= seconds
        }
        return parts.prefix(2).joined(separator: " ")
    }
}
