// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Who vouches for an installed app.
package enum AppSigner: Hashable, Sendable {
    /// The team whose signature was verified at install, with the name in its certificate.
    case team(DeveloperTeam, name: DisplayText)
    /// Nobody but this user: installed unsigned, for this device alone. It belongs to the account's personal team.
    case development
    /// Nobody: there is no bundle, and a desktop entry says that the app is here. It belongs to the account's personal team.
    case entry
}

/// An app of this device: an installed bundle, or one that a desktop entry tells of.
package struct InstalledApp: Hashable, Sendable {
    package var bundle: BundleID
    package var name: DisplayText
    /// `CFBundleShortVersionString`, for showing.
    package var version: String
    package var signer: AppSigner
    /// `NSUserActivityTypes`.
    package var activityTypes: Set<ActivityType>
    /// `HandoffActivityTitles`: a type that this app wants only with one of these titles.
    package var activityTitles: [ActivityType: Set<String>]
    /// `com.apple.developer.associated-domains`, as they stand in the entitlements that the team signed. Empty for an app
    /// under development: nobody vouches for its claims.
    package var associatedDomains: [String]
    /// What it shares with itself on the user's other devices, and how it keeps documents.
    package var documents: AppDocuments
    /// The bundle's folder, absolute; without a bundle, the desktop entry.
    package var path: String
    /// The executable, absolute. Empty where no executable tells the app, for others are run by it too.
    package var executable: String
    /// SHA-256 of the executable, as it was verified at install. Empty without a bundle.
    package var executableHash: [UInt8]
    /// How it is started; nil: by its executable.
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

    /// Nil where nobody vouches for it.
    package var developer: DeveloperTeam? {
        switch signer {
        case .team(let team, _): team
        case .development, .entry: nil
        }
    }

    /// Nil for one of no developer in no account.
    package func team(in account: AccountID?) -> Team? {
        switch signer {
        case .team(let team, _): .developer(team)
        case .development, .entry: account.map(Team.personal)
        }
    }
}

/// What a bundle says of its documents.
package struct AppDocuments: Hashable, Sendable {
    /// `com.apple.developer.ubiquity-container-identifiers` and `com.apple.developer.icloud-container-identifiers`, in that
    /// order, as they stand in the entitlements that the team signed, or of an app under development in its own.
    package var containers: [ContainerID]
    /// `NSUbiquitousContainerName` of some.
    package var containerNames: [ContainerID: DisplayText]
    /// Of its document types whose documents are folders: the extensions, in lower case, without the dot.
    package var packageExtensions: Set<String>
    /// `NSDownloadsUbiquitousContents`: it asks itself for what is not here.
    package var downloadsContents: Bool
    /// A sentence for each container that is none, for it has no identifier that can be one.
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

/// What is installed. In-memory twin: `MemoryAppCatalog` in `HandoffTesting`.
package protocol AppCatalog: AnyObject {
    /// As of the last `reload`.
    var apps: [InstalledApp] { get }
    /// What does not count, each with its reason: bundles that cannot be read or were not installed as they are now, and
    /// what others name as their containers and is none.
    var problems: [String] { get }
    /// Returns once all is read: for a start, when nobody waits.
    func reload()
    /// The same beside the loop. `then` is called once, on the loop, perhaps before this returns: `apps` is as of then, or
    /// as before where too much waits already (`.limitReached`).
    func reload(then: @escaping (Result<Void, Failure>) -> Void)
    /// Whose executable that is, as of what is installed when `then` is called; who asks during a reload waits for its end.
    /// An executable that changed since it was last looked at is read anew, beside the loop. `then` is called once, on the
    /// loop, perhaps before this returns; with `.limitReached` where too much waits already.
    func owner(of program: RunningProgram, then: @escaping (Result<ProgramOwner, Failure>) -> Void)
    /// Whether the app is still as it was read. As `owner`.
    func condition(of app: InstalledApp, then: @escaping (Result<AppCondition, Failure>) -> Void)
}

/// What became of an app since it was read.
package enum AppCondition: Hashable, Sendable {
    case asRead
    /// Its executable is not what was verified at install.
    case altered
    /// Its desktop entry is another, or gone: what it says counts after a `reload`.
    case outdated
}

/// The installed app that a running program is the executable of.
package enum ProgramOwner: Hashable, Sendable {
    case nobody
    case app(BundleID)
    /// The file is the app's, its content is not what was verified at install.
    case altered(BundleID)
}

/// How a started app ended.
package enum AppExit: Hashable, Sendable {
    case exited(code: Int32)
    case signalled(Int32)
    case notStarted(reason: String)
}

/// Starts apps. In-memory twin: `MemoryAppLauncher` in `HandoffTesting`.
package protocol AppLauncher: AnyObject {
    /// Starts the app with a clean environment, the token in `HANDOFF_LAUNCH_TOKEN`, the type of the activity it is
    /// started for in `HANDOFF_LAUNCH_ACTIVITY`, its output in a log of its own. `activation`: what the desktop gave, so
    /// that its window may come to the front.
    /// `ended` is called once, on the daemon's loop, when it ends or could not be started; never for one that was started
    /// over the user's bus, which gets nothing of this but `activation`. The app outlives the daemon.
    func launch(
        _ app: InstalledApp, token: LaunchToken, for activityType: ActivityType, activation: ActivationToken?,
        ended: @escaping (AppExit) -> Void)
}
