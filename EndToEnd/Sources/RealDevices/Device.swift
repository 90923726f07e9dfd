// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A device: a root of its own, its daemon, and the command line that speaks with it.
package final class Device {
    package let name: String
    /// Where state, configuration, apps and the socket are.
    package let root: URL
    private let stage: Stage
    /// What goes before every command, to run it on this device's network.
    private let prefix: [String]
    package private(set) var daemon: RunningProgram?

    package init(_ name: String, on stage: Stage, network: Network? = nil) throws {
        self.name = name
        self.stage = stage
        root = stage.folder.appending(path: name)
        prefix = try network?.connect(name) ?? []
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    // MARK: The daemon

    /// Starts it and waits until it is ready.
    package func startDaemon(_ options: [String] = []) throws {
        let daemon = try launchDaemon(options)
        do {
            try daemon.errors.next("\"ready\"") { $0.contains("listening=") && $0.hasSuffix("ready") }
        } catch {
            throw Unmet("the daemon of \(name): \(error): \(daemon.errors.text)")
        }
    }

    /// Starts it and does not wait: it may refuse.
    @discardableResult
    package func launchDaemon(_ options: [String] = []) throws -> RunningProgram {
        let daemon = try stage.start(
            prefix + [Builds.daemon, "--root", root.path, "--name", name] + options, name: "handoffd of \(name)")
        self.daemon = daemon
        return daemon
    }

    package func stopDaemon() throws { daemon?.stop() }

    package func killDaemon() throws {
        daemon?.send(SIGKILL)
        try daemon?.waitForExit()
    }

    // MARK: The command line

    private var environment: [String: String] { ["HANDOFF_ROOT": root.path] }

    /// Runs `handoff` to its end.
    package func command(_ arguments: [String], within bound: Duration = .seconds(20)) throws -> Ended {
        try RunningProgram.run(
            prefix + [Builds.commandLine] + arguments, environment: environment, within: bound)
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
    package func start(_ arguments: String...) throws -> RunningProgram {
        try stage.start(
            prefix + [Builds.commandLine] + arguments, environment: environment,
            name: "handoff \(arguments.joined(separator: " ")) on \(name)")
    }

    // MARK: Apps

    /// Starts an installed app as its user would, with a hand on its input.
    package func open(_ app: App) throws -> RunningProgram {
        let listed = try json("app", "list")
        guard let path = listed.first(where: "bundle", is: app.bundle)?["path"]?.string else {
            throw Unmet("\(app.bundle) is not installed on \(name)")
        }
        return try stage.start(
            prefix + ["\(path)/Contents/Linux/\(app.executable)"], environment: environment,
            name: "\(app.executable) on \(name)")
    }

    /// What an app that the daemon starts, now or later, has to say.
    package func log(of app: App) throws -> Transcript {
        let log = root.appending(path: "state/logs/\(app.bundle).log")
        return try stage.start(
            ["tail", "-q", "-n", "+1", "-s", "0.01", "-F", log.path], name: "log of \(app.executable) on \(name)"
        ).output
    }
}
