// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffStrings
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

    /// And some seconds, so that the age stays the same during a test.
    func since(minutesAgo minutes: Int) -> ListedActivity {
        var activity = self
        activity.offer.since = WallTime.now.advanced(by: .seconds(-minutes * 60 - 10))
        return activity
    }
}

extension ScriptedDaemon {
    /// The app of the samples, by a desktop entry whose icon is a file. Returns the file's path.
    @discardableResult
    func install(in folder: UserFolder, picture: String) throws -> String {
        let sample = try ListedActivity.sample(1, "")
        let (icon, entry) = (folder.path + "/notes.png", folder.path + "/applications/com.example.notes.desktop")
        try picture.write(toFile: icon, atomically: true, encoding: .utf8)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/applications", withIntermediateDirectories: true)
        try "[Desktop Entry]\nType=Application\nName=Notes\nIcon=\(icon)\n"
            .write(toFile: entry, atomically: true, encoding: .utf8)
        install([
            AppSummary(
                bundle: try BundleID("com.example.notes"), name: sample.targetName, version: "1",
                team: sample.offer.team, teamName: nil, isInDevelopment: true, isTrusted: true, activityTypes: [],
                path: entry, entry: entry, isRunning: false)
        ])
        return icon
    }
}
