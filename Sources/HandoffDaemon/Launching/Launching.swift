// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
package import HandoffWire

/// Chooses the app for an offer and starts it. Implemented by `LaunchingService`.
package protocol Launching: AnyObject {
    func resolve(_ offer: Offer, wish: Resolution.Wish) -> Resolution
    /// The same for a page of that host that a browser offers; nil: for an address that no app accepts.
    func resolve(pageOf host: WebHost?, wish: Resolution.Wish) -> Resolution
    /// A running browser that shows pages: this client if it is a browser, else the latest to connect.
    func browser(preferring client: (any Client)?) -> (any Client)?
    /// The app's receiving client: immediately if it runs, else after it was started and sent its hello. `activityType`
    /// and `activation` are for the start. Fails with `.appDidNotStart` at the deadline, or if the app exits first.
    /// `completion` is called once.
    func ensureRunning(
        _ bundle: BundleID, for activityType: ActivityType, activation: ActivationToken?, deadline: Duration,
        completion: @escaping (Result<any Client, Failure>) -> Void)
    /// The bundle that the token was given to. Each token is valid once, and ends its launch.
    func redeem(_ token: LaunchToken) -> BundleID?
    /// Ranks the app first among equals, because it was used now.
    func used(_ bundle: BundleID)
    /// Called after the resolution of offers may have changed, in the order of registration.
    func onChange(_ observer: @escaping (LaunchingChange) -> Void)
}

/// Why an offer may now resolve differently. `Membership` reports changes of the account.
package enum LaunchingChange: Hashable, Sendable {
    case apps(AppsChange)
    case running(BundleID)
    case browsers
    /// That app is now the first among equals.
    case used(BundleID)
    case approval(ApprovalChange)
    case choice(WebHost)
    case switches
}
