// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The user's service manager, where one runs: it starts programs as units of their own, by systemd-run.
package struct TransientUnits {
    /// An option of the unit. A launcher that starts the program and ends would take it along otherwise.
    package static let untilTheLastProcess = "--property=ExitType=cgroup"

    /// systemd-run.
    package let program: String

    /// Nil where none runs, or systemd-run is missing.
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

    /// The arguments of systemd-run, which must be started with the same environment: arguments name the variables, and other
    /// users can read nothing but arguments. The unit inherits the manager's variables at that moment; named are only those
    /// that differ.
    package func arguments(_ options: [String], environment: ProgramEnvironment, command: [String]) -> [String] {
        let withheld = environment.withheld.map { "--property=UnsetEnvironment=\($0)" }
        let assigned = environment.assigned.map { "--setenv=\($0)" }
        // The manager puts variables in their places otherwise.
        let command = command.prefix(1) + command.dropFirst().map { $0.replacing("$", with: "$$") }
        return [program, "--user", "--quiet"] + options + withheld + assigned + ["--"] + command
    }
}
