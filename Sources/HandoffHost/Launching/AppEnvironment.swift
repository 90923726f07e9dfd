// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// What a started app sees: the session as it is now, and what it is started for. The daemon's other
/// variables may hold secrets and do not reach the app.
struct AppEnvironment {
    let program: ProgramEnvironment
    var variables: [String: String] { program.variables }

    /// `token`: nil where it is not to have one, and then nothing tells it what it is started for.
    init(
        session: ProgramEnvironment, root: String?, token: LaunchToken?, activityType: ActivityType,
        activation: ActivationToken?
    ) {
        var program = session
        program.variables[Locations.rootVariable] = root
        program.variables[Locations.launchTokenVariable] = token?.hex
        program.variables[Locations.launchActivityVariable] = token.map { _ in activityType.name }
        // The tokens that the daemon or its service manager were once started with are stale.
        program.variables[ActivationToken.variable] = activation?.text
        program.variables[ActivationToken.olderVariable] = activation?.text
        self.program = program
    }

    /// Empty and relative ones do not count.
    var home: String? { variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// Whether there is something like a bus of this user's.
    var hasBus: Bool {
        if let address = variables["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
        return variables["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
    }
}
