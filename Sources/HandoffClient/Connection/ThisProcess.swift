// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
package import HandoffWire

package struct ThisProcess: Sendable {
    package let locations: Locations
    /// Absolute; empty if the system does not provide it.
    package let executable: String
    /// Nil outside bundles.
    package let bundle: AppBundle?
    package let bundleProblem: Failure?

    package static let current = ThisProcess()

    /// `root`: the value of `--root`.
    package static func locations(root: String? = nil) -> Locations {
        let environment = environment([
            Locations.rootVariable, "HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
        ])
        return Locations(
            root: root, environment: environment, workingDirectory: workingDirectory, userID: getuid())
    }

    package static func environment(_ variables: [String]) -> [String: String] {
        var values: [String: String] = [:]
        for variable in variables {
            if let value = getenv(variable) { values[variable] = String(cString: value) }
        }
        return values
    }

    /// "." if the folder was removed: nothing is found below it then.
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

    package var name: String {
        bundle?.name ?? executable.split(separator: "/").last.map(String.init) ?? "app"
    }

    /// Removed from the environment, so that the app's child cannot claim it.
    package static let launchToken: LaunchToken? = taken(Locations.launchTokenVariable).flatMap {
        try? LaunchToken(hex: $0)
    }

    /// The daemon started the app for this activity.
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
