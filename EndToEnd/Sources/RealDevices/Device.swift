// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A device: its own root, its daemon, and the command line for that daemon.
package final class Device {
    package let name: String
    /// Contains the state, configuration, apps and socket.
    package let root: URL
    let stage: Stage
    /// The words before every command that run it on this device's network.
    package let prefix: [String]
    /// The file of its network namespace; nil: this machine's own network.
    let space: String?
    /// For all programs of the device.
    package var environment: [String: String]
    /// The folder of its programs.
    package var programs = Builds.programs
    /// The words before the daemon that change how it is started.
    package var daemonPrefix: [String] = []
    package private(set) var daemon: RunningProgram?

    /// `host`: the host name of the machine. `user`: runs its programs, instead of root.
    package init(
        _ name: String, on stage: Stage, network: Network? = nil, host: String? = nil, user: UInt32? = nil
    ) throws {
        self.name = name
        self.stage = stage
        root = stage.folder.appending(path: name)
        environment = ["HANDOFF_ROOT": root.path]
        let called = host.map { ["unshare", "--uts", "sh", "-c", #"hostname "$0" && exec "$@""#, $0] }
        space = network?.space(of: name)
        let reduced = user.map { ["setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] }
        prefix = try (network?.connect(name) ?? []) + (called ?? []) + (reduced ?? [])
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        if let user { chown(root.path, user, user) }
    }

    // MARK: The daemon

    /// Returns once it is ready.
    package func startDaemon(_ options: [String] = []) throws {
        let daemon = try launchDaemon(options)
        do {
            try daemon.errors.next("\"Ready\"") { $0.contains("listening=") && $0.hasSuffix("Ready") }
        } catch {
            throw Unmet("the daemon of \(name): \(error): \(daemon.errors.text)")
        }
    }

    /// Returns at once, because it may refuse to start.
    @discardableResult
    package func launchDaemon(_ options: [String] = []) throws -> RunningProgram {
        let daemon = try stage.start(
            prefix + daemonPrefix + [programs.appending(path: "handoffd").path, "--root", root.path, "--name", name]
                + options,
            environment: environment,
            name: "handoffd of \(name)")
        self.daemon = daemon
        return daemon
    }

    /// Waits until it has a session with another device.
    package func awaitSession(within bound: Duration) throws {
        guard let daemon else { throw Unmet("\(name) has no daemon") }
        try daemon.errors.next("a session", within: bound) { $0.hasSuffix("Session opened") }
    }

    package func stopDaemon() throws { daemon?.stop() }

    package func killDaemon() throws {
        daemon?.send(SIGKILL)
        try daemon?.waitForExit()
    }

    // MARK: The command line

    /// Runs `handoff` to its end.
    package func command(
        _ arguments: [String], typing line: String? = nil, within bound: Duration = .seconds(20)
    ) throws -> Ended {
        try RunningProgram.run(
            prefix + [programs.appending(path: "handoff").path] + arguments, environment: environment, typing: line,
            within: bound)
    }

    /// Runs `handoff`, which must succeed, and returns its output.
    @discardableResult
    package func handoff(_ arguments: String..., within bound: Duration = .seconds(20)) throws -> String {
        try succeed(arguments, within: bound)
    }

    /// The same with `--json`.
    package func json(_ arguments: String...) throws -> JSON {
        try JSON(text: try succeed(arguments + ["--json"], within: .seconds(20)))
    }

    private func succeed(_ arguments: [String], within bound: Duration) throws -> String {
        let ended = try command(arguments, within: bound)
        guard ended.code == 0 else {
            let words = arguments.joined(separator: " ")
            throw Unmet("handoff \(words) on \(name) exited with \(ended.code): \(ended.errors)")
        }
        return ended.output
    }

    /// Starts `handoff` and returns.
    package func start(_ arguments: String..., ends: RunningProgram.Ends = .init()) throws -> RunningProgram {
        try start(arguments, ends: ends)
    }

    package func start(_ arguments: [String], ends: RunningProgram.Ends) throws -> RunningProgram {
        try stage.start(
            prefix + [programs.appending(path: "handoff").path] + arguments, environment: environment,
            name: "handoff \(arguments.joined(separator: " ")) on \(name)", ends: ends)
    }

    /// The output of any program here, line by line.
    package func output(of command: String...) throws -> [String] { try output(of: command) }

    package func output(of command: [String]) throws -> [String] {
        let ended = try RunningProgram.run(prefix + command, environment: environment)
        guard ended.code == 0 else { throw Unmet("\(command.joined(separator: " ")) on \(name): \(ended.errors)") }
        return ended.output.split(separator: "\n").map(String.init)
    }

    /// Runs any program here to its end.
    package func run(_ command: String...) throws { try run(command) }

    package func run(_ command: [String], within bound: Duration = .seconds(20)) throws {
        let ended = try RunningProgram.run(prefix + command, environment: environment, within: bound)
        guard ended.code == 0 else { throw Unmet("\(command.joined(separator: " ")) on \(name): \(ended.errors)") }
    }

    /// Starts any program on this device's network.
    package func start(program: [String], name: String) throws -> RunningProgram {
        try stage.start(prefix + program, environment: environment, name: "\(name) on \(self.name)")
    }

    // MARK: Apps

    /// Starts an installed app as its user would; the test controls its input.
    package func open(_ app: App, _ arguments: String...) throws -> RunningProgram {
        let listed = try json("app", "list")
        guard let path = listed.first(where: "bundle", is: app.bundle)?["path"]?.string else {
            throw Unmet("\(app.bundle) is not installed on \(name)")
        }
        return try stage.start(
            prefix + ["\(path)/Contents/Linux/\(app.executable)"] + arguments, environment: environment,
            name: "\(app.executable) on \(name)")
    }

    /// The output of an app that the daemon starts, now or later.
    package func log(of app: App) throws -> Transcript {
        let log = root.appending(path: "state/logs/\(app.bundle).log")
        return try stage.follow(log, name: "log of \(app.executable) on \(name)")
    }
}
