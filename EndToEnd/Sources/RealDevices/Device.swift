// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A device: a root of its own, its daemon, and the command line that speaks with it.
package final class Device {
    package let name: String
    /// Where state, configuration, apps and the socket are.
    package let root: URL
    let stage: Stage
    /// What goes before every command, to run it on this device's network.
    let prefix: [String]
    /// The file of its network's namespace; nil: it is on this machine's own.
    let space: String?
    /// Of all that runs here.
    package var environment: [String: String]
    /// What goes before the daemon, to start it as it would not be by itself.
    package var daemonPrefix: [String] = []
    package private(set) var daemon: RunningProgram?

    /// `host`: what the machine itself is called.
    package init(_ name: String, on stage: Stage, network: Network? = nil, host: String? = nil) throws {
        self.name = name
        self.stage = stage
        root = stage.folder.appending(path: name)
        environment = ["HANDOFF_ROOT": root.path]
        let called = host.map { ["unshare", "--uts", "sh", "-c", #"hostname "$0" && exec "$@""#, $0] }
        space = network?.space(of: name)
        prefix = try (network?.connect(name) ?? []) + (called ?? [])
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    // MARK: The daemon

    /// Starts it and waits until it is ready.
    package func startDaemon(_ options: [String] = []) throws {
        let daemon = try launchDaemon(options)
        do {
            try daemon.errors.next("\"Ready\"") { $0.contains("listening=") && $0.hasSuffix("Ready") }
        } catch {
            throw Unmet("the daemon of \(name): \(error): \(daemon.errors.text)")
        }
    }

    /// Starts it and does not wait: it may refuse.
    @discardableResult
    package func launchDaemon(_ options: [String] = []) throws -> RunningProgram {
        let daemon = try stage.start(
            prefix + daemonPrefix + [Builds.daemon, "--root", root.path, "--name", name] + options,
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
            prefix + [Builds.commandLine] + arguments, environment: environment, typing: line, within: bound)
    }

    /// Runs `handoff`, which has to succeed; its output.
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

    /// Starts `handoff` and goes on.
    package func start(_ arguments: String..., ends: RunningProgram.Ends = .init()) throws -> RunningProgram {
        try start(arguments, ends: ends)
    }

    package func start(_ arguments: [String], ends: RunningProgram.Ends) throws -> RunningProgram {
        try stage.start(
            prefix + [Builds.commandLine] + arguments, environment: environment,
            name: "handoff \(arguments.joined(separator: " ")) on \(name)", ends: ends)
    }

    /// What any program says here, line by line.
    package func output(of command: String...) throws -> [String] {
        let ended = try RunningProgram.run(prefix + command, environment: environment)
        guard ended.code == 0 else { throw Unmet("\(command.joined(separator: " ")) on \(name): \(ended.errors)") }
        return ended.output.split(separator: "\n").map(String.init)
    }

    /// Runs any program here, to its end.
    package func run(_ command: String...) throws { try run(command) }

    package func run(_ command: [String]) throws {
        let ended = try RunningProgram.run(prefix + command, environment: environment)
        guard ended.code == 0 else { throw Unmet("\(command.joined(separator: " ")) on \(name): \(ended.errors)") }
    }

    /// Starts any program on this device's network.
    package func start(program: [String], name: String) throws -> RunningProgram {
        try stage.start(prefix + program, name: "\(name) on \(self.name)")
    }

    // MARK: Apps

    /// Starts an installed app as its user would, with a hand on its input.
    package func open(_ app: App, _ arguments: String...) throws -> RunningProgram {
        let listed = try json("app", "list")
        guard let path = listed.first(where: "bundle", is: app.bundle)?["path"]?.string else {
            throw Unmet("\(app.bundle) is not installed on \(name)")
        }
        return try stage.start(
            prefix + ["\(path)/Contents/Linux/\(app.executable)"] + arguments, environment: environment,
            name: "\(app.executable) on \(name)")
    }

    /// What an app that the daemon starts, now or later, has to say.
    package func log(of app: App) throws -> Transcript {
        let log = root.appending(path: "state/logs/\(app.bundle).log")
        return try stage.follow(log, name: "log of \(app.executable) on \(name)")
    }
}
