// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Starts programs as units of the user's service manager, with systemd-run.
package struct TransientUnits {
    /// Otherwise the unit would end, with the program, as soon as a launcher that started it exits.
    package static let untilTheLastProcess = "--property=ExitType=cgroup"

    package let program: String

    /// Nil if no manager runs, or systemd-run is missing.
    package init?(environment: [String: String]) {
        guard Self.isManagerRunning(in: environment),
            let program = ProgramFinder(environment: environment).path(of: "systemd-run")
        else { return nil }
        self.program = program
    }

    static func isManagerRunning(in environment: [String: String]) -> Bool {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return false }
        return access(runtime + "/systemd/private", F_OK) == 0
    }

    /// The arguments of systemd-run, which must be started with the same environment. They only name the variables,
    /// because other users can read arguments. The unit inherits the manager's variables, so only differences are
    /// named.
    package func arguments(_ options: [String], environment: ProgramEnvironment, command: [String]) -> [String] {
        let withheld = environment.withheld.map { "--property=UnsetEnvironment=\($0)" }
        let assigned = environment.assigned.map { "--setenv=\($0)" }
        // Otherwise the manager would expand variables.
        let command = command.prefix(1) + command.dropFirst().map { $0.replacing("$", with: "$$") }
        return [program, "--user", "--quiet"] + options + withheld + assigned + ["--"] + command
    }
}
