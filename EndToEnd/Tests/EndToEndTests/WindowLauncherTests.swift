// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// The window of Handoff, started as by a desktop: by its entry, over the bus, with the installed files.
@Suite(.serialized, .needsNamespaces) struct WindowLauncherTests {
    // Shows L02, L10.
    @Test func aLauncherStartsItOverTheBusAndFindsItAgain() throws {
        try Stage.play { stage in
            let laptop = try Device("laptop", on: stage)
            let screen = try laptop.startDesktop()
            try laptop.startDaemon(["--beacons", "false"])
            let launcher = try Launcher(of: laptop, on: stage)
            #expect(try launcher.owner() == nil)

            try launcher.launch()
            try screen.awaitWindow("^Handoff$")
            let owner = try launcher.owner()
            #expect(owner != nil)
            // The second time, the existing window comes to the front, which shows that it responded.
            try screen.turnAway()
            try launcher.launch()
            try launcher.call("Activate", "{'desktop-startup-id': <'none'>}")
            #expect(try launcher.owner() == owner)
            #expect(try launcher.windows() == 1)
        }
    }

    // Shows L12: as the tray's menu does, with and without a window.
    @Test func trayOpensTheWindowOnItsSettings() throws {
        try Stage.play { stage in
            let laptop = try Device("laptop", on: stage)
            let screen = try laptop.startDesktop()
            try laptop.startDaemon(["--beacons", "false"])
            try laptop.handoff("account", "create")
            let launcher = try Launcher(of: laptop, on: stage)
            let reader = try launcher.startReader()
            for isOpen in [false, true] {
                if isOpen {
                    try screen.turn(to: "^Handoff$")
                    try screen.press("ctrl+1")
                    try reader.see("This is your only device so far.")
                }
                try launcher.call("ActivateAction", "settings", "[]", "{}")
                try screen.awaitWindow("^Handoff$")
                try reader.see("Notifications, Silent")
            }
            #expect(try launcher.windows() == 1)
        }
    }
}

/// A session bus with the installed files, and GLib's launcher, as desktops have it.
private struct Launcher {
    private let environment: [String: String]
    private let stage: Stage

    init(of device: Device, on stage: Stage) throws {
        self.stage = stage
        let folder = device.root.appending(path: "launcher")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var environment = device.environment
        // The only window of this user, and not one of several devices.
        environment["HANDOFF_ROOT"] = nil
        environment["GTK_A11Y"] = "atspi"
        let runtime = try #require(environment["XDG_RUNTIME_DIR"])
        try FileManager.default.createSymbolicLink(
            atPath: runtime + "/handoff", withDestinationPath: device.root.path + "/run")
        // The installed programs.
        let programs = folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: programs.appending(path: "handoff-desktop"),
            withDestinationURL: Builds.programs.appending(path: "handoff-desktop"))
        environment["PATH"] = programs.path + ":/usr/bin:/bin"
        let installed = Builds.root.appending(path: "Desktop/share")
        environment["XDG_DATA_DIRS"] = installed.path + ":/usr/share"
        let bus = try SessionBus(on: stage, in: folder, environment: environment)
        try bus.install(installed.appending(path: "dbus-1/services/org.handoff.Handoff.service"), prefix: folder.path)
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        self.environment = environment
        stage.afterwards { [environment] in
            // Programs started by a bus are not our children.
            _ = try? RunningProgram.run(
                [
                    "sh", "-c",
                    "kill $(gdbus call --session --dest org.freedesktop.DBus --object-path / "
                        + "--method org.freedesktop.DBus.GetConnectionUnixProcessID org.handoff.Handoff | grep -o '[0-9]*,' | tr -d ,)",
                ],
                environment: environment)
        }
    }

    /// As a shell does it: by name, over the bus if its entry requires it, with a launcher that runs until the
    /// application has responded.
    func launch() throws {
        _ = try must(
            "/usr/bin/python3", "-c",
            """
            from gi.repository import Gio, GLib
            loop = GLib.MainLoop()
            def launched(entry, result):
                entry.launch_uris_finish(result)
                loop.quit()
            Gio.DesktopAppInfo.new("org.handoff.Handoff.desktop").launch_uris_async([], None, None, launched)
            loop.run()
            """)
    }

    /// Of the interface of every application that a desktop starts over the bus.
    func call(_ method: String, _ arguments: String...) throws {
        try must(
            [
                "gdbus", "call", "--session", "--dest", "org.handoff.Handoff", "--object-path", "/org/handoff/Handoff",
                "--method", "org.freedesktop.Application.\(method)",
            ] + arguments)
    }

    /// Reads the window as a screen reader does.
    func startReader() throws -> WindowReader {
        try WindowReader(on: stage, in: environment, of: "launched window")
    }

    /// The process that owns the name; nil: none. This does not start it.
    func owner() throws -> String? {
        let ended = try RunningProgram.run(
            [
                "gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method",
                "org.freedesktop.DBus.GetConnectionUnixProcessID", "org.handoff.Handoff",
            ], environment: environment)
        return ended.code == 0 ? ended.output : nil
    }

    func windows() throws -> Int {
        try must("xdotool", "search", "--onlyvisible", "--name", "^Handoff$").split(separator: "\n").count
    }

    private func must(_ command: String...) throws -> String { try must(command) }

    @discardableResult
    private func must(_ command: [String]) throws -> String {
        let ended = try RunningProgram.run(command, environment: environment)
        guard ended.code == 0 else { throw Unmet("\(command.joined(separator: " ")): \(ended.errors)") }
        return ended.output
    }
}
