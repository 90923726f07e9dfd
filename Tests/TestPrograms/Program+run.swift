// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem

extension Program {
    /// Blocks until it ended; its exit code, or -1. It is looked for in PATH, and what it says goes nowhere.
    @discardableResult
    package static func run(_ command: [String]) -> Int32 {
        let process = try? SpawnedProcess(
            executable: "/usr/bin/env", arguments: ["env"] + command, environment: ProcessInfo.processInfo.environment,
            directory: FileManager.default.currentDirectoryPath, output: nil)
        guard let status = process?.waitForStatus(), status & 0x7f == 0 else { return -1 }
        return (status >> 8) & 0xff
    }
}
