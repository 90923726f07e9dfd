// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A user's login session with windows: a system bus with a logind that a test controls, a session bus, and Handoff's
/// programs for the desktop.
package final class LoginSession {
    private let bus: SystemBus
    private let logind: RunningProgram
    /// Handoff's program that reports what logind reports.
    package let watcher: RunningProgram

    /// Waits until the daemon is notified of the user's presence. The daemon must run with `--log-level debug`.
    init(on device: Device) throws {
        let folder = device.root.appending(path: "machine")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let address = try Desktop.bus(on: device.stage, in: folder)
        bus = SystemBus(address: address)
        device.environment["DBUS_SYSTEM_BUS_ADDRESS"] = address
        // Without a desktop one bus serves as both, because they share no names.
        if device.environment["DBUS_SESSION_BUS_ADDRESS"] == nil {
            device.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        }
        let environment = device.environment
        logind = try device.stage.start(
            [
                "/usr/bin/python3", "-m", "dbusmock", "--system", "--template",
                Builds.root.appending(path: "EndToEnd/logind.py").path,
            ], environment: environment, name: "logind of \(device.name)")
        try bus.run("wait", ["--timeout", "20", "org.freedesktop.login1"])
        try bus.call(
            "/org/freedesktop/login1", "org.freedesktop.DBus.Mock.AddSession", "2", "seat0", "\(getuid())", "anna",
            "true")
        try bus.set("'Type': <'wayland'>")
        watcher = try device.stage.start(
            device.prefix + [Builds.desktopPart, "--root", device.root.path], environment: environment,
            name: "handoff-bus of \(device.name)")
        try device.daemon?.errors.next("a word on the user") { $0.hasSuffix("User's presence reported") }
    }

    package func lock() throws { try bus.set("'LockedHint': <true>") }
    package func unlock() throws { try bus.set("'LockedHint': <false>") }

    /// Waits until Handoff no longer delays the sleep.
    package func beginSleep(announcements: Int = 1) throws {
        for _ in 0..<announcements { try say(isAsleep: true) }
        try logind.output.next(starting: "lock released")
    }

    /// Waits until Handoff delays the next sleep.
    package func endSleep(announcements: Int = 1) throws {
        for _ in 0..<announcements { try say(isAsleep: false) }
        try awaitLock()
    }

    package func awaitLock() throws { try logind.output.next(starting: "lock taken: sleep delay") }

    private func say(isAsleep: Bool) throws {
        try bus.call(
            "/org/freedesktop/login1", "org.freedesktop.DBus.Mock.EmitSignal", "org.freedesktop.login1.Manager",
            "PrepareForSleep", "b", "[<\(isAsleep)>]")
    }
}

private struct SystemBus {
    let address: String

    func set(_ properties: String) throws {
        try call(
            "/org/freedesktop/login1/session/2", "org.freedesktop.DBus.Mock.UpdateProperties",
            "org.freedesktop.login1.Session", "{\(properties)}")
    }

    func call(_ path: String, _ method: String, _ arguments: String...) throws {
        try run(
            "call", ["--dest", "org.freedesktop.login1", "--object-path", path, "--method", method] + arguments)
    }

    func run(_ command: String, _ arguments: [String]) throws {
        let ended = try RunningProgram.run(["gdbus", command, "--address", address] + arguments)
        guard ended.code == 0 else { throw Unmet("gdbus \(command) \(arguments): \(ended.errors)") }
    }
}

extension Device {
    /// Its user logs in.
    package func logIn() throws -> LoginSession { try LoginSession(on: self) }
}
