// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
internal import HandoffSystem
package import HandoffWire
package import Logging

/// Starts apps: as processes of this user, as units of the user's service manager where one runs, or over the user's bus.
///
/// An app belongs to its user, not to the daemon: it gets a session of its own and goes on when the daemon stops. That
/// is why nothing here waits in a task, whose end would be the app's end too; each app has one small sleeping thread
/// that reports its exit to the loop and holds nothing up when the daemon goes.
package final class ProcessLauncher: AppLauncher {
    /// Stack of the thread that waits for an app, bytes.
    private static let waiterStackBytes = 128 * 1024

    private let locations: Locations
    private let environment: [String: String]
    private let busDoor: String
    private let log: Logger
    private let onLoop: OnLoop
    /// Whom to tell, by the number of the start.
    private var waiting: [Int: (AppExit) -> Void] = [:]
    private var lastStart = 0

    /// Lives and is used on the loop that `onLoop` leads to. `environment` is the daemon's, `busDoor` the path of
    /// handoff-bus.
    package init(
        locations: Locations, environment: [String: String], busDoor: String, log: Logger, onLoop: @escaping OnLoop
    ) {
        self.locations = locations
        self.environment = environment
        self.busDoor = busDoor
        self.log = log
        self.onLoop = onLoop
    }

    /// Returns once the program runs or cannot; `ended` is never called before that.
    package func launch(
        _ app: InstalledApp, token: LaunchToken, for activityType: ActivityType, activation: ActivationToken?,
        ended: @escaping (AppExit) -> Void
    ) {
        lastStart += 1
        let start = lastStart
        waiting[start] = ended
        func environment(with token: LaunchToken?) -> AppEnvironment {
            AppEnvironment(
                daemon: self.environment, root: locations.root, token: token, activityType: activityType,
                activation: activation)
        }
        func run(_ command: AppCommand) {
            let environment = environment(with: command.getsLaunchToken ? token : nil)
            self.start(app, Order(number: start, token: token, command: command, environment: environment))
        }
        switch app.entry?.way {
        case nil: run(AppCommand(executable: app.executable))
        case .command(let command): run(command)
        case .activation(let command):
            let environment = environment(with: nil)
            if environment.hasBus { return activate(app, start, environment) }
            if let command { return run(command) }
            report(.notStarted(reason: "\(app.name) is started over the user's bus, and there is none"), of: start)
        case .refused(let reason): report(.notStarted(reason: reason), of: start)
        }
    }

    private func report(_ exit: AppExit, of start: Int) {
        nonisolated(unsafe) let launcher = self
        onLoop { launcher.waiting.removeValue(forKey: start)?(exit) }
    }

    // MARK: A process of its own

    private struct Order {
        let number: Int
        let token: LaunchToken
        let command: AppCommand
        let environment: AppEnvironment
    }

    private func start(_ app: InstalledApp, _ order: Order) {
        do throws(SystemError) {
            let process = try spawn(app, order)
            log.debug("App started", metadata: ["bundle": "\(app.bundle)", "pid": "\(process.id)"])
            wait(
                for: process, start: order.number, bundle: app.bundle,
                log: AppLogFile(folder: locations.logs, bundle: app.bundle))
        } catch {
            let reason = error.explanation ?? "cannot start \(order.command.executable): \(error.reason)"
            log.warning("App did not start", metadata: ["bundle": "\(app.bundle)", "reason": "\(reason)"])
            report(.notStarted(reason: reason), of: order.number)
        }
    }

    private func spawn(_ app: InstalledApp, _ order: Order) throws(SystemError) -> SpawnedProcess {
        let directory = try directory(of: order)
        do throws(SystemError) {
            let output = try AppLogFile(folder: locations.logs, bundle: app.bundle).open()
            return try spawn(app, order, directory: directory, output: output.descriptor)
        } catch let error where error.subject != order.command.executable {
            // An app is worth more than its log.
            log.warning(
                "App runs without a log",
                metadata: ["bundle": "\(app.bundle)", "reason": "\(error.explanation ?? error.reason)"])
            return try spawn(app, order, directory: directory, output: nil)
        }
    }

    /// Throws where the one that its entry names cannot be entered.
    private func directory(of order: Order) throws(SystemError) -> String {
        if let wanted = order.command.directory {
            guard access(wanted, X_OK) == 0 else {
                throw SystemError(
                    errno, order.command.executable, "cannot start it in \(wanted): \(SystemError(wanted).reason)")
            }
            return wanted
        }
        return order.environment.home.flatMap { access($0, X_OK) == 0 ? $0 : nil } ?? "/"
    }

    private func spawn(
        _ app: InstalledApp, _ order: Order, directory: String, output: CInt?
    ) throws(SystemError) -> SpawnedProcess {
        let command = order.command
        guard let manager = UserManager(environment: order.environment) else {
            return try SpawnedProcess(
                executable: command.executable, arguments: [command.executable] + command.arguments,
                environment: order.environment.variables, directory: directory, output: output)
        }
        // The manager would say it in the log alone.
        guard access(command.executable, X_OK) == 0 else { throw SystemError(command.executable) }
        let arguments = manager.arguments(
            for: command, of: app.bundle, token: order.token, environment: order.environment, directory: directory)
        do throws(SystemError) {
            return try SpawnedProcess(
                executable: manager.program, arguments: arguments, environment: order.environment.variables,
                directory: directory, output: output)
        } catch {
            throw SystemError(error.code, command.executable, "cannot start \(manager.program): \(error.reason)")
        }
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

    // MARK: Over the bus

    /// Its process is the bus's, or that of the user's service manager: of its end nobody is told here.
    private func activate(_ app: InstalledApp, _ start: Int, _ environment: AppEnvironment) {
        let activation = BusActivation(program: busDoor, bundle: app.bundle, environment: environment)
        // The launcher is touched again only on the loop.
        nonisolated(unsafe) let launcher = self
        let isWaiting = DetachedThread.begin(stackBytes: Self.waiterStackBytes) { [onLoop] in
            let problem = activation.run()
            onLoop { launcher.activated(app.bundle, start, problem) }
        }
        if !isWaiting { report(.notStarted(reason: "there is no thread to wait for it"), of: start) }
    }

    private func activated(_ bundle: BundleID, _ start: Int, _ problem: String?) {
        guard let problem else {
            log.debug("App started over the bus", metadata: ["bundle": "\(bundle)"])
            waiting[start] = nil
            return
        }
        let reason = DisplayText(cleaning: problem, limit: Limits.reasonCharacters).text
        log.warning("App did not start", metadata: ["bundle": "\(bundle)", "reason": "\(reason)"])
        waiting.removeValue(forKey: start)?(.notStarted(reason: reason))
    }
}
