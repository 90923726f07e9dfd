// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem
internal import HandoffWire

/// What a started app sees of the daemon's environment: who its user is, where the desktop is, nothing else. A variable
/// that is not named here may hold a secret of the session and does not reach the app.
struct AppEnvironment {
    static let passed: Set<String> = [
        "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TERM", "TZ",
        "USER",
        "WAYLAND_DISPLAY", "XAUTHORITY",
    ]
    static let passedPrefixes = ["LC_", "XDG_"]
    /// Where the daemon has none.
    static let defaultPath = DesktopOpener.defaultPath

    let variables: [String: String]

    init(daemon: [String: String], root: String?, token: LaunchToken, activityType: ActivityType) {
        var variables = daemon.filter { name, _ in
            Self.passed.contains(name) || Self.passedPrefixes.contains { name.hasPrefix($0) }
        }
        variables["PATH", default: Self.defaultPath] += ""
        variables[Locations.rootVariable] = root
        variables[Locations.launchTokenVariable] = token.hex
        variables[Locations.launchActivityVariable] = activityType.name
        self.variables = variables
    }

    /// Empty and relative ones do not count.
    var home: String? { variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
