// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    /// The activities offered here, and the list of all offered activities.
    package enum Advertising: Hashable, Sendable {
        case publish(Publication)
        case withdraw(ActivityID)
        /// The state has changed since the last save.
        case changed(ActivityID)
        case deleteSaved(SavedActivities)
        /// `withFiles`: another device is fetching the state now.
        case save(ActivityID, deadline: Duration, withFiles: Bool = false)
        case saved(ActivityState, saving: Duration, files: [SavedFile] = [])
        case listActivities(watch: Bool, all: Bool)
        case activityList([ListedActivity])
    }
}

/// A new current activity, or a new description of it.
package struct Publication: Hashable, Sendable {
    package var activity: ActivityID
    package var type: ActivityType
    package var title: DisplayText?
    package var supportsStreams: Bool
    package var hasWebPage: Bool
    package var expires: WallTime?
    /// As in `Offer`.
    package var webHost: WebHost?

    package init(
        activity: ActivityID, type: ActivityType, title: DisplayText? = nil, supportsStreams: Bool = false,
        hasWebPage: Bool = false, expires: WallTime? = nil, webHost: WebHost? = nil
    ) {
        self.activity = activity
        self.type = type
        self.title = title
        self.supportsStreams = supportsStreams
        self.hasWebPage = hasWebPage
        self.expires = expires
        self.webHost = webHost
    }
}

package struct ListedActivity: Hashable, Sendable {
    package enum Target: Hashable, Sendable {
        case app(BundleID)
        case webPage
        case script
        case nothing(String)
    }

    package var offer: Offer
    package var device: DeviceID
    package var deviceName: DisplayText
    package var deviceKind: DeviceKind
    package var isFromThisDevice: Bool
    package var target: Target
    package var targetName: DisplayText
    package var isForBrowserToo: Bool
    /// Its user sent it here. It continues without its origin.
    package var isSent: Bool

    package var isContinuable: Bool {
        if case .nothing = target { false } else { true }
    }

    package init(
        offer: Offer, device: DeviceID, deviceName: DisplayText, deviceKind: DeviceKind, isFromThisDevice: Bool,
        target: Target, targetName: DisplayText, isForBrowserToo: Bool = false, isSent: Bool = false
    ) {
        self.offer = offer
        self.device = device
        self.deviceName = deviceName
        self.deviceKind = deviceKind
        self.isFromThisDevice = isFromThisDevice
        self.target = target
        self.targetName = targetName
        self.isForBrowserToo = isForBrowserToo
        self.isSent = isSent
    }
}
