// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// The sample, started as it should not be.
@Suite struct StartingTests {
    private static func start(_ variables: [String: String], _ arguments: String...) throws -> Program {
        let inherited = ProcessInfo.processInfo.environment.filter { $0.key == "LD_LIBRARY_PATH" }
        let home = NSTemporaryDirectory()
        let environment = ["PATH": "/usr/bin:/bin", "HOME": home, "HANDOFF_ROOT": home, "GTK_A11Y": "none"]
        return try Program(
            [Program.built + "/TextEditor"] + arguments,
            environment: environment.merging(inherited) { $1 }.merging(variables) { $1 })
    }

    // Shows L15.
    @Test func withoutADisplayItSaysSoAndEnds() async throws {
        let program = try Self.start([:])
        #expect(await program.end() == EXIT_FAILURE)
        #expect(
            program.errors
                == "TextEditor: there is no display to show windows on: neither WAYLAND_DISPLAY nor DISPLAY is set\n")
        #expect(program.output == "")
    }

    // Shows L15.
    @Test func aDisplayThatIsNotThereIsNamed() async throws {
        let program = try Self.start(["DISPLAY": ":65000", "WAYLAND_DISPLAY": ""], "letter.txt")
        #expect(await program.end() == EXIT_FAILURE)
        #expect(
            program.errors
                == "TextEditor: there is no display to show windows on: what DISPLAY=:65000 names cannot be reached\n")
    }
}
