// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffCore
internal import HandoffSystem
internal import HandoffWire

/// The user's service manager, where one runs: it starts an app as a unit of its own. So the app goes on when the unit of the
/// daemon is restarted, which ends all that was started within it, and nothing that confines the daemon confines the app.
/// docs/decisions/0045.
struct UserManager {
    /// systemd-run.
    let program: String

    /// Nil where none runs, or the program is missing.
    init?(environment: AppEnvironment) {
        guard let runtime = environment.variables["XDG_RUNTIME_DIR"], runtime.hasPrefix("/"),
            access(runtime + "/systemd/private", F_OK) == 0,
            let program = ProgramFinder(environment: environment.variables).path(of: "systemd-run")
        else { return nil }
        self.program = program
    }

    /// Of systemd-run, which lives as long as the app, hands it its own output and ends as it does. It has the environment that
    /// the app is to have: arguments name the variables, and other users can read nothing but arguments.
    func arguments(
        for command: AppCommand, of bundle: BundleID, token: LaunchToken, environment: AppEnvironment, directory: String
    ) -> [String] {
        let unit = "app-handoff-\(bundle.name.unitEscaped)@\(token.hex.prefix(16)).service"
        let start = [
            program, "--user", "--quiet", "--collect", "--wait", "--pipe", "--service-type=exec", "--slice=app.slice",
            "--unit=\(unit)", "--description=\(bundle.name)", "--working-directory=\(directory)",
        ]
        return start + environment.variables.keys.sorted().map { "--setenv=\($0)" } + ["--", command.executable]
            // The manager puts variables in their places otherwise.
            + command.arguments.map { $0.replacing("$", with: "$$") }
    }
}

extension String {
    /// In the name of a unit a dash parts what is a part of it.
    fileprivate var unitEscaped: String { replacing("-", with: #"\x2d"#) }
}
