// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem

extension Program {
    /// Runs a program from PATH without output, and blocks until it has ended. Returns as
    /// ``SpawnedProcess/waitForEnd()``, or -1 if it cannot be started.
    @discardableResult
    package static func run(_ command: [String]) -> Int32 {
        let process = try? SpawnedProcess(
            executable: "/usr/bin/env", arguments: ["env"] + command, environment: ProcessInfo.processInfo.environment,
            directory: FileManager.default.currentDirectoryPath, output: nil)
        return process?.waitForEnd() ?? -1
    }
}

extension SpawnedProcess {
    /// Blocks until it has ended. Returns its exit code, the number of the signal that ended it, or -1 if its status is
    /// unknown.
    func waitForEnd() -> Int32 {
        guard let status = waitForStatus() else { return -1 }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : status & 0x7f
    }
}
