// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
package import HandoffWire

/// What this process is to the daemon.
package struct ThisProcess: Sendable {
    package let locations: Locations
    /// Full path; empty where the system does not tell.
    package let executable: String
    /// Nil for a program that is in no bundle.
    package let bundle: AppBundle?
    /// Why a bundle that seems to be there cannot be used.
    package let bundleProblem: Failure?

    package static let current = ThisProcess()

    /// `root`: what `--root` says.
    package static func locations(root: String? = nil) -> Locations {
        let environment = environment([
            Locations.rootVariable, "HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
        ])
        return Locations(
            root: root, environment: environment, workingDirectory: workingDirectory, userID: getuid())
    }

    /// Of these variables those that are set.
    package static func environment(_ variables: [String]) -> [String: String] {
        var values: [String: String] = [:]
        for variable in variables {
            if let value = getenv(variable) { values[variable] = String(cString: value) }
        }
        return values
    }

    /// A dot where it was removed: nothing is found below it then.
    private static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }

    private init() {
        locations = Self.locations()
        executable = "/proc/self/exe".linkTarget() ?? ""
        do throws(Failure) {
            bundle = try AppBundle.containing(executable: executable)
            bundleProblem = nil
        } catch {
            bundle = nil
            bundleProblem = error
        }
    }

    /// The bundle's name, else the executable's.
    package var name: String {
        bundle?.name ?? executable.split(separator: "/").last.map(String.init) ?? "app"
    }

    /// Given by the daemon to an app that it started. Read once, and taken out of the environment, so that no program
    /// that the app starts can say it was started for the continuation.
    package static let launchToken: LaunchToken? = taken(Locations.launchTokenVariable).flatMap {
        try? LaunchToken(hex: $0)
    }

    /// The type of the activity that the daemon started this app for. Read once and taken out, as the token is.
    package static let launchActivityType: ActivityType? = taken(Locations.launchActivityVariable).flatMap {
        try? ActivityType($0)
    }

    private static func taken(_ variable: String) -> String? {
        guard let value = getenv(variable) else { return nil }
        let text = String(cString: value)
        unsetenv(variable)
        return text
    }
}
