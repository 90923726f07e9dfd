// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    /// What is offered here, and what the list of all that is offered shows.
    package enum Advertising: Hashable, Sendable {
        case publish(Publication)
        case withdraw(ActivityID)
        /// The state is not what was saved last.
        case changed(ActivityID)
        case deleteSaved(SavedActivities)
        /// `withFiles`: another device gets it now.
        case save(ActivityID, deadline: Duration, withFiles: Bool = false)
        case saved(ActivityState, saving: Duration, files: [SavedFile] = [])
        case listActivities(watch: Bool, all: Bool)
        case activityList([ListedActivity])
    }
}

/// What an app says its user is doing: the activity becomes current, or its description changed.
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
    /// What a continuation of it would do on this device.
    package enum Target: Hashable, Sendable {
        case app(BundleID)
        case webPage
        case script
        /// Nothing, and why.
        case nothing(String)
    }

    package var offer: Offer
    package var device: DeviceID
    package var deviceName: DisplayText
    package var deviceKind: DeviceKind
    package var isFromThisDevice: Bool
    package var target: Target
    /// The app's, or that of the browser that runs.
    package var targetName: DisplayText
    /// An app would take it, and a browser could.
    package var isForBrowserToo: Bool
    /// To this device, by its user: it is kept here, and continues without its origin.
    package var isSent: Bool

    /// Something on this device continues it.
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
