// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// As its own unit, an app survives a restart of the daemon's unit, and is not confined like the daemon.
/// docs/decisions/0045.
struct UserManager {
    private let units: TransientUnits
    var program: String { units.program }

    /// Nil if no manager runs, or systemd-run is missing.
    init?(environment: AppEnvironment) {
        guard let units = TransientUnits(environment: environment.variables) else { return nil }
        self.units = units
    }

    /// systemd-run passes its output to the app, and exits with the app, with its status.
    func arguments(
        for command: AppCommand, of bundle: BundleID, environment: AppEnvironment, directory: String
    ) -> [String] {
        // Random, because every user can read units' names, and the launch token is secret.
        let number = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        let unit = "app-handoff-\(bundle.name.unitEscaped)@\(number).service"
        return units.arguments(
            [
                "--collect", "--wait", "--pipe", "--service-type=exec", TransientUnits.untilTheLastProcess,
                "--slice=app.slice", "--unit=\(unit)",
                "--description=\(bundle.name)", "--working-directory=\(directory)",
            ], environment: environment.program, command: [command.executable] + command.arguments)
    }
}

extension String {
    /// A dash separates the parts of a unit's name.
    fileprivate var unitEscaped: String { replacing("-", with: #"\x2d"#) }
}
