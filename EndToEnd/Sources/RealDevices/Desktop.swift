// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A user's screen with only our windows on it, a keyboard, and a session bus.
///
/// Without a window manager, `turn(to:)` moves the keyboard focus, like a user's click on the window.
package final class Desktop {
    /// For programs that show windows here.
    package let environment: [String: String]
    private let stage: Stage

    package static let size = (width: 1000, height: 720)

    /// `folder`: for the files of its session.
    package init(on stage: Stage, in folder: URL, isDark: Bool = false) throws {
        self.stage = stage
        let home = folder.appending(path: "home")
        let runtime = folder.appending(path: "session")
        for folder in [home, runtime] {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let screen = try stage.start(
            [
                "Xvfb", "-displayfd", "1", "-screen", "0", "\(Self.size.width)x\(Self.size.height)x24", "-nolisten",
                "tcp", "-noreset",
            ],
            name: "screen")
        let number = try screen.output.next("the number of a screen", within: .seconds(20)) { Int($0) != nil }
        environment = [
            "DISPLAY": ":\(number)", "DBUS_SESSION_BUS_ADDRESS": try Self.bus(on: stage, in: runtime),
            "HOME": home.path, "XDG_RUNTIME_DIR": runtime.path, "XDG_CONFIG_HOME": home.path + "/config",
            "WAYLAND_DISPLAY": "", "GTK_A11Y": "none", "NO_AT_BRIDGE": "1",
        ]
        try setTheme(dark: isDark, of: home)
    }

    /// A bus that starts no programs.
    static func bus(on stage: Stage, in folder: URL) throws -> String { try SessionBus(on: stage, in: folder).address }

    private func setTheme(dark: Bool, of home: URL) throws {
        let folder = home.appending(path: "config/gtk-4.0")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let settings = """
            [Settings]
            gtk-application-prefer-dark-theme=\(dark)
            gtk-enable-animations=false
            gtk-cursor-blink=false
            gtk-font-name=Cantarell 11

            """
        try Data(settings.utf8).write(to: folder.appending(path: "settings.ini"))
    }

    /// Text of twice the size, in programs started from now on.
    package func doubleText() throws {
        try must(["xprop", "-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER", "Xft.dpi:\t192"])
    }

    // MARK: User actions

    /// Gives the focus to the window with this in its title, once it exists.
    package func turn(to title: String) throws {
        try find(title, "windowfocus", "--sync")
    }

    /// Resizes the window with this in its title, pixels, as a user would by its corner.
    package func resize(_ title: String, width: Int, height: Int) throws {
        try find(title, "windowsize", "\(width)", "\(height)")
    }

    /// Gives keyboard and mouse to the root window, with the pointer in the corner.
    package func turnAway() throws {
        try perform("mousemove", "\(Self.size.width - 1)", "\(Self.size.height - 1)")
        try perform("search", "--maxdepth", "0", "--class", ".*", "windowfocus", "--sync")
    }

    /// Waits for a window with this in its title.
    package func awaitWindow(_ title: String) throws { try find(title) }

    /// Waits until so many windows have this in their titles.
    package func await(
        _ count: Int, windowsTitled title: String, within bound: Duration = .seconds(20)
    ) throws {
        let deadline = ContinuousClock.now + bound
        let search = ["xdotool", "search", "--onlyvisible", "--name", title]
        while try RunningProgram.run(search, environment: environment).output.split(separator: "\n").count != count {
            guard ContinuousClock.now < deadline else { throw Unmet("waited \(bound) for \(count) windows: \(title)") }
        }
    }

    /// xdotool asks every window for its title, and fails if a window closes in between, as an answered dialog does.
    private func find(_ title: String, _ deed: String..., within bound: Duration = .seconds(20)) throws {
        let deadline = ContinuousClock.now + bound
        while true {
            do {
                return try perform(["search", "--sync", "--onlyvisible", "--name", title] + deed)
            } catch let unmet as Unmet {
                guard "\(unmet)".contains("BadWindow"), ContinuousClock.now < deadline else { throw unmet }
            }
        }
    }

    /// As xdotool names them: `ctrl+l`, `Return`.
    package func press(_ keys: String...) throws { try perform(["key", "--delay", "30"] + keys) }

    package func type(_ text: String) throws { try perform("type", "--delay", "5", text) }

    /// Scrolls down by this many notches of the wheel, at that point.
    package func scroll(_ notches: Int, at point: (x: Int, y: Int)) throws {
        try perform("mousemove", "\(point.x)", "\(point.y)", "click", "--delay", "20", "--repeat", "\(notches)", "5")
    }

    /// Waits until this part of the screen equals the other screen's, pixel by pixel.
    package func wait(
        forSameAs other: Desktop, in part: (width: Int, height: Int, x: Int, y: Int),
        within bound: Duration = .seconds(20)
    ) throws {
        let deadline = ContinuousClock.now + bound
        while ContinuousClock.now < deadline {
            if try look(at: part) == other.look(at: part) { return }
        }
        throw Unmet("waited \(bound) for both screens to show the same at \(part)")
    }

    /// A checksum of this part of the screen.
    package func look(at part: (width: Int, height: Int, x: Int, y: Int)) throws -> String {
        let crop = "\(part.width)x\(part.height)+\(part.x)+\(part.y)"
        return try must(["import", "-window", "root", "-crop", crop, "-depth", "8", "-format", "%#", "info:-"])
    }

    /// A small PNG of the screen or its upper left part.
    package func takePicture(to file: URL, size: (width: Int, height: Int) = size) throws {
        let crop = "\(size.width)x\(size.height)+0+0"
        try must([
            "import", "-window", "root", "-crop", crop, "-strip", "-quality", "95", "PNG24:\(file.path)",
        ])
    }

    /// Waits until a point has this colour, `#RRGGBB`, because content is drawn some time after it is loaded.
    package func wait(
        for colour: String, at point: (x: Int, y: Int), within bound: Duration = .seconds(20)
    ) throws {
        let deadline = ContinuousClock.now + bound
        var seen = ""
        while ContinuousClock.now < deadline {
            let place = "1x1+\(point.x)+\(point.y)"
            seen = try must(["import", "-window", "root", "-crop", place, "-depth", "8", "txt:-"])
            if seen.contains(colour) { return }
        }
        throw Unmet("waited \(bound) for \(colour) at \(point); it is \(seen)")
    }

    /// Copies a file's content to the clipboard. The program that holds it ends with the stage.
    package func copy(_ file: URL) throws {
        let holder = try stage.start(
            ["xclip", "-verbose", "-selection", "clipboard", file.path], environment: environment, name: "clipboard")
        try holder.errors.next(starting: "Waiting for selection requests")
    }

    /// `type`: a type of the clipboard's content.
    package func pasted(as type: String = "UTF8_STRING") throws -> String {
        try must(["xclip", "-selection", "clipboard", "-target", type, "-o"])
    }

    /// Monitors calls to an interface on the session bus from now on.
    package func listen(to interface: String) throws -> RunningProgram {
        let listener = try stage.start(
            ["dbus-monitor", "--session", "interface='\(interface)'"], environment: environment, name: "ear on the bus")
        // The bus confirms the monitor with this signal.
        try listener.output.next("the bus") { $0.contains("NameLost") || $0.contains("NameAcquired") }
        return listener
    }

    /// Clicks on the window of that program once it is shown: near its beginning, or on its first button.
    package func click(onWindowOf program: String, onButton: Bool = false, button: Int = 1) throws {
        let window = try must(["xdotool", "search", "--sync", "--onlyvisible", "--class", program])
            .split(separator: "\n").first.map(String.init)
        guard let window else { throw Unmet("\(program) has no window") }
        var size: [String: Int] = [:]
        for line in try must(["xdotool", "getwindowgeometry", "--shell", window]).split(separator: "\n") {
            let parts = line.split(separator: "=")
            if parts.count == 2 { size[String(parts[0])] = Int(parts[1]) }
        }
        guard let height = size["HEIGHT"] else { throw Unmet("\(window) has no size") }
        let point = onButton ? (x: 70, y: height - 30) : (x: 60, y: 20)
        try perform("mousemove", "--window", window, "\(point.x)", "\(point.y)", "click", "\(button)")
    }

    private func perform(_ arguments: String...) throws { try perform(arguments) }
    private func perform(_ arguments: [String]) throws { try must(["xdotool"] + arguments) }

    @discardableResult
    private func must(_ command: [String]) throws -> String {
        let ended = try RunningProgram.run(command, environment: environment)
        guard ended.code == 0 else { throw Unmet("\(command.joined(separator: " ")): \(ended.errors)") }
        return ended.output
    }
}

extension Device {
    /// Gives later programs of this device a screen, including the daemon's apps.
    package func startDesktop(isDark: Bool = false) throws -> Desktop {
        let desktop = try Desktop(on: stage, in: root, isDark: isDark)
        environment.merge(desktop.environment) { $1 }
        return desktop
    }
}
