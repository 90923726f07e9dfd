// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
internal import HandoffSystem
package import HandoffWire
package import Logging

/// Starts apps as processes of this user.
///
/// An app belongs to its user, not to the daemon: it gets a session of its own and goes on when the daemon stops. That
/// is why nothing here waits in a task, whose end would be the app's end too; each app has one small sleeping thread
/// that reports its exit to the loop and holds nothing up when the daemon goes.
package final class ProcessLauncher: AppLauncher {
    /// Stack of the thread that waits for an app, bytes.
    private static let waiterStackBytes = 128 * 1024

    private let locations: Locations
    private let environment: [String: String]
    private let log: Logger
    private let onLoop: OnLoop
    /// Whom to tell, by the number of the start.
    private var waiting: [Int: (AppExit) -> Void] = [:]
    private var lastStart = 0

    /// Lives and is used on the loop that `onLoop` leads to. `environment` is the daemon's.
    package init(
        locations: Locations, environment: [String: String], log: Logger, onLoop: @escaping OnLoop
    ) {
        self.locations = locations
        self.environment = environment
        self.log = log
        self.onLoop = onLoop
    }

    /// Returns once the program runs or cannot; `ended` is never called before that.
    package func launch(
        _ app: InstalledApp, token: LaunchToken, for activityType: ActivityType, ended: @escaping (AppExit) -> Void
    ) {
        lastStart += 1
        let start = lastStart
        waiting[start] = ended
        let environment = AppEnvironment(
            daemon: environment, root: locations.root, token: token, activityType: activityType)
        do throws(SystemError) {
            let process = try spawn(app, environment)
            log.debug("App started", metadata: ["bundle": "\(app.bundle)", "pid": "\(process.id)"])
            wait(
                for: process, start: start, bundle: app.bundle,
                log: AppLogFile(folder: locations.logs, bundle: app.bundle))
        } catch {
            let reason = error.explanation ?? "cannot start \(app.executable): \(error.reason)"
            log.warning("App did not start", metadata: ["bundle": "\(app.bundle)", "reason": "\(reason)"])
            report(.notStarted(reason: reason), of: start)
        }
    }

    private func spawn(_ app: InstalledApp, _ environment: AppEnvironment) throws(SystemError) -> SpawnedProcess {
        let home = environment.home.flatMap { access($0, X_OK) == 0 ? $0 : nil }
        do throws(SystemError) {
            let output = try AppLogFile(folder: locations.logs, bundle: app.bundle).open()
            return try spawn(app, environment, directory: home ?? "/", output: output.descriptor)
        } catch let error where error.subject != app.executable {
            // An app is worth more than its log.
            log.warning(
                "App runs without a log",
                metadata: ["bundle": "\(app.bundle)", "reason": "\(error.explanation ?? error.reason)"])
            return try spawn(app, environment, directory: home ?? "/", output: nil)
        }
    }

    private func spawn(
        _ app: InstalledApp, _ environment: AppEnvironment, directory: String, output: CInt?
    ) throws(SystemError) -> SpawnedProcess {
        try SpawnedProcess(
            executable: app.executable, arguments: [app.executable], environment: environment.variables,
            directory: directory, output: output)
    }

    private func wait(for process: SpawnedProcess, start: Int, bundle: BundleID, log file: AppLogFile) {
        // The launcher is touched again only on the loop.
        nonisolated(unsafe) let launcher = self
        let isWaiting = DetachedThread.begin(stackBytes: Self.waiterStackBytes) { [onLoop] in
            AppLogWatch.run(file, while: process)
            let exit = process.wait()
            onLoop { launcher.ended(start: start, bundle: bundle, exit) }
        }
        if !isWaiting {
            // Running unwatched: the daemon learns of it by its connection, or gives it up at the launch deadline.
            log.error("No thread to wait for an app", metadata: ["bundle": "\(bundle)", "pid": "\(process.id)"])
        }
    }

    private func ended(start: Int, bundle: BundleID, _ exit: AppExit) {
        log.debug("App process ended", metadata: ["bundle": "\(bundle)", "exit": "\(exit)"])
        waiting.removeValue(forKey: start)?(exit)
    }

    private func report(_ exit: AppExit, of start: Int) {
        nonisolated(unsafe) let launcher = self
        onLoop { launcher.waiting.removeValue(forKey: start)?(exit) }
    }
}
