// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// What the other features ask about who continues an offer, and starting it. `LaunchingService` answers.
package protocol Launching: AnyObject {
    /// What a continuation of this offer would do here.
    func resolve(_ offer: Offer, wish: Resolution.Wish) -> Resolution
    /// The same of a page of that host that a browser offers; nil: of an address that no app gets.
    func resolve(pageOf host: WebHost?, wish: Resolution.Wish) -> Resolution
    /// A browser that runs and shows pages: this client if it is one, else the one connected last.
    func browser(preferring client: (any Client)?) -> (any Client)?
    /// The app's receiving client: at once if it runs, else after it was started, for an activity of that type, and said
    /// hello. `activation` goes to the start alone.
    /// `.appDidNotStart` at the deadline or if it ended first. `completion` is called once.
    func ensureRunning(
        _ bundle: BundleID, for activityType: ActivityType, activation: ActivationToken?, deadline: Duration,
        completion: @escaping (Result<any Client, Failure>) -> Void)
    /// Settles a launch: the bundle that this token was given to. Each token counts once.
    func redeem(_ token: LaunchToken) -> BundleID?
    /// The app was used now: ranks it first among equals.
    func used(_ bundle: BundleID)
    /// Called after what an offer resolves to may be another, in the order of registration.
    func onChange(_ observer: @escaping (LaunchingChange) -> Void)
}

/// Why an offer may resolve to something else than before. Of the account `Membership` tells.
package enum LaunchingChange: Hashable, Sendable {
    case apps(AppsChange)
    /// A process of that app came or left.
    case running(BundleID)
    /// A browser came or left.
    case browsers
    /// That app is the first among equals now.
    case used(BundleID)
    /// Sites approve of other apps.
    case approval(ApprovalChange)
    /// The user chose who continues the pages of that host.
    case choice(WebHost)
    /// Something was switched off or on.
    case switches
}
