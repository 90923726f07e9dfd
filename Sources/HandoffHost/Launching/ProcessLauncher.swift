// SPDX-License-Identifier: Apache-2.0

package import HandoffCore
internal import HandoffSystem
package import HandoffWire
package import Logging

/// Starts apps: as processes, as units of the user's service manager if it runs, or over the user's bus.
///
/// An app continues when the daemon stops. The end of a waiting task would end it, so each app has a small thread,
/// which does not delay the daemon's exit.
package final class ProcessLauncher: AppLauncher {
    private static let stackBytes = 256 * 1024

    private let locations: Locations
    private let session: PresentSession
    private let busDoor: String
    private let log: Logger
    private let onLoop: OnLoop
    /// By the number of the start.
    private var waiting: [Int: (AppExit) -> Void] = [:]
    private var lastStart = 0

    /// Used only on the loop of `onLoop`. `environment` is the daemon's, `busDoor` the path of handoff-bus.
    package init(
        locations: Locations, environment: [String: String], busDoor: String, log: Logger, onLoop: @escaping OnLoop
    ) {
        self.locations = locations
        session = PresentSession(environment: environment)
        self.busDoor = busDoor
        self.log = log
        self.onLoop = onLoop
    }

    package func launch(
        _ app: InstalledApp, token: LaunchToken, for activityType: ActivityType, activation: ActivationToken?,
        ended: @escaping (AppExit) -> Void
    ) {
        lastStart += 1
        let number = lastStart
        waiting[number] = ended
        // Used again only on the loop.
        nonisolated(unsafe) let launcher = self
        let hasThread = DetachedThread.begin(stackBytes: Self.stackBytes) {
            [session, locations, busDoor, log, onLoop] in
            let exit = AppStart(
                app: app, token: token, activityType: activityType, activation: activation, session: session.read(),
                locations: locations, busDoor: busDoor, log: log
            ).run()
            onLoop { launcher.ended(number, exit) }
        }
        if !hasThread {
            log.error("No thread could be created to start an app", metadata: ["bundle": "\(app.bundle)"])
            onLoop { launcher.ended(number, .notStarted(reason: "no thread could be created to start it")) }
        }
    }

    /// Nil: the exit is unknown.
    private func ended(_ number: Int, _ exit: AppExit?) {
        guard let ended = waiting.removeValue(forKey: number), let exit else { return }
        ended(exit)
    }
}
