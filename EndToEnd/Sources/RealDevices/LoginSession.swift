// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A user's login session with windows: a system bus with a logind that a test controls, a session bus, and Handoff's
/// programs for the desktop.
package final class LoginSession {
    private let device: Device
    private let bus: String

    private static let path = "/org/freedesktop/login1/session/2"

    /// Waits until the daemon is notified of the user's presence. The daemon must run with `--log-level debug`.
    init(on device: Device) throws {
        self.device = device
        let folder = device.root.appending(path: "machine")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        bus = try Desktop.bus(on: device.stage, in: folder)
        device.environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus
        // Without a desktop one bus serves as both, because they share no names.
        if device.environment["DBUS_SESSION_BUS_ADDRESS"] == nil {
            device.environment["DBUS_SESSION_BUS_ADDRESS"] = bus
        }
        let environment = device.environment
        _ = try device.stage.start(
            ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "logind"], environment: environment,
            name: "logind of \(device.name)")
        try bus("wait", "--timeout", "20", "org.freedesktop.login1")
        try call(
            "/org/freedesktop/login1", "org.freedesktop.DBus.Mock.AddSession", "2", "seat0", "\(getuid())", "anna",
            "true")
        try set("'Type': <'wayland'>")
        _ = try device.stage.start(
            device.prefix + [Builds.desktopPart, "--root", device.root.path], environment: environment,
            name: "handoff-bus of \(device.name)")
        try device.daemon?.errors.next("a word on the user") { $0.hasSuffix("User's presence reported") }
    }

    package func lock() throws { try set("'LockedHint': <true>") }
    package func unlock() throws { try set("'LockedHint': <false>") }

    private func set(_ properties: String) throws {
        try call(
            Self.path, "org.freedesktop.DBus.Mock.UpdateProperties", "org.freedesktop.login1.Session", "{\(properties)}"
        )
    }

    private func call(_ path: String, _ method: String, _ arguments: String...) throws {
        try bus(["call", "--dest", "org.freedesktop.login1", "--object-path", path, "--method", method] + arguments)
    }

    private func bus(_ arguments: String...) throws { try bus(arguments) }

    private func bus(_ arguments: [String]) throws {
        let ended = try RunningProgram.run(["gdbus", arguments[0], "--address", bus] + arguments.dropFirst())
        guard ended.code == 0 else { throw Unmet("gdbus \(arguments.joined(separator: " ")): \(ended.errors)") }
    }
}

extension Device {
    /// Its user logs in.
    package func logIn() throws -> LoginSession { try LoginSession(on: self) }
}
