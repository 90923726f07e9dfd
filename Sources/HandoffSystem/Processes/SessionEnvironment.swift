// SPDX-License-Identifier: Apache-2.0

internal import Glibc

package enum ProcessEnvironment {
    /// Before the program has threads, which might change it.
    package static func read() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return variables
    }
}

/// Other variables may hold the program's secrets, or let a child speak to the service manager in its name.
package enum SessionEnvironment {
    private static let passed: Set<String> = [
        "AT_SPI_BUS_ADDRESS", "BROWSER", "CLUTTER_IM_MODULE", "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION", "DISPLAY",
        "EDITOR", "ELECTRON_OZONE_PLATFORM_HINT", "GLFW_IM_MODULE", "HOME", "I3SOCK", "INPUT_METHOD", "LANG",
        "LANGUAGE", "LIBVA_DRIVER_NAME", "LOGNAME", "NO_AT_BRIDGE", "PATH", "PULSE_SERVER", "SESSION_MANAGER", "SHELL",
        "SSH_AUTH_SOCK", "SWAYSOCK", "TERM", "TERMINAL", "TZ", "USER", "VDPAU_DRIVER", "VISUAL", "WAYLAND_DISPLAY",
        "XAUTHORITY", "XMODIFIERS",
    ]
    /// Look and input methods. None is secret.
    private static let passedPrefixes = [
        "FCITX_", "GDK_", "GNOME_", "GSK_", "GTK_", "IBUS_", "KDE_", "LC_", "MOZ_", "PIPEWIRE_", "QT_", "SDL_",
        "XCURSOR_", "XDG_",
    ]

    /// For an app. A shell's variables may contain anything.
    package static func variables(of environment: [String: String]) -> [String: String] {
        environment.filter { name, _ in passed.contains(name) || passedPrefixes.contains { name.hasPrefix($0) } }
    }

    package static func forOpening(_ environment: [String: String]) -> [String: String] {
        variables(of: environment).merging(environment.filter { $0.key == "DESKTOP_STARTUP_ID" }) { $1 }
    }
}

package struct ProgramEnvironment: Sendable {
    package var variables: [String: String]
    /// From the user's service manager to each unit; empty without an answer.
    package let inherited: [String: String]

    package init(_ variables: [String: String], inherited: [String: String] = [:]) {
        self.variables = variables
        self.inherited = inherited
    }

    /// Missing in a unit, or with another value.
    var assigned: [String] { variables.keys.filter { variables[$0] != inherited[$0] }.sorted() }
    /// In a unit, but not for the program.
    var withheld: [String] { inherited.keys.filter { variables[$0] == nil }.sorted() }
}
