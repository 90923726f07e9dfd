// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Shells cache the texts of an id, so an activity whose texts change gets another id. The activity's key remains part
/// of it.
struct ResultID: Hashable, Sendable {
    let key: ListedActivity.Key
    let text: String

    init(_ activity: ListedActivity) {
        key = activity.key
        let shown = [
            activity.title.text, activity.offer.appName.text, activity.deviceName.text, activity.targetName.text,
            "\(activity.target)",
        ]
        text = "\(key.device.hex)-\(key.activity.hex)-\(String(Self.sum(shown), radix: 16))"
    }

    /// Nil if the id was not made here.
    init?(text: String) {
        guard text.utf8.count <= 128 else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let device = try? DeviceID(hex: String(parts[0])),
            let activity = try? ActivityID(hex: String(parts[1]))
        else { return nil }
        key = ListedActivity.Key(device: device, activity: activity)
        self.text = text
    }

    /// FNV-1a: the same in each run of this program, because the shell outlives it.
    private static func sum(_ texts: [String]) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for text in texts {
            // Separated by a byte that never occurs in UTF-8.
            for byte in Array(text.utf8) + [0xFF] { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return sum
    }
}
