// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// An app bundle installed on this device.
package struct InstalledApp: Hashable, Sendable {
    package var bundle: BundleID
    package var name: DisplayText
    /// `CFBundleShortVersionString`, for showing.
    package var version: String
    /// From the entitlements; nil where none is declared: the account's personal team.
    package var declaredTeam: TeamID?
    package var isSigned: Bool
    /// `NSUserActivityTypes`.
    package var activityTypes: Set<ActivityType>
    /// `HandoffActivityTitles`: a type that this app wants only with one of these titles.
    package var activityTitles: [ActivityType: Set<String>]
    /// The bundle's folder, absolute.
    package var path: String
    /// The executable, absolute.
    package var executable: String

    package init(
        bundle: BundleID, name: DisplayText, version: String = "", declaredTeam: TeamID? = nil, isSigned: Bool = false,
        activityTypes: Set<ActivityType>, activityTitles: [ActivityType: Set<String>] = [:], path: String,
        executable: String
    ) {
        self.bundle = bundle
        self.name = name
        self.version = version
        self.declaredTeam = declaredTeam
        self.isSigned = isSigned
        self.activityTypes = activityTypes
        self.activityTitles = activityTitles
        self.path = path
        self.executable = executable
    }
}

/// What is installed. In-memory twin: `MemoryAppCatalog` in `HandoffTesting`.
package protocol AppCatalog: AnyObject {
    /// As of the last `reload`.
    var apps: [InstalledApp] { get }
    /// Bundles that could not be read, each with its reason; they do not count.
    var problems: [String] { get }
    func reload()
}

/// How a started app ended.
package enum AppExit: Hashable, Sendable {
    case exited(code: Int32)
    case signalled(Int32)
    case notStarted(reason: String)
}

/// Starts apps. In-memory twin: `MemoryAppLauncher` in `HandoffTesting`.
package protocol AppLauncher: AnyObject {
    /// Starts the app with a clean environment, the token in `HANDOFF_LAUNCH_TOKEN`, its output in a log of its own.
    /// `ended` is called once, on the daemon's loop, when it ends or could not be started. The app outlives the daemon.
    func launch(_ app: InstalledApp, token: LaunchToken, ended: @escaping (AppExit) -> Void)
}
