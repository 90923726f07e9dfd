// SPDX-License-Identifier: Apache-2.0

extension LocalMessage {
    package enum Launching: Hashable, Sendable {
        case listApps
        /// `problems`: bundles and desktop entries that are ignored, with the reason.
        case appList([AppSummary], problems: [String] = [])
        case reloadApps
    }
}

package struct AppSummary: Hashable, Sendable {
    package var bundle: BundleID
    package var name: DisplayText
    package var version: String
    /// Nil for an app of the personal team on a device that has no account.
    package var team: Team?
    /// From its certificate; nil for the personal team.
    package var teamName: DisplayText?
    /// Installed unsigned, for this device alone.
    package var isInDevelopment: Bool
    /// Otherwise the app takes no part.
    package var isTrusted: Bool
    package var activityTypes: [ActivityType]
    /// Its bundle's, or else its desktop entry's.
    package var path: String
    /// Nil: its bundle's executable is run.
    package var entry: String?
    package var isRunning: Bool

    package init(
        bundle: BundleID, name: DisplayText, version: String, team: Team?, teamName: DisplayText?,
        isInDevelopment: Bool, isTrusted: Bool, activityTypes: [ActivityType], path: String, entry: String? = nil,
        isRunning: Bool
    ) {
        self.bundle = bundle
        self.name = name
        self.version = version
        self.team = team
        self.teamName = teamName
        self.isInDevelopment = isInDevelopment
        self.isTrusted = isTrusted
        self.activityTypes = activityTypes
        self.path = path
        self.entry = entry
        self.isRunning = isRunning
    }
}
