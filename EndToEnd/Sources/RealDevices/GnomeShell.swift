// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A real GNOME Shell on a virtual monitor, with Handoff's extension, and a session bus that is also its system bus.
package final class GnomeShell {
    private static let program = "/usr/bin/gnome-shell"
    private static let name = "org.gnome.Shell"
    private static let path = "/org/gnome/Shell"
    private static let screen = (width: 1280, height: 800)
    private static let display = "handoff-shell"
    private static let patience = Duration.seconds(40)
    package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// What the Shell shows of the extension; see EndToEnd/shell.js.
    package struct Snapshot: Codable, Hashable, Sendable {
        /// In the top bar.
        package var icon: Bool
        /// In quick settings, also while they are closed.
        package var toggle: Bool
        package var isOn: Bool
        package var summary: String
        /// Of the open menu. Those in parentheses cannot be pressed.
        package var rows: [String]
        /// How many actors the Shell's own containers have.
        package var children: [Int]
        /// Their titles.
        package var windows: [String]
        package var error: String
    }

    package let bus: SessionBus
    private let program: RunningProgram
    private let environment: [String: String]
    private let device: Device
    /// Of its programs.
    package let home: URL

    /// Gives later programs of the device its session bus.
    package init(of device: Device, language: String = "en") throws {
        let folder = device.root.appending(path: "session")
        let runtime = device.root.appending(path: "runtime")
        for folder in [folder, runtime] {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        self.device = device
        self.home = folder.appending(path: "home")
        let home = home.path
        var environment = device.environment.merging([
            "XDG_RUNTIME_DIR": runtime.path, "HOME": home, "XDG_CONFIG_HOME": home + "/config",
            "XDG_DATA_HOME": home + "/data", "XDG_CACHE_HOME": home + "/cache",
            "XDG_DATA_DIRS": Builds.root.appending(path: "Desktop/share").path + ":/usr/share", "LANGUAGE": language,
            "GSETTINGS_BACKEND": "memory", "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1", "DISPLAY": "",
            // A desktop entry is hidden if its program is not found.
            "PATH": Builds.programs.path + ":/usr/bin:/bin", "GTK_A11Y": "none", "GSK_RENDERER": "cairo",
        ]) { $1 }
        // Programs that the bus starts are this user's only ones, and not one of several devices.
        environment["HANDOFF_ROOT"] = nil
        try FileManager.default.createSymbolicLink(
            atPath: runtime.path + "/handoff", withDestinationPath: device.root.path + "/run")
        // They end with the display.
        bus = try SessionBus(
            on: device.stage, in: folder,
            environment: environment.merging(["WAYLAND_DISPLAY": Self.display]) { $1 })
        device.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
        self.environment = environment
        program = try device.stage.start(
            device.prefix + [
                Self.program, "--headless", "--wayland", "--no-x11", "--unsafe-mode", "--wayland-display", Self.display,
                "--virtual-monitor", "\(Self.screen.width)x\(Self.screen.height)",
            ],
            environment: environment, name: "GNOME Shell of \(device.name)")
        try program.errors.next("the Shell's start", within: Self.patience) { $0.contains("GNOME Shell started at") }
        try evaluate(String(contentsOf: Builds.root.appending(path: "EndToEnd/shell.js"), encoding: .utf8))
    }

    /// As `gnome-extensions enable` does.
    package func enable() throws { try call("\(Self.name).Extensions.EnableExtension", [Self.uuid]) }
    package func disable() throws { try call("\(Self.name).Extensions.DisableExtension", [Self.uuid]) }

    private static let uuid = "handoff@handoff.org"

    /// Waits until the Shell shows this.
    @discardableResult
    package func see(_ wanted: String, where isWanted: (Snapshot) -> Bool) throws -> Snapshot {
        var last: Snapshot?
        _ = try program.output.next(wanted, within: Self.patience) { line in
            guard line.hasPrefix(Self.mark), let data = line.dropFirst(Self.mark.count).data(using: .utf8) else {
                return false
            }
            last = try? JSONDecoder().decode(Snapshot.self, from: data)
            return last.map(isWanted) ?? false
        }
        guard let last else { throw Unmet("the Shell shows no \(wanted)") }
        return last
    }

    private static let mark = "shell "

    /// Starts a program with a window.
    package func start(_ command: [String], name: String) throws {
        _ = try device.stage.start(
            device.prefix + command, environment: environment.merging(["WAYLAND_DISPLAY": Self.display]) { $1 },
            name: name)
    }

    /// Gives the focus to the window with this in its title, as its user does.
    package func focus(_ title: String) throws { try evaluate("handoff.focus(\"\(title)\")") }

    /// Otherwise windows have no focus.
    package func hideOverview() throws { try evaluate("handoff.hideOverview()") }

    package func openQuickSettings() throws { try evaluate("handoff.openQuickSettings()") }
    package func closeQuickSettings() throws { try evaluate("handoff.closeQuickSettings()") }

    /// Clicks on the toggle or row of this name as soon as it is shown.
    package func press(_ name: String) throws { try evaluate("handoff.press(\"\(name)\")") }

    /// The upper right part of the screen, this many pixels from the edges.
    package func takePicture(to file: URL, size: (width: Int, height: Int)) throws {
        let area = ["\(Self.screen.width - size.width)", "0", "\(size.width)", "\(size.height)"]
        try call("\(Self.name).Screenshot.ScreenshotArea", at: "\(Self.path)/Screenshot", area + ["false", file.path])
    }

    private func evaluate(_ script: String) throws {
        let answer = try call("\(Self.name).Eval", [script])
        guard answer.hasPrefix("(true,") else { throw Unmet("the Shell refused \(script.prefix(80)): \(answer)") }
    }

    @discardableResult
    private func call(_ method: String, at path: String = path, _ arguments: [String]) throws -> String {
        let ended = try RunningProgram.run(
            ["gdbus", "call", "--session", "-d", Self.name, "-o", path, "-m", method] + arguments,
            environment: environment)
        guard ended.code == 0 else { throw Unmet("\(method): \(ended.errors)") }
        return ended.output
    }
}
