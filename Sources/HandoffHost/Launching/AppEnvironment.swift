// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// The environment of a started app: the current session, and what the app is started for. The daemon's other variables
/// may hold secrets and do not reach the app.
struct AppEnvironment {
    let program: ProgramEnvironment
    var variables: [String: String] { program.variables }

    /// `token`: nil if the app must not receive a token; it then gets no data about the activity.
    init(
        session: ProgramEnvironment, root: String?, token: LaunchToken?, activityType: ActivityType,
        activation: ActivationToken?
    ) {
        var program = session
        program.variables[Locations.rootVariable] = root
        program.variables[Locations.launchTokenVariable] = token?.hex
        program.variables[Locations.launchActivityVariable] = token.map { _ in activityType.name }
        // The tokens with which the daemon or its service manager was started are stale.
        program.variables[ActivationToken.variable] = activation?.text
        program.variables[ActivationToken.olderVariable] = activation?.text
        self.program = program
    }

    /// Empty and relative values are ignored.
    var home: String? { variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// Whether this user seems to have a bus.
    var hasBus: Bool {
        if let address = variables["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
        return variables["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
    }
}
