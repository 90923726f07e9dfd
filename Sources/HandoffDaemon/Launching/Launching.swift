// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// What the other features ask about apps. `LaunchingService` answers.
package protocol Launching: AnyObject {
    /// All that are installed, also those of teams that are not trusted.
    var apps: [InstalledApp] { get }
    func app(_ bundle: BundleID) -> InstalledApp?
    /// The app whose executable this is.
    func owner(of program: RunningProgram) -> ProgramOwner
    /// Whom an app may speak for: its team, as long as that is trusted; under development the account's personal team,
    /// nil without an account.
    func team(of app: InstalledApp) -> Team?
    /// What a continuation of this offer would do here.
    func resolve(_ offer: Offer, wish: Resolution.Wish) -> Resolution
    /// The same of a page of that host that a browser offers; nil: of an address that no app gets.
    func resolve(pageOf host: WebHost?, wish: Resolution.Wish) -> Resolution
    /// A browser that runs and shows pages: this client if it is one, else the one connected last.
    func browser(preferring client: (any Client)?) -> (any Client)?
    /// The app's receiving client: at once if it runs, else after it was started, for an activity of that type, and said
    /// hello.
    /// `.appDidNotStart` at the deadline or if it ended first. `completion` is called once.
    func ensureRunning(
        _ bundle: BundleID, for activityType: ActivityType, deadline: Duration,
        completion: @escaping (Result<any Client, Failure>) -> Void)
    /// Settles a launch: the bundle that this token was given to. Each token counts once.
    func redeem(_ token: LaunchToken) -> BundleID?
    /// The app was used now: ranks it first among equals.
    func used(_ bundle: BundleID)
    /// Called after apps were installed or removed, started or ended, or used in another order, a team is trusted or not
    /// any more, a site approves of an app or not any more, a browser came or left, or the user chose another taker: what
    /// an offer resolves to may be another. In the order of registration.
    func onChange(_ observer: @escaping () -> Void)
}
