// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// `Scripts/cli-page`, which writes docs/cli.md.
@Suite struct CommandPageTests {
    private static let script = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Scripts/cli-page").path

    // Shows L08.
    @Test func thePageHasTheHelpOfEveryCommand() async throws {
        let program = try Program(
            [Self.script, Program.built + "/handoff", "--check"], environment: ProcessInfo.processInfo.environment)
        #expect(await program.end() == 0)
        #expect(program.errors == "")
    }
}
