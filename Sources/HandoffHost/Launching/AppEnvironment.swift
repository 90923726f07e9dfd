// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem
internal import HandoffWire

/// The daemon's other variables may hold secrets and do not reach the app.
struct AppEnvironment {
    let program: ProgramEnvironment
    var variables: [String: String] { program.variables }

    init(
        session: ProgramEnvironment, root: String?, token: LaunchToken?, activityType: ActivityType,
        activation: ActivationToken?
    ) {
        var program = session
        program.variables[Locations.rootVariable] = root
        program.variables[Locations.launchTokenVariable] = token?.hex
        program.variables[Locations.launchActivityVariable] = token.map { _ in activityType.name }
        // The daemon's own activation tokens are stale.
        program.variables[ActivationToken.variable] = activation?.text
        program.variables[ActivationToken.olderVariable] = activation?.text
        self.program = program
    }

    var home: String? { variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } }

    var hasBus: Bool {
        if let address = variables["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
        return variables["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
    }
}
