// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestBuses
import TestPrograms

/// A device with a desktop: a real daemon, a separate real bus, and handoff-bus between them.
final class BusDevice: Sendable {
    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    let name: String
    let root: String
    let bus: PrivateBus
    private let running: Mutex<Program>
    var door: Program { running.withLock { $0 } }

    init(_ name: String, in folder: String, bus: PrivateBus? = nil) async throws {
        self.name = name
        root = folder + "/" + name
        self.bus = if let bus { bus } else { try await PrivateBus() }
        running = Mutex(try Self.door(root, self.bus))
    }

    private static func door(_ root: String, _ bus: PrivateBus) throws -> Program {
        try Program([Program.built + "/handoff-bus", "--root", root], environment: environment(root, bus))
    }

    /// Like an upgrade of the package.
    func restartDoor() async throws {
        door.send(SIGTERM)
        _ = await door.wait { !$0.isRunning }
        let next = try Self.door(root, bus)
        running.withLock { $0 = next }
    }

    deinit { door.send(SIGKILL) }

    func startDaemon() async throws -> Program {
        let daemon = try Program(
            [Program.built + "/handoffd", "--root", root, "--name", name, "--listen", "127.0.0.1:0"],
            environment: Self.environment(root, bus))
        try await daemon.warn("Ready\n")
        return daemon
    }

    /// Only library paths and sanitizer options of the tests' environment.
    private static func environment(_ root: String, _ bus: PrivateBus) -> [String: String] {
        ProcessInfo.processInfo.environment
            .filter { ["LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key) }
            .merging([
                "HANDOFF_ROOT": root, "PATH": "/usr/bin:/bin", "HOME": root, "DBUS_SESSION_BUS_ADDRESS": bus.address,
            ]) { $1 }
    }

    func start(_ command: [String], takesInput: Bool = false) throws -> Program {
        try Program(command, environment: Self.environment(root, bus), takesInput: takesInput)
    }

    @discardableResult
    func handoff(_ arguments: String..., typing line: String? = nil) async throws -> String {
        let program = try start([Program.built + "/handoff"] + arguments, takesInput: line != nil)
        if let line { try program.type(line) }
        let code = await program.end()
        guard code == 0 else {
            let words = arguments.joined(separator: " ")
            throw Refused(description: "handoff \(words) on \(name): \(code.map(String.init) ?? "") \(program.errors)")
        }
        return program.output
    }

    func sees(_ title: String) async throws {
        let watch = try start([Program.built + "/handoff", "activity", "list", "--watch", "--all", "--json"])
        try await watch.hear(title)
        watch.send(SIGKILL)
    }

    func log(of app: String) -> String {
        (try? String(contentsOfFile: root + "/state/logs/\(app).log", encoding: .utf8)) ?? ""
    }
}

final class BusPair: Sendable {
    let folder: String
    let laptop: BusDevice
    let desktop: BusDevice
    private let daemons: [Program]

    init() async throws {
        folder = "/tmp/handoff-buses-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        laptop = try await BusDevice("laptop", in: folder)
        desktop = try await BusDevice("desktop", in: folder)
        daemons = [try await laptop.startDaemon(), try await desktop.startDaemon()]
        try await laptop.handoff("account", "create")
        let invite = try JSONDecoder().decode(
            Invite.self, from: Data(try await laptop.handoff("account", "invite", "--no-wait", "--yes", "--json").utf8))
        try await desktop.handoff("account", "join", "--address", invite.addresses.first ?? "", typing: invite.code)
    }

    deinit {
        for daemon in daemons { daemon.send(SIGKILL) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    func crashDesktop() { daemons[1].send(SIGKILL) }

    private struct Invite: Decodable {
        let code: String
        let addresses: [String]
    }

    /// Installs a development app on both. `script`: the content of its executable.
    func install(_ identifier: String, type: String, script: String) async throws {
        let contents = folder + "/App-\(identifier).app/Contents"
        try FileManager.default.createDirectory(atPath: contents + "/Linux", withIntermediateDirectories: true)
        let info: [String: Any] = [
            "CFBundleIdentifier": identifier, "CFBundleName": identifier, "CFBundleExecutable": "program",
            "NSUserActivityTypes": [type],
        ]
        try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
            .write(to: URL(filePath: contents + "/Info.plist"))
        try Program.write(script, to: contents + "/Linux/program")
        for device in [laptop, desktop] {
            try await device.handoff("app", "install", "--development", contents.deletingLastPart)
        }
    }
}

extension String {
    fileprivate var deletingLastPart: String { String(self[..<(lastIndex(of: "/") ?? endIndex)]) }

    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
}
