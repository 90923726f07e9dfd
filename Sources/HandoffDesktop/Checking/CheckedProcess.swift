// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffSystem

/// In a session of its own. Reaped only at the end, so that its group's id stays reserved.
final class CheckedProcess {
    private let process: SpawnedProcess
    /// Nil while it runs. After a signal, 128 more than the signal.
    private(set) var status: CInt?

    /// Its output goes to our standard error, unless it is quiet.
    init(
        _ command: [String], environment: [String: String], isQuiet: Bool = false, on loop: BusLoop
    ) throws(BusFailure) {
        guard let name = command.first,
            let program = name.contains("/") ? name : ProgramFinder(environment: environment).path(of: name)
        else { throw BusFailure(BusFailure.failed, "the program \(command.first ?? "") was not found") }
        do throws(SystemError) {
            process = try SpawnedProcess(
                executable: program, arguments: command, environment: environment, directory: ".",
                output: isQuiet ? nil : STDERR_FILENO)
        } catch {
            throw BusFailure(BusFailure.failed, "\(name) cannot be started: \(error.reason)")
        }
        let id = process.id
        let isWatched = loop.runOnThread({ Self.waitWithoutReaping(id) }) { [weak self] in self?.status = $0 }
        if !isWatched { status = -1 }
    }

    private static func waitWithoutReaping(_ id: Int32) -> CInt {
        var info = siginfo_t()
        while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0 {
            guard errno == EINTR else { return -1 }
        }
        let code = info._sifields._sigchld.si_status
        return info.si_code == CLD_EXITED ? code : 128 + code
    }

    var isRunning: Bool { status == nil }

    /// Also ends its session's other processes. Blocks.
    func end() {
        _ = kill(-process.id, SIGKILL)
        _ = process.waitForStatus()
    }
}
