// SPDX-License-Identifier: Apache-2.0

internal import Glibc

package struct TransientUnits {
    /// Otherwise the unit, and the program, ends with its launcher.
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

    /// With the same environment for systemd-run. Only names variables, because other users can read arguments, and
    /// only those that differ from the manager's.
    package func arguments(_ options: [String], environment: ProgramEnvironment, command: [String]) -> [String] {
        let withheld = environment.withheld.map { "--property=UnsetEnvironment=\($0)" }
        let assigned = environment.assigned.map { "--setenv=\($0)" }
        // Keeps the manager from expanding variables.
        let command = command.prefix(1) + command.dropFirst().map { $0.replacing("$", with: "$$") }
        return [program, "--user", "--quiet"] + options + withheld + assigned + ["--"] + command
    }
}
