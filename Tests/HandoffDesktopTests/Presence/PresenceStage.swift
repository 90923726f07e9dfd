// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffClient
import HandoffWire
import TestBuses
import TestPrograms

/// A daemon, handoff-bus, a session bus, a system bus with a simulated logind, and a browser that shows a page.
final class PresenceStage {
    static let page = "Weather Tab"

    let folder: String
    private let session: PrivateBus
    private let system: PrivateBus
    private var logind: Program?
    private var savers: [Program] = []
    let daemon: Program
    private(set) var desktop: Program?
    private var browser: BlockingClient?
    /// The lists of all offers, one a line.
    private(set) var watch: Program?

    private struct Unmet: Error, CustomStringConvertible {
        let description: String
    }

    init() async throws {
        // Short, because a socket's path is limited.
        var template = Array("/tmp/handoff-presence-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw CocoaError(.fileWriteUnknown) }
        folder = String(cString: made)
        session = try await PrivateBus()
        system = try await PrivateBus()
        daemon = try Program(
            [
                Program.built + "/handoffd", "--root", folder + "/device", "--name", "laptop", "--listen",
                "127.0.0.1:0", "--beacons", "false", "--log-level", "debug",
            ], environment: [:])
        try await daemon.warn("Ready\n")
        _ = try await handoff("account", "create")
        watch = try Program(
            [Program.built + "/handoff", "activity", "list", "--watch", "--all", "--json"],
            environment: ["HANDOFF_ROOT": folder + "/device"])
        _ = try await watch?.hear("[]")
        try browse()
        _ = try await watch?.hear(Self.page)
    }

    deinit {
        for program in [watch, desktop, logind, daemon] + savers {
            program?.send(SIGKILL)
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func browse() throws {
        let browser = try BlockingClient.connect(
            to: Locations(root: folder + "/device"),
            hello: LocalHello(role: .browser, name: DisplayText(cleaning: "Firefox")))
        let page = Publication(
            activity: ActivityID(uncheckedBytes: Array(repeating: 7, count: 16)), type: .browsingWeb,
            title: DisplayText(cleaning: Self.page), hasWebPage: true)
        _ = try browser.call(.advertising(.publish(page)))
        self.browser = browser
    }

    // MARK: handoff-bus

    /// Waits until it has reported the user's presence.
    func startDesktop(hasSystemBus: Bool = true) async throws {
        let told = count(of: "User's presence reported")
        desktop = try Program(
            [Program.built + "/handoff-bus", "--root", folder + "/device"],
            environment: [
                "DBUS_SESSION_BUS_ADDRESS": session.address,
                "DBUS_SYSTEM_BUS_ADDRESS": hasSystemBus ? system.address : "unix:path=\(folder)/nothing",
            ])
        try await heard("User's presence reported", times: told + 1)
    }

    func killDesktop() async { await kill(desktop) }

    func count(of words: String) -> Int { daemon.errors.components(separatedBy: words).count - 1 }

    /// Waits until the daemon has logged this so many times.
    func heard(_ words: String, times: Int) async throws {
        let isHeard = await daemon.wait { $0.errors.components(separatedBy: words).count > times }
        if !isHeard { throw Unmet(description: "not \(times) times: \(words)\n\(daemon.errors)") }
    }

    func handoff(_ arguments: String...) async throws -> String {
        let program = try Program(
            [Program.built + "/handoff"] + arguments, environment: ["HANDOFF_ROOT": folder + "/device"])
        guard await program.end() == 0 else { throw Unmet(description: program.errors) }
        return program.output
    }

    // MARK: logind

    /// With one graphical, active session of this user.
    func startLogind() async throws {
        logind = try await mock(["--system", "--template", "logind"], "org.freedesktop.login1", on: system)
        try await addSession("2")
        try await set("'Type': <'wayland'>", of: "2")
    }

    func killLogind() async { await kill(logind) }

    private func kill(_ program: Program?) async {
        program?.send(SIGKILL)
        _ = await program?.wait { !$0.isRunning }
    }

    /// A text session on a seat.
    func addSession(_ id: String) async throws {
        try await manager("org.freedesktop.DBus.Mock.AddSession", id, "seat0", "\(getuid())", "anna", "true")
        try await manager(
            "org.freedesktop.DBus.Mock.EmitSignal", "org.freedesktop.login1.Manager", "SessionNew", "so",
            "[<'\(id)'>, <objectpath '\(Self.path(id))'>]")
    }

    /// `properties`: in GVariant's notation, without the braces.
    func set(_ properties: String, of session: String = "2") async throws {
        try await call(
            system, "org.freedesktop.login1", Self.path(session), "org.freedesktop.DBus.Mock.UpdateProperties",
            "org.freedesktop.login1.Session", "{\(properties)}")
    }

    /// As `loginctl lock-session` does.
    func requestLock(_ isToLock: Bool) async throws {
        let method = "org.freedesktop.login1.Session." + (isToLock ? "Lock" : "Unlock")
        try await call(system, "org.freedesktop.login1", Self.path("2"), method)
    }

    /// Another program broadcasts a signal on the system bus in logind's place.
    func forge(_ signal: String, _ arguments: String...) async throws {
        let names = try await call(
            system, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
        for name in names.split(separator: "'") where name.hasPrefix(":") {
            try await run(
                [
                    "emit", "--address", system.address, "--dest", String(name), "--object-path", Self.path("2"),
                    "--signal", signal,
                ] + arguments)
        }
    }

    private func manager(_ method: String, _ arguments: String...) async throws {
        try await call(system, "org.freedesktop.login1", "/org/freedesktop/login1", method, arguments)
    }

    private static func path(_ session: String) -> String { "/org/freedesktop/login1/session/" + session }

    // MARK: Screen savers

    func startScreenSaver(_ name: String) async throws {
        savers.append(
            try await mock(["--session", name, Self.saverPath(name), name], name, on: session))
        try await call(
            session, name, Self.saverPath(name), "org.freedesktop.DBus.Mock.AddMethod", name, "GetActive", "", "b",
            "ret = False")
    }

    func cover(_ isActive: Bool, by name: String) async throws {
        try await call(
            session, name, Self.saverPath(name), "org.freedesktop.DBus.Mock.EmitSignal", name, "ActiveChanged", "b",
            "[<\(isActive)>]")
    }

    private static func saverPath(_ name: String) -> String { "/" + name.replacingOccurrences(of: ".", with: "/") }

    // MARK: The bus

    private func mock(_ arguments: [String], _ name: String, on bus: PrivateBus) async throws -> Program {
        let program = try Program(
            ["/usr/bin/python3", "-m", "dbusmock"] + arguments,
            environment: [
                "PATH": "/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": bus.address,
                "DBUS_SYSTEM_BUS_ADDRESS": bus.address,
            ])
        try await run(["wait", "--address", bus.address, "--timeout", "20", name])
        return program
    }

    @discardableResult
    private func call(
        _ bus: PrivateBus, _ name: String, _ path: String, _ method: String, _ arguments: String...
    ) async throws -> String { try await call(bus, name, path, method, arguments) }

    @discardableResult
    private func call(
        _ bus: PrivateBus, _ name: String, _ path: String, _ method: String, _ arguments: [String]
    ) async throws -> String {
        try await run(
            ["call", "--address", bus.address, "--dest", name, "--object-path", path, "--method", method] + arguments)
    }

    @discardableResult
    private func run(_ arguments: [String]) async throws -> String {
        let program = try Program(["/usr/bin/gdbus"] + arguments, environment: ["PATH": "/usr/bin:/bin"])
        guard await program.end() == 0 else {
            throw Unmet(description: "gdbus \(arguments): \(program.errors)")
        }
        return program.output
    }
}
