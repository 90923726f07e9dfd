// SPDX-License-Identifier: Apache-2.0

import CHandoffSystem
import Glibc
import HandoffCore
import HandoffSystem
import HandoffWire
import Logging

/// Needs its own thread: the mount of the app, its folder or its log may hang.
struct AppStart: Sendable {
    let app: InstalledApp
    let token: LaunchToken
    let activityType: ActivityType
    let activation: ActivationToken?
    let session: ProgramEnvironment
    let locations: Locations
    let busDoor: String
    let log: Logger

    /// Blocks. Nil if the exit is unknown: started over the user's bus or in a terminal.
    func run() -> AppExit? {
        switch app.entry?.way {
        case nil: return start(AppCommand(executable: app.executable))
        case .command(let command): return start(command)
        case .activation(let command):
            let environment = environment(with: nil)
            if environment.hasBus { return activate(environment) }
            if let command { return start(command) }
            return .notStarted(reason: "\(app.name) can be started only over the user's bus, which is not available")
        case .refused(let reason): return .notStarted(reason: reason)
        }
    }

    private func environment(with token: LaunchToken?) -> AppEnvironment {
        AppEnvironment(
            session: session, root: locations.root, token: token, activityType: activityType, activation: activation)
    }

    // MARK: A process of its own

    private struct Order {
        let command: AppCommand
        let environment: AppEnvironment
    }

    private func start(_ command: AppCommand) -> AppExit? {
        let order = Order(command: command, environment: environment(with: command.getsLaunchToken ? token : nil))
        do throws(SystemError) {
            let process = try spawn(order)
            log.debug("App started", metadata: ["bundle": "\(app.bundle)", "pid": "\(process.id)"])
            AppLogWatch.run(AppLogFile(folder: locations.logs, bundle: app.bundle), while: process)
            let exit = process.wait()
            log.debug("App process ended", metadata: ["bundle": "\(app.bundle)", "exit": "\(exit)"])
            return command.mayEndBefore && exit == .exited(code: 0) ? nil : exit
        } catch {
            return notStarted(error.explanation ?? "cannot start \(command.executable): \(error.reason)")
        }
    }

    private func notStarted(_ reason: String) -> AppExit {
        log.warning("App did not start", metadata: ["bundle": "\(app.bundle)", "reason": "\(reason)"])
        return .notStarted(reason: reason)
    }

    private func spawn(_ order: Order) throws(SystemError) -> SpawnedProcess {
        let directory = try directory(of: order)
        do throws(SystemError) {
            let output = try AppLogFile(folder: locations.logs, bundle: app.bundle).open()
            return try spawn(order, directory: directory, output: output.descriptor)
        } catch let error where error.subject != order.command.executable {
            // A missing log must not keep the app from starting.
            log.warning(
                "App runs without a log",
                metadata: ["bundle": "\(app.bundle)", "reason": "\(error.explanation ?? error.reason)"])
            return try spawn(order, directory: directory, output: nil)
        }
    }

    /// Throws if the folder in the app's entry cannot be entered.
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

    private func spawn(_ order: Order, directory: String, output: CInt?) throws(SystemError) -> SpawnedProcess {
        let command = order.command
        guard let manager = UserManager(environment: order.environment) else {
            return try SpawnedProcess(
                executable: command.executable, arguments: [command.executable] + command.arguments,
                environment: order.environment.variables, directory: directory, output: output)
        }
        // The service manager would report this only in its own log.
        guard access(command.executable, X_OK) == 0 else { throw SystemError(command.executable) }
        let arguments = manager.arguments(
            for: command, of: app.bundle, environment: order.environment, directory: directory)
        do throws(SystemError) {
            return try SpawnedProcess(
                executable: manager.program, arguments: arguments, environment: order.environment.variables,
                directory: directory, output: output)
        } catch {
            throw SystemError(error.code, command.executable, "cannot start \(manager.program): \(error.reason)")
        }
    }

    // MARK: Over the bus

    /// The process belongs to the bus or the user's service manager, so its exit is unknown.
    private func activate(_ environment: AppEnvironment) -> AppExit? {
        guard let problem = BusActivation(program: busDoor, bundle: app.bundle, environment: environment).run() else {
            log.debug("App started over the bus", metadata: ["bundle": "\(app.bundle)"])
            return nil
        }
        return notStarted(DisplayText(cleaning: problem, limit: Limits.reasonCharacters).text)
    }
}

extension SpawnedProcess {
    func wait() -> AppExit {
        guard let status = waitForStatus() else {
            return .notStarted(reason: "lost sight of process \(id): \(String(cString: strerror(errno)))")
        }
        let signal = status & 0x7f
        return signal == 0 ? .exited(code: (status >> 8) & 0xff) : .signalled(signal)
    }
}

package enum DescriptorLimit {
    /// Two per stream, one per program and device, and a reserve. Apps still get the usual 1024.
    package static let daemon: UInt = 4096

    /// As far as the system allows. Call before any program is started.
    @discardableResult
    package static func raise(to wanted: UInt = daemon) -> UInt { chandoff_raise_descriptors(wanted) }
}
