// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// What the other features ask about the apps of this device. `AppsService` answers. Who runs and who takes what is
/// `Launching`'s to say.
package protocol InstalledApps: AnyObject {
    /// All that are installed, also those of teams that are not trusted.
    var all: [InstalledApp] { get }
    /// Sentences for the user about bundles and desktop entries that do not count.
    var problems: [String] { get }
    /// The app whose executable this is. As `AppCatalog.owner`.
    func owner(of program: RunningProgram, then: @escaping (Result<ProgramOwner, Failure>) -> Void)
    /// Whether it is still as it was read. As `AppCatalog.condition`.
    func condition(of app: InstalledApp, then: @escaping (Result<AppCondition, Failure>) -> Void)
    /// An app of no developer is its user's own.
    func isTrusted(_ app: InstalledApp) -> Bool
    /// Whom an app may speak for: its team, as long as that is trusted; under development the account's personal team,
    /// nil without an account.
    func team(of app: InstalledApp) -> Team?
    /// Looks at what is installed anew. `then` is called once, after those who observe. As `AppCatalog.reload`.
    func reload(then: @escaping (Result<Void, Failure>) -> Void)
    /// Called after apps changed, in the order of registration. Of the account, on which the team of an app under
    /// development depends, `Membership` tells.
    func onChange(_ observer: @escaping (AppsChange) -> Void)
}

extension InstalledApps {
    package func app(_ bundle: BundleID) -> InstalledApp? { all.first { $0.bundle == bundle } }
}

/// Which apps are others than before.
package enum AppsChange: Hashable, Sendable {
    /// They were installed, removed, or replaced.
    case installed(Set<BundleID>)
    /// Their team is trusted and was not, or the other way round.
    case trust(Set<BundleID>)

    package var bundles: Set<BundleID> {
        switch self {
        case .installed(let bundles), .trust(let bundles): bundles
        }
    }
}
