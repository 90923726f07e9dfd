// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The user's service manager, where one runs: it starts programs as units of their own, by systemd-run.
package struct TransientUnits {
    /// systemd-run.
    package let program: String

    /// Nil where none runs, or systemd-run is missing.
    package init?(environment: [String: String]) {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/"),
            access(runtime + "/systemd/private", F_OK) == 0,
            let program = ProgramFinder(environment: environment).path(of: "systemd-run")
        else { return nil }
        self.program = program
    }

    /// Of systemd-run, which is to have the environment that the program is to have: arguments name the variables, and other
    /// users can read nothing but arguments.
    package func arguments(_ options: [String], environment: [String], command: [String]) -> [String] {
        [program, "--user", "--quiet"] + options + environment.sorted().map { "--setenv=\($0)" } + ["--"]
            + command.prefix(1)
            // The manager puts variables in their places otherwise.
            + command.dropFirst().map { $0.replacing("$", with: "$$") }
    }
}
