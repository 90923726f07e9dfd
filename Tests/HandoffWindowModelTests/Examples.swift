// SPDX-License-Identifier: Apache-2.0

import HandoffStrings
import HandoffWire

@testable import HandoffWindowModel

let strings = LocalizedStrings(.english)
let now = WallTime(milliseconds: 1_800_000_000_000)
let laptop = DeviceID(uncheckedBytes: [UInt8](repeating: 1, count: 32))
let phone = DeviceID(uncheckedBytes: [UInt8](repeating: 2, count: 32))

/// An activity of the laptop or another device.
func activity(
    _ number: UInt8, _ title: String? = nil, on device: DeviceID = laptop, named name: String = "laptop",
    target: ListedActivity.Target = .webPage, hasPage: Bool = true, isFromHere: Bool = false
) throws -> ListedActivity {
    ListedActivity(
        offer: Offer(
            activity: ActivityID(uncheckedBytes: [UInt8](repeating: number, count: ActivityID.byteCount)),
            type: try ActivityType("com.example.notes"), title: title.map { DisplayText(cleaning: $0) },
            appName: DisplayText(cleaning: "Notes"), team: .developer(try team()), hasWebPage: hasPage,
            since: now.advanced(by: .seconds(-300))),
        device: device, deviceName: DisplayText(cleaning: name), deviceKind: .laptop, isFromThisDevice: isFromHere,
        target: target, targetName: DisplayText(cleaning: "Notes"))
}

func team() throws -> DeveloperTeam {
    DeveloperTeam(
        id: try TeamID("A1B2C3D4E5"), key: TeamFingerprint(uncheckedBytes: [UInt8](repeating: 7, count: 32)))
}

func id(_ number: UInt8, on device: DeviceID = laptop) -> ActivityLine.ID {
    ActivityLine.ID(ActivityID(uncheckedBytes: [UInt8](repeating: number, count: ActivityID.byteCount)), on: device)
}

func device(_ name: String, isHere: Bool = false, isConnected: Bool = false, address: String = "")
    -> DeviceSummary
{
    DeviceSummary(
        device: DeviceID(uncheckedBytes: [UInt8](repeating: UInt8(name.utf8.count), count: 32)),
        name: DisplayText(cleaning: name), kind: .laptop, isThisDevice: isHere, isConnected: isConnected,
        address: address, admitted: now, admittedBy: nil)
}
