// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A real window manager on a screen of its own. GNOME's is `GnomeShell`.
package enum WindowManager: String, CaseIterable, Sendable {
    case openbox
    case sway
    case kwin = "kwin_wayland"

    package var isInstalled: Bool { HomePair.isInstalled(rawValue) }

    /// Gives later programs of the device its screen, including those that the bus starts, as a session does. Returns the
    /// program that draws it.
    @discardableResult
    package func start(on device: Device) throws -> RunningProgram {
        let screen: RunningProgram
        switch self {
        case .openbox:
            screen = try device.startScreen()
            let manager = try device.start(program: ["openbox", "--debug"], name: rawValue)
            try manager.output.next("its start", within: .seconds(20)) { $0.contains("Moving to desktop") }
        case .sway: screen = try startSway(on: device)
        case .kwin: screen = try startKWin(on: device)
        }
        let names = ["DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK", "XDG_DATA_DIRS"].filter { device.environment[$0] != nil }
        try device.run(["dbus-update-activation-environment"] + names)
        return screen
    }

    private func startSway(on device: Device) throws -> RunningProgram {
        let settings = device.root.appending(path: "sway.conf")
        try Data("exec echo display=$WAYLAND_DISPLAY\n".utf8).write(to: settings)
        device.environment.merge([
            "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
            "SWAYSOCK": device.home.path + "/run/sway",
        ]) { $1 }
        let manager = try device.start(program: ["sway", "--config", settings.path], name: rawValue)
        let line = try manager.output.next("its start", within: .seconds(20)) { $0.hasPrefix("display=") }
        device.environment["WAYLAND_DISPLAY"] = String(line.dropFirst("display=".count))
        return manager
    }

    /// A copy has no capability for real time, which a container may refuse.
    private func startKWin(on device: Device) throws -> RunningProgram {
        let copy = device.root.appending(path: rawValue)
        try FileManager.default.copyItem(atPath: "/usr/bin/\(rawValue)", toPath: copy.path)
        device.environment["XDG_DATA_DIRS"] = Builds.root.appending(path: "Desktop/share").path + ":/usr/share"
        device.environment["KWIN_COMPOSE"] = "Q"
        let manager = try device.start(
            program: [copy.path, "--virtual", "--no-lockscreen", "--no-global-shortcuts", "--socket", "handoff-kwin"],
            name: rawValue)
        try device.awaitBusName("org.kde.KWin")
        device.environment["WAYLAND_DISPLAY"] = "handoff-kwin"
        return manager
    }

    /// Gives the focus to the window with this in its title, as its user does.
    package func focus(_ title: String, on device: Device) throws {
        switch self {
        case .openbox:
            try device.run([
                "xdotool", "search", "--sync", "--onlyvisible", "--name", title, "windowactivate", "--sync",
            ])
        case .sway: try device.run(["swaymsg", "[title=\"\(title)\"] focus"])
        case .kwin:
            let script = device.root.appending(path: "focus-\(UUID().uuidString).js")
            let code =
                "workspace.activeClient = workspace.clientList().find(each => each.caption.includes('\(title)'));"
            try Data(code.utf8).write(to: script)
            let (name, path, interface) = ("org.kde.KWin", "/Scripting", "org.kde.kwin.Scripting")
            try device.call(name, path, "\(interface).loadScript", [script.path, script.lastPathComponent])
            try device.call(name, path, "\(interface).start")
        }
    }
}
