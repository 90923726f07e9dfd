// SPDX-License-Identifier: Apache-2.0

import HandoffCore
internal import HandoffWire

struct AnswerLimiter {
    /// Oldest first.
    private var recent: [(device: DeviceID, answered: Instant)] = []
    private var windowStart: Instant?
    private var inWindow = 0

    /// Whether an answer may be sent now; if so, it is recorded.
    mutating func allows(_ device: DeviceID, now: Instant) -> Bool {
        if let start = windowStart, start.duration(to: now) < .seconds(1) {
            guard inWindow < DiscoveryLimits.answersPerSecond else { return false }
        } else {
            windowStart = now
            inWindow = 0
        }
        if let index = recent.firstIndex(where: { $0.device == device }) {
            guard recent[index].answered.duration(to: now) >= DiscoveryLimits.answerGap else { return false }
            recent.remove(at: index)
        } else if recent.count >= DiscoveryLimits.answeredDevices {
            recent.removeFirst()
        }
        recent.append((device, now))
        inWindow += 1
        return true
    }
}
