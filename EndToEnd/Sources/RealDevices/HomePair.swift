// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A person's two devices, each with a home folder, a session bus, and `handoff-bus`. VLC refuses to run as root, so that
/// person is another user.
package enum HomePair {
    /// The bus needs entries in the user database. LibreOffice names a file in `/tmp`, which the devices share, by its user.
    private static let users: (laptop: UInt32, desktop: UInt32) = (65534, 34)

    /// `fill` writes the files of a device's home folder.
    package static func begin(
        on stage: Stage, screens: Bool = false, fill: (Device) throws -> Void,
        services: (SessionBus) throws -> Void = { _ in }
    ) throws -> Pair {
        let pair = try Pair(offOn: stage, users: users)
        for (device, user) in [(pair.laptop, users.laptop), (pair.desktop, users.desktop)] {
            try prepare(device, of: user, on: stage, screens: screens, fill, services)
        }
        try pair.begin(with: [])
        for device in [pair.laptop, pair.desktop] {
            _ = try device.startBus()
            try device.awaitBusName("org.handoff.Handoff1")
        }
        return pair
    }

    /// In `/usr/bin`.
    package static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    private static func prepare(
        _ device: Device, of user: UInt32, on stage: Stage, screens: Bool, _ fill: (Device) throws -> Void,
        _ services: (SessionBus) throws -> Void
    ) throws {
        let home = device.home
        try FileManager.default.createDirectory(
            at: home.appending(path: "run"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try fill(device)
        _ = try RunningProgram.run(["chown", "-R", "\(user):\(user)", home.path])
        device.environment.merge([
            "HOME": home.path, "XDG_CONFIG_HOME": home.path + "/.config", "XDG_DATA_HOME": home.path + "/.local/share",
            "XDG_RUNTIME_DIR": home.path + "/run",
        ]) { $1 }
        if screens {
            _ = try device.startScreen()
        }
        let bus = try SessionBus(on: stage, in: device.root, environment: device.environment, prefix: device.prefix)
        device.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        try bus.start("org.handoff.Adapters", by: [Builds.adapters])
        try services(bus)
    }
}

extension Device {
    package var home: URL { root.appending(path: "home") }

    /// Gives later programs of the device a screen without a window manager.
    package func startScreen() throws -> RunningProgram {
        let screen = try start(
            program: ["Xvfb", "-displayfd", "1", "-screen", "0", "1000x720x24", "-nolisten", "tcp", "-ac", "-noreset"],
            name: "screen")
        let number = try screen.output.next("the number of a screen", within: .seconds(20)) { Int($0) != nil }
        environment["DISPLAY"] = ":\(number)"
        return screen
    }

    /// In the home folder.
    package func write(_ content: Data, to path: String) throws {
        let file = home.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try content.write(to: file)
    }

    package func write(_ content: String, to path: String) throws { try write(Data(content.utf8), to: path) }

    /// Calls a method on the device's bus. Returns the answer as `gdbus` shows it.
    @discardableResult
    package func call(_ name: String, _ path: String, _ method: String, _ arguments: [String] = []) throws -> String {
        try output(
            of: ["gdbus", "call", "--session", "--dest", name, "--object-path", path, "--method", method] + arguments
        ).joined(separator: "\n")
    }

    package func property(_ property: String, of interface: String, _ name: String, _ path: String) throws -> String {
        try call(name, path, "org.freedesktop.DBus.Properties.Get", [interface, property])
    }

    /// The messages on the device's bus that match, from now on.
    package func monitor(_ rule: String) throws -> RunningProgram {
        let monitor = try start(program: ["dbus-monitor", "--session", rule], name: "monitor")
        // The bus confirms the monitor with this signal.
        try monitor.output.next("the bus") { $0.contains("NameLost") || $0.contains("NameAcquired") }
        return monitor
    }

    /// The changes that players report from now on.
    package func monitorPlayers() throws -> RunningProgram {
        try monitor("type='signal',path='/org/mpris/MediaPlayer2'")
    }

    /// Names of programs on the device's bus.
    package func busNames() throws -> [String] {
        let name = "org.freedesktop.DBus"
        return try call(name, "/", "\(name).ListNames").split(separator: "'").map(String.init)
    }

    /// Waits until the device's bus has the name.
    package func awaitBusName(_ name: String) throws {
        try run(["gdbus", "wait", "--session", "--timeout", "20", name])
    }
}
