// SPDX-License-Identifier: Apache-2.0

internal import Glibc
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

    /// `token`: nil where it is not to have one, and then nothing tells it what it is started for.
    init(
        daemon: [String: String], root: String?, token: LaunchToken?, activityType: ActivityType,
        activation: ActivationToken?
    ) {
        var variables = daemon.filter { name, _ in
            Self.passed.contains(name) || Self.passedPrefixes.contains { name.hasPrefix($0) }
        }
        variables["PATH", default: Self.defaultPath] += ""
        variables[Locations.rootVariable] = root
        if let token {
            variables[Locations.launchTokenVariable] = token.hex
            variables[Locations.launchActivityVariable] = activityType.name
        }
        // What the daemon itself was once started with counts no more.
        variables[ActivationToken.variable] = activation?.text
        variables[ActivationToken.olderVariable] = activation?.text
        self.variables = variables
    }

    /// Empty and relative ones do not count.
    var home: String? { variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// Whether there is something like a bus of this user's.
    var hasBus: Bool {
        if let address = variables["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
        return variables["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
    }
}
