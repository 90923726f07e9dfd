// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

package enum AppSigner: Hashable, Sendable {
    /// Verified at install; the certificate contains the name.
    case team(DeveloperTeam, name: DisplayText)
    case development
    /// Only a desktop entry, also of the personal team.
    case entry
    /// A system program: only the administrator can change its desktop entry.
    case system
}

package struct InstalledApp: Hashable, Sendable {
    package var bundle: BundleID
    package var name: DisplayText
    package var version: String
    package var signer: AppSigner
    /// `NSUserActivityTypes`.
    package var activityTypes: Set<ActivityType>
    /// `HandoffActivityTitles`: accepts these types only with these titles.
    package var activityTitles: [ActivityType: Set<String>]
    /// `com.apple.developer.associated-domains`, as the team signed it; empty under development.
    package var associatedDomains: [String]
    package var documents: AppDocuments
    /// The bundle's folder or else the desktop entry; absolute.
    package var path: String
    /// Absolute. Empty if other apps run the same executable.
    package var executable: String
    /// SHA-256, as verified at install. Empty without a bundle.
    package var executableHash: [UInt8]
    package var entry: AppEntry?
    /// If set, only programs in this sandbox are the app.
    package var sandbox: Sandbox?
    package var isDefault: Bool

    package init(
        bundle: BundleID, name: DisplayText, version: String = "", signer: AppSigner,
        activityTypes: Set<ActivityType>, activityTitles: [ActivityType: Set<String>] = [:],
        associatedDomains: [String] = [], documents: AppDocuments = AppDocuments(), path: String, executable: String,
        executableHash: [UInt8] = [], entry: AppEntry? = nil, sandbox: Sandbox? = nil,
        isDefault: Bool = false
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
        self.sandbox = sandbox
        self.isDefault = isDefault
    }

    package var isInDevelopment: Bool { signer == .development }

    package var developer: DeveloperTeam? {
        switch signer {
        case .team(let team, _): team
        case .development, .entry, .system: nil
        }
    }

    /// Nil for an unsigned app on a device without an account.
    package func team(in account: AccountID?) -> Team? {
        switch signer {
        case .team(let team, _): .developer(team)
        case .development, .entry: account.map(Team.personal)
        case .system: account.map(Team.system)
        }
    }
}

package struct AppDocuments: Hashable, Sendable {
    /// `com.apple.developer.ubiquity-container-identifiers`, then `com.apple.developer.icloud-container-identifiers`,
    /// as the team signed them; under development, the app's own.
    package var containers: [ContainerID]
    /// `NSUbiquitousContainerName`.
    package var containerNames: [ContainerID: DisplayText]
    /// Its document types that are folders; lower case, no dot.
    package var packageExtensions: Set<String>
    /// `NSDownloadsUbiquitousContents`: the app requests missing documents itself.
    package var downloadsContents: Bool
    /// A sentence for each invalid identifier.
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

package protocol AppCatalog: AnyObject {
    /// As of the last `reload`.
    var apps: [InstalledApp] { get }
    /// Reasons for ignored bundles and containers.
    var problems: [String] { get }
    /// Off the loop. Calls `then` once, on the loop, perhaps before this returns; with `.limitReached` if too many jobs
    /// wait.
    func reload(then: @escaping (Result<Void, Failure>) -> Void)
    /// A call during a reload waits for its end. Reads a changed executable again, off the loop. Calls `then` as
    /// `reload` does.
    func owner(of program: RunningProgram, then: @escaping (Result<ProgramOwner, Failure>) -> Void)
    /// Calls `then` as `reload` does.
    func condition(of app: InstalledApp, then: @escaping (Result<AppCondition, Failure>) -> Void)
}

package enum AppCondition: Hashable, Sendable {
    case asRead
    case altered
    /// Its desktop entry changed or is gone; `reload` reads it again.
    case outdated
}

package enum ProgramOwner: Hashable, Sendable {
    case nobody
    case app(BundleID)
    case altered(BundleID)
}

package enum AppExit: Hashable, Sendable {
    case exited(code: Int32)
    case signalled(Int32)
    case notStarted(reason: String)
}

package protocol AppLauncher: AnyObject {
    /// Starts the app with a clean environment and its own log. It outlives the daemon. `HANDOFF_LAUNCH_TOKEN` holds
    /// the token, and `HANDOFF_LAUNCH_ACTIVITY` the type. `activation` brings the window to the front. Calls `ended`
    /// once, on the loop, when the app ends or could not be started; never for an app started over the user's bus,
    /// which receives only `activation`.
    func launch(
        _ app: InstalledApp, token: LaunchToken, for activityType: ActivityType, activation: ActivationToken?,
        ended: @escaping (AppExit) -> Void)
}
