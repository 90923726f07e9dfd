// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// How a browser gets the extension.
package enum ExtensionSource: Sendable {
    /// Loaded by a developer, with `handoff browser install`.
    case checkout
    /// Installed by the package for all users, without any setup for this browser.
    case package

    /// The words before its command.
    var prefix: [String] { self == .package ? Builds.packaged : [] }
}

/// A browser on a device, without a screen unless it is given one, with the extension, controlled by the test.
package protocol RealBrowser: AnyObject {
    var program: RunningProgram { get }
    /// Loads a page in the front tab, and waits for it.
    func go(to url: String) throws
    /// Evaluates `script` in the tab with this address, once there is one.
    func evaluate(_ script: String, at url: String) throws -> JSON
    func tabs() throws -> [String]
    /// Opens a page in a new front tab. Returns the browser's identifier for the tab.
    func openTab(_ url: String) throws -> String
    /// Brings a tab to the front, by its identifier.
    func turn(to tab: String) throws
}

extension RealBrowser {
    /// Waits until the result of `script` satisfies `isSo`.
    package func wait(
        _ what: String, at url: String, within bound: Duration = .seconds(15), _ script: String,
        until isSo: (JSON) -> Bool = { $0 == .bool(true) }
    ) throws {
        let deadline = ContinuousClock.now + bound
        var seen: JSON = .null
        while ContinuousClock.now < deadline {
            if try tabs().contains(url) {
                seen = (try? evaluate(script, at: url)) ?? .null
                if isSo(seen) { return }
            }
            Thread.sleep(forTimeInterval: 0.02)
        }
        throw Unmet("waited \(bound) for \(what); it is \(seen), tabs: \(try tabs())")
    }

    /// Waits for a scroll position, from 0 to 1.
    package func waitForPlace(_ place: Double, at url: String) throws {
        try wait("the place \(place)", at: url, Self.placeScript) { abs(($0.number ?? -1) - place) < 0.01 }
    }

    package func scroll(to place: Double, at url: String) throws {
        _ = try evaluate(
            "(() => { const p = document.scrollingElement; p.scrollTo(0, \(place) * (p.scrollHeight - p.clientHeight)); return 0 })()",
            at: url)
        try waitForPlace(place, at: url)
    }

    private static var placeScript: String {
        "(() => { const p = document.scrollingElement; return p.scrollTop / (p.scrollHeight - p.clientHeight) })()"
    }

    package func kill() throws {
        program.send(SIGKILL)
        // Its child processes hold its outputs open for a moment longer.
        _ = try? program.waitForExit()
        guard !program.isRunning else { throw Unmet("\(program.name) cannot be killed") }
    }
}

extension Device {
    /// Which browsers are missing here; nil if both are installed.
    package static let missingBrowser: String? = {
        for name in ["chromium", "firefox-esr"] {
            guard let found = try? RunningProgram.run(["sh", "-c", "command -v \(name)"]), found.code == 0 else {
                return "there is no \(name); run: make setup-browsers"
            }
        }
        return nil
    }()

    /// Gives later programs of this device their own home folder.
    package func settleIn() throws -> URL {
        let home = root.appending(path: "home")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        environment["HOME"] = home.path
        environment["XDG_CONFIG_HOME"] = home.appending(path: ".config").path
        environment["XDG_RUNTIME_DIR"] = root.path
        environment["DISPLAY"] = ""
        environment["WAYLAND_DISPLAY"] = ""
        environment["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
        return home
    }

    /// Runs a command to its end where the package is installed.
    package func packaged(_ command: String...) throws -> Ended {
        let ended = try RunningProgram.run(prefix + Builds.packaged + command, environment: environment)
        guard ended.code == 0 else { throw Unmet("\(command.joined(separator: " ")) on \(name): \(ended.errors)") }
        return ended
    }

    /// The processes of the native messaging host that this device's browser started.
    package func browserHosts() -> [Int32] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { Int32($0) }.filter { pid in
            let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
            guard executable?.hasSuffix("/handoff-browser-host") == true,
                let environment = FileManager.default.contents(atPath: "/proc/\(pid)/environ")
            else { return false }
            return String(decoding: environment, as: UTF8.self).contains("HANDOFF_ROOT=\(root.path)\0")
        }
    }
}
