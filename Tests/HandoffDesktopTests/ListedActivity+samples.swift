// SPDX-License-Identifier: Apache-2.0

import HandoffWire

extension ListedActivity {
    /// Each number is a different activity of another device.
    static func sample(
        _ number: UInt8, _ title: String, app: String = "Notes", on device: String = "laptop",
        target: Target? = nil, isForBrowserToo: Bool = false
    ) throws -> ListedActivity {
        let bundle = try BundleID("com.example.notes")
        return ListedActivity(
            offer: Offer(
                activity: ActivityID(uncheckedBytes: Array(repeating: number, count: 16)),
                type: try ActivityType("com.example.notes.reading"), title: DisplayText(cleaning: title),
                bundle: bundle,
                appName: DisplayText(cleaning: app),
                team: .personal(AccountID(uncheckedBytes: Array(repeating: 3, count: 32))),
                since: WallTime(milliseconds: 1_800_000_000_000)),
            device: DeviceID(uncheckedBytes: Array(repeating: 9, count: 32)), deviceName: DisplayText(cleaning: device),
            deviceKind: .laptop, isFromThisDevice: false, target: target ?? .app(bundle),
            targetName: DisplayText(cleaning: app), isForBrowserToo: isForBrowserToo)
    }
}
