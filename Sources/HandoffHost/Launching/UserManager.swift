// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// The user's service manager, where one runs: it starts an app as a unit of its own. So the app goes on when the unit of the
/// daemon is restarted, which ends all that was started within it, and nothing that confines the daemon confines the app.
/// docs/decisions/0045.
struct UserManager {
    private let units: TransientUnits
    /// systemd-run.
    var program: String { units.program }

    /// Nil where none runs, or the program is missing.
    init?(environment: AppEnvironment) {
        guard let units = TransientUnits(environment: environment.variables) else { return nil }
        self.units = units
    }

    /// Of systemd-run, which lives as long as the app, hands it its own output and ends as it does.
    func arguments(
        for command: AppCommand, of bundle: BundleID, environment: AppEnvironment, directory: String
    ) -> [String] {
        // A number of its own: every user reads the names of units, and the launch token is a secret.
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
    /// In the name of a unit a dash parts what is a part of it.
    fileprivate var unitEscaped: String { replacing("-", with: #"\x2d"#) }
}
