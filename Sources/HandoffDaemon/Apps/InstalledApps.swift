// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// The apps on this device. Implemented by `AppsService`. `Launching` knows the running apps
/// and the target of an offer.
package protocol InstalledApps: AnyObject {
    /// Includes apps of untrusted teams.
    var all: [InstalledApp] { get }
    /// Sentences for the user about ignored bundles and desktop entries.
    var problems: [String] { get }
    /// The app that the executable belongs to. As `AppCatalog.owner`.
    func owner(of program: RunningProgram, then: @escaping (Result<ProgramOwner, Failure>) -> Void)
    /// Whether it is unchanged since it was read. As `AppCatalog.condition`.
    func condition(of app: InstalledApp, then: @escaping (Result<AppCondition, Failure>) -> Void)
    /// Always true for an unsigned app.
    func isTrusted(_ app: InstalledApp) -> Bool
    /// The team that an app may act for: its own, while that is trusted. For an app under development, the account's
    /// personal team; nil without an account.
    func team(of app: InstalledApp) -> Team?
    /// Reads the installed apps again. `then` is called once, after the observers. As `AppCatalog.reload`.
    func reload(then: @escaping (Result<Void, Failure>) -> Void)
    /// Called after apps changed, in the order of registration. The team of an app under development depends on the
    /// account: `Membership` reports its changes.
    func onChange(_ observer: @escaping (AppsChange) -> Void)
}

extension InstalledApps {
    package func app(_ bundle: BundleID) -> InstalledApp? { all.first { $0.bundle == bundle } }
}

package enum AppsChange: Hashable, Sendable {
    /// Installed, removed, or replaced.
    case installed(Set<BundleID>)
    case trust(Set<BundleID>)

    package var bundles: Set<BundleID> {
        switch self {
        case .installed(let bundles), .trust(let bundles): bundles
        }
    }
}
