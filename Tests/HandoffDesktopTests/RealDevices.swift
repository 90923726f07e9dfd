// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms

/// Real daemons of one account over real sockets. The desktop runs handoff-bus, and the laptop offers activities.
final class RealDevices {
    let folder: String
    private let laptopDaemon: Program
    private let desktopDaemon: Program
    private(set) var door: Program?
    private var published: [Program] = []

    init() async throws {
        folder = "/tmp/handoff-desk-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        laptopDaemon = try Self.daemon("laptop", in: folder)
        desktopDaemon = try Self.daemon("desktop", in: folder)
        for daemon in [laptopDaemon, desktopDaemon] { try await daemon.warn("Ready\n") }
        _ = try await handoff("laptop", "account", "create")
        let invite = try JSONDecoder().decode(
            Invite.self,
            from: Data(try await handoff("laptop", "account", "invite", "--no-wait", "--yes", "--json").utf8))
        _ = try await handoff(
            "desktop", "account", "join", "--address", invite.addresses.first ?? "", typing: invite.code)
    }

    deinit {
        for program in published + [laptopDaemon, desktopDaemon] + [door].compactMap({ $0 }) { program.send(SIGKILL) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private struct Invite: Decodable {
        let code: String
        let addresses: [String]
    }

    /// `more`: additional environment variables.
    func openDoor(to bus: String, with more: [String: String] = [:]) throws {
        let environment = Self.environment(folder + "/desktop").merging(["DBUS_SESSION_BUS_ADDRESS": bus]) { $1 }
        door = try Program([Program.built + "/handoff-bus"], environment: environment.merging(more) { $1 })
    }

    /// Publishes on the laptop until the end of the test. Returns once the desktop lists it.
    func publish(_ title: String, page: String) async throws {
        let command = ["activity", "publish", "--type", "com.example.reading", "--title", title, "--web", page]
        published.append(
            try Program([Program.built + "/handoff"] + command, environment: Self.environment(folder + "/laptop")))
        let watch = try Program(
            [Program.built + "/handoff", "activity", "list", "--watch", "--json"],
            environment: Self.environment(folder + "/desktop"))
        try await watch.hear(title)
        watch.send(SIGTERM)
    }

    /// The output of the desktop's programs, and the content of all files.
    func everythingKept() throws -> [String: Data] {
        var kept = ["handoff-bus": Data((door?.output ?? "").utf8) + Data((door?.errors ?? "").utf8)]
        for (name, daemon) in [("laptop", laptopDaemon), ("desktop", desktopDaemon)] {
            kept["handoffd on the \(name)"] = Data(daemon.output.utf8) + Data(daemon.errors.utf8)
        }
        for file in FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [] {
            kept[file] = FileManager.default.contents(atPath: folder + "/" + file)
        }
        return kept
    }

    private static func daemon(_ name: String, in folder: String) throws -> Program {
        let root = folder + "/" + name
        return try Program(
            [
                Program.built + "/handoffd", "--root", root, "--name", name, "--listen", "127.0.0.1:0", "--log-level",
                "trace",
            ], environment: environment(root))
    }

    private static func environment(_ root: String) -> [String: String] {
        ProcessInfo.processInfo.environment
            .filter { ["LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key) }
            .merging(["HANDOFF_ROOT": root, "PATH": "/usr/bin:/bin", "HOME": root]) { $1 }
    }

    private func handoff(_ device: String, _ arguments: String..., typing line: String? = nil) async throws -> String {
        let program = try Program(
            [Program.built + "/handoff"] + arguments, environment: Self.environment(folder + "/" + device),
            takesInput: line != nil)
        if let line { try program.type(line) }
        guard await program.end() == 0 else {
            throw Program.Silence(description: "handoff \(arguments) on \(device): \(program.errors)")
        }
        return program.output
    }
}
