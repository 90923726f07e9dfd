// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// What a shell calls something that was found. A shell keeps what it was told of an id, so an activity that is shown
/// differently is another one to it; that it is the same activity is known here all the same.
package struct ResultID: Hashable, Sendable {
    package let key: ListedActivity.Key
    package let text: String

    package init(_ activity: ListedActivity) {
        key = activity.key
        let shown = [
            activity.title.text, activity.offer.appName.text, activity.deviceName.text, activity.targetName.text,
            "\(activity.target)",
        ]
        text = "\(key.device.hex)-\(key.activity.hex)-\(String(Self.sum(shown), radix: 16))"
    }

    /// Nil: none that was given out here.
    package init?(text: String) {
        guard text.utf8.count <= 128 else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let device = try? DeviceID(hex: String(parts[0])),
            let activity = try? ActivityID(hex: String(parts[1]))
        else { return nil }
        key = ListedActivity.Key(device: device, activity: activity)
        self.text = text
    }

    /// FNV-1a. The same in each run of this program, which the shell outlives.
    private static func sum(_ texts: [String]) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for text in texts {
            // A byte that is in no text stands between two.
            for byte in Array(text.utf8) + [0xFF] { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return sum
    }
}
