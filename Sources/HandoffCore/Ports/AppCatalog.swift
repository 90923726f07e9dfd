// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package enum AppSigner: Hashable, Sendable {
    /// The team whose signature was verified at install, with the name in its certificate.
    case team(DeveloperTeam, name: DisplayText)
    /// Only this user: the app was installed unsigned, for this device. It belongs to the account's personal team.
    case development
    /// No signature: there is no bundle, only a desktop entry. The app belongs to the account's personal team.
    case entry
}

package struct InstalledApp: Hashable, Sendable {
    package var bundle: BundleID
    package var name: DisplayText
    /// `CFBundleShortVersionString`, for display.
    package var version: String
    package var signer: AppSigner
    /// `NSUserActivityTypes`.
    package var activityTypes: Set<ActivityType>
    /// `HandoffActivityTitles`: types that this app accepts only with one of these titles.
    package var activityTitles: [ActivityType: Set<String>]
    /// `com.apple.developer.associated-domains`, as in the entitlements that the team signed. Empty for an app under
    /// development, whose claims are unproven.
    package var associatedDomains: [String]
    /// The containers that it shares across the user's devices, and how it stores documents.
    package var documents: AppDocuments
    /// The bundle's folder, absolute; without a bundle, the desktop entry.
    package var path: String
    /// The executable, absolute. Empty if the executable does not identify the app, because other apps run it too.
    package var executable: String
    /// SHA-256 of the executable, as verified at install. Empty without a bundle.
    package var executableHash: [UInt8]
    /// How the app is started; nil: by its executable.
    package var entry: AppEntry?

    package init(
        bundle: BundleID, name: DisplayText, version: String = "", signer: AppSigner,
        activityTypes: Set<ActivityType>, activityTitles: [ActivityType: Set<String>] = [:],
        associatedDomains: [String] = [], documents: AppDocuments = AppDocuments(), path: String, executable: String,
        executableHash: [UInt8] = [], entry: AppEntry? = nil
    ) {
        self.bundle = bundle
        self.name = name
        self.version = version
        self.signer = signer
        self.activityTypes = activityTypes
        self.activityTitles = activityTitles
        self.associatedDomains = associatedDomains
        self.documents = documents
        self.path = path
        self.executable = executable
        self.executableHash = executableHash
        self.entry = entry
    }

    package var isInDevelopment: Bool { signer == .development }

    /// Nil for an unsigned app.
    package var developer: DeveloperTeam? {
        switch signer {
        case .team(let team, _): team
        case .development, .entry: nil
        }
    }

    /// Nil for an unsigned app on a device without an account.
    package func team(in account: AccountID?) -> Team? {
        switch signer {
        case .team(let team, _): .developer(team)
        case .development, .entry: account.map(Team.personal)
        }
    }
}

package struct AppDocuments: Hashable, Sendable {
    /// `com.apple.developer.ubiquity-container-identifiers` and `com.apple.developer.icloud-container-identifiers`, in
    /// that order, from the entitlements that the team signed. For an app under development, from its own entitlements.
    package var containers: [ContainerID]
    /// `NSUbiquitousContainerName`, for the containers that have one.
    package var containerNames: [ContainerID: DisplayText]
    /// The extensions of its document types that are folders, in lower case, without the dot.
    package var packageExtensions: Set<String>
    /// `NSDownloadsUbiquitousContents`: the app requests missing documents itself.
    package var downloadsContents: Bool
    /// A sentence for each container with an invalid identifier.
    package var problems: [String]

    package init(
        containers: [ContainerID] = [], containerNames: [ContainerID: DisplayText] = [:],
        packageExtensions: Set<String> = [], downloadsContents: Bool = false, problems: [String] = []
    ) {
        self.containers = containers
        self.containerNames = containerNames
        self.packageExtensions = packageExtensions
        self.downloadsContents = downloadsContents
        self.problems = problems
    }
}

/// The installed apps. In-memory implementation: `MemoryAppCatalog` in `HandoffTesting`.
package protocol AppCatalog: AnyObject {
    /// As of the last `reload`.
    var apps: [InstalledApp] { get }
    /// Ignored items, each with the reason: bundles that are unreadable or changed since they were installed, and
    /// invalid containers of other apps.
    var problems: [String] { get }
    /// Returns after everything is read. For the start, when no client waits.
    func reload()
    /// The same off the loop. `then` is called once, on the loop, perhaps before this returns. `apps` is then up to
    /// date, or unchanged if too many jobs wait (`.limitReached`).
    func reload(then: @escaping (Result<Void, Failure>) -> Void)
    /// The app that the executable belongs to, among the apps installed when `then` is called; a call during a reload
    /// waits for its end. A changed executable is read again, off the loop. `then` is called once, on the loop, perhaps
    /// before this returns. Fails with `.limitReached` if too many jobs wait.
    func owner(of program: RunningProgram, then: @escaping (Result<ProgramOwner, Failure>) -> Void)
    /// Whether the app is unchanged since it was read. Calls `then` as `owner` does.
    func condition(of app: InstalledApp, then: @escaping (Result<AppCondition, Failure>) -> Void)
}

package enum AppCondition: Hashable, Sendable {
    case asRead
    case altered
    /// Its desktop entry changed or is gone. The new content takes effect after a `reload`.
    case outdated
}

package enum ProgramOwner: Hashable, Sendable {
    case nobody
    case app(BundleID)
    /// The file belongs to the app, but its content differs from the one verified at install.
    case altered(BundleID)
}

package enum AppExit: Hashable, Sendable {
    case exited(code: Int32)
    case signalled(Int32)
    case notStarted(reason: String)
}

/// Starts apps. In-memory implementation: `MemoryAppLauncher` in `HandoffTesting`.
package protocol AppLauncher: AnyObject {
    /// Starts the app with a clean environment and its output in its own log. `HANDOFF_LAUNCH_TOKEN` holds the token,
    /// and `HANDOFF_LAUNCH_ACTIVITY` the type of the activity that it is started for. `activation`: from the desktop,
    /// so that the app's window may come to the front. `ended` is called once, on the daemon's loop, when the app ends
    /// or could not be started. It is never called for an app that was started over the user's bus, which receives only
    /// `activation`. The app outlives the daemon.
    func launch(
        _ app: InstalledApp, token: LaunchToken, for activityType: ActivityType, activation: ActivationToken?,
        ended: @escaping (AppExit) -> Void)
}
