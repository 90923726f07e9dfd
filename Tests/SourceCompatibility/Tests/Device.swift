// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms

/// A device: a daemon with its own folder, over real sockets on this machine.
final class Device {
    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    let name: String
    let root: String
    private let daemon: Program

    init(_ name: String, in folder: URL) async throws {
        self.name = name
        root = folder.appending(path: name).path
        daemon = try Program(
            [Program.built + "/handoffd", "--root", root, "--name", name, "--listen", "127.0.0.1:0"],
            environment: Self.environment(root))
        try await daemon.warn("Ready\n")
    }

    deinit { daemon.send(SIGTERM) }

    func crash() { daemon.send(SIGKILL) }

    /// Only the paths of libraries and the options of sanitizers, which are in these programs too.
    private static func environment(_ root: String) -> [String: String] {
        ProcessInfo.processInfo.environment
            .filter { ["LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key) }
            .merging(["HANDOFF_ROOT": root, "PATH": "/usr/bin:/bin", "HOME": root]) { $1 }
    }

    @discardableResult
    func handoff(_ arguments: String..., typing line: String? = nil) async throws -> String {
        let program = try start(arguments, takesInput: line != nil)
        if let line { try program.type(line) }
        let code = await program.end()
        guard code == 0 else {
            let words = arguments.joined(separator: " ")
            throw Refused(description: "handoff \(words) on \(name): \(code.map(String.init) ?? "") \(program.errors)")
        }
        return program.output
    }

    struct HistoryEntry: Decodable {
        let number: UInt64
        let title: String
        let appName: String?
    }

    func history(_ arguments: String...) async throws -> [HistoryEntry] {
        let program = try start(["history"] + arguments + ["--json"])
        guard await program.end() == 0 else { throw Refused(description: program.errors) }
        return try JSONDecoder().decode([HistoryEntry].self, from: Data(program.output.utf8))
    }

    /// Starts `handoff` without waiting for it.
    func begin(_ arguments: String...) throws -> Program { try start(arguments) }

    private func start(_ arguments: [String], takesInput: Bool = false) throws -> Program {
        try Program(
            [Program.built + "/handoff"] + arguments, environment: Self.environment(root), takesInput: takesInput)
    }

    /// Opens an installed app as its user does. Waits until the daemon knows the process, because it would start
    /// another one before.
    func open(_ app: PortedApp, with arguments: [String] = []) async throws -> Program {
        let program = try Program(
            [root + "/apps/\(app.identifier).app/Contents/Linux/\(app.name)"] + arguments,
            environment: Self.environment(root), takesInput: true)
        let deadline = ContinuousClock.now + .seconds(30)
        while try await !handoff("app", "list", "--json").contains(#""running":true"#), ContinuousClock.now < deadline {
        }
        return program
    }

    /// The output of an app that the daemon started.
    func log(of app: PortedApp) throws -> [String] {
        try String(contentsOf: URL(filePath: root + "/state/logs/\(app.identifier).log"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    func isOffered(_ title: String) async throws {
        let watch = try start(["activity", "list", "--watch", "--json"])
        try await watch.hear(title)
        watch.send(SIGTERM)
    }

    func isOfferedNothing() async throws {
        let watch = try start(["activity", "list", "--watch", "--json"])
        try await watch.hear("[]")
        watch.send(SIGTERM)
    }
}

/// A laptop and a desktop of one account, with one app on both.
struct Pair {
    let folder: Folder
    let laptop: Device
    let desktop: Device

    init(with app: PortedApp) async throws {
        folder = try Folder()
        laptop = try await Device("laptop", in: folder.url)
        desktop = try await Device("desktop", in: folder.url)
        try await laptop.handoff("account", "create")
        let invite = try JSONDecoder().decode(
            Invite.self, from: Data(try await laptop.handoff("account", "invite", "--no-wait", "--yes", "--json").utf8))
        try await desktop.handoff(
            "account", "join", "--address", invite.addresses.first ?? "", typing: invite.code)
        let bundle = try app.make(in: folder.url)
        for device in [laptop, desktop] { try await device.handoff("app", "install", "--development", bundle) }
    }

    private struct Invite: Decodable {
        let code: String
        let addresses: [String]
    }
}

/// Deleted with its last reference, after its apps were ended. The path is short because socket paths are limited.
final class Folder {
    let url: URL

    init() throws {
        url = URL(filePath: "/tmp/handoff-port-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        killApps()
        try? FileManager.default.removeItem(at: url)
    }

    /// Ends the apps that the daemons started, because an app outlives its daemon.
    private func killApps() {
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let pid = Int32(entry),
                let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe"),
                program.hasPrefix(url.path + "/")
            else { continue }
            kill(pid, SIGKILL)
        }
    }
}
