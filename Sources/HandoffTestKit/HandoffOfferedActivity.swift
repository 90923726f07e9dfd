// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// An activity of another device, as shown to the user.
public struct HandoffOfferedActivity: Hashable, Sendable, CustomStringConvertible {
    /// The result of continuing it on this device.
    public enum Target: Hashable, Sendable {
        /// This app continues it, and is started if necessary.
        case app(bundleIdentifier: String)
        /// The web page is opened.
        case webPage
        /// Nothing can continue it.
        case nothing(reason: String)
    }

    public let activityType: String
    public let title: String?
    /// The offering device.
    public let deviceName: String
    public let target: Target

    let activity: ActivityID
    let device: DeviceID

    init(_ listed: ListedActivity) {
        activityType = listed.offer.type.name
        title = listed.offer.title?.text
        deviceName = listed.deviceName.text
        activity = listed.offer.activity
        device = listed.device
        target =
            switch listed.target {
            case .app(let bundle): .app(bundleIdentifier: bundle.name)
            case .webPage: .webPage
            case .script: .nothing(reason: "it is for a script")
            case .nothing(let reason): .nothing(reason: reason)
            }
    }

    public var description: String { "\(title ?? activityType) on \(deviceName)" }
}
