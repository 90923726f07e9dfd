// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffWire

@testable import Handoff

/// A temporary folder, a daemon in it, and one app. The folder is deleted with the daemon, which stays as long as a
/// client is connected.
final class Laptop: Sendable {
    let locations: Locations
    let daemon: FakeDaemon
    let center: ActivityCenter
    let log = Mailbox<String>()

    init(
        startingDaemon: Bool = true, manners: FakeDaemon.Manners = .init(), bundle: String? = nil,
        launchToken: LaunchToken? = nil, launchActivity: String? = nil,
        wait: (@Sendable (Duration, @escaping @Sendable () -> Void) -> Void)? = nil,
        instant: ContinuousClock.Instant? = nil
    ) throws {
        let root = "/tmp/handoff-" + UUID().uuidString.prefix(8)
        mkdir(root, 0o700)
        locations = Locations(root: root)
        daemon = FakeDaemon(locations, manners: manners)
        if startingDaemon { try daemon.start() }
        var environment = ActivityCenter.Environment(
            locations: locations, bundle: try bundle.map { try BundleID($0) }, name: "Reader", launchToken: launchToken,
            log: { [log] in log.post($0) })
        if let wait { environment.wait = wait }
        if let instant { environment.instant = { instant } }
        environment.launchActivityType = try launchActivity.map { try ActivityType($0) }
        center = ActivityCenter(environment)
    }

    func activity(_ type: String = "com.example.reader.reading", title: String? = nil) -> NSUserActivity {
        let activity = NSUserActivity(activityType: type, center: center)
        activity.title = title
        return activity
    }

    /// An activity that is current and known to the daemon.
    func currentActivity(title: String? = nil) async throws -> (NSUserActivity, Publication) {
        let activity = activity(title: title)
        activity.becomeCurrent()
        return (activity, try await daemon.nextPublication())
    }

    /// Returns once the app has processed all of the daemon's messages.
    func caughtUp() async throws { _ = try await daemon.request(.unknown) }

    /// Fetches the state, as when another device's user accepted.
    func fetch(_ activity: NSUserActivity, within deadline: Duration = .seconds(30)) async throws -> ActivityState {
        switch try await daemon.request(.advertising(.save(activity.record.id, deadline: deadline))) {
        case .advertising(.saved(let state, _, _)): return state
        case .failure(let failure): throw failure
        case let message: throw FakeDaemon.Unexpected(frame: LocalFrame(message))
        }
    }
}

/// Records the calls of the delegate's hooks, and lets a test run code in will-save.
final class Editor: NSObject, NSUserActivityDelegate, Sendable {
    let saves = Mailbox<String>()
    let continued = Mailbox<String>()
    let willSave: @Sendable (NSUserActivity) -> Void

    init(willSave: @escaping @Sendable (NSUserActivity) -> Void = { _ in }) { self.willSave = willSave }

    func userActivityWillSave(_ userActivity: NSUserActivity) {
        saves.post(Thread.isMainThread ? "main" : "background")
        willSave(userActivity)
    }

    func userActivityWasContinued(_ userActivity: NSUserActivity) {
        continued.post(userActivity.activityType)
    }
}
