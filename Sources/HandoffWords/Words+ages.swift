// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

extension Words {
    /// A relative time. Times in the future, of a clock that is ahead, are shown as now.
    package func age(of time: WallTime, at now: WallTime) -> String {
        let seconds = max(0, time.duration(to: now).components.seconds)
        return switch seconds {
        case ..<60: self[.justNow]
        case ..<3600: self(.minutesAgo, "\(seconds / 60)")
        case ..<86_400: self(.hoursAgo, "\(seconds / 3600)")
        default: self(.daysAgo, "\(seconds / 86_400)")
        }
    }
}
