// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// GTK apps started without a display. The article's app creates a widget before its window.
@Suite struct StartingTests {
    private static let apps = ["TextEditor", "GTKSnippets"]

    private static func start(_ app: String, _ variables: [String: String], _ arguments: String...) throws -> Program {
        let inherited = ProcessInfo.processInfo.environment.filter { $0.key == "LD_LIBRARY_PATH" }
        let home = NSTemporaryDirectory()
        let environment = ["PATH": "/usr/bin:/bin", "HOME": home, "HANDOFF_ROOT": home, "GTK_A11Y": "none"]
        return try Program(
            [Program.built + "/" + app] + arguments,
            environment: environment.merging(inherited) { $1 }.merging(variables) { $1 })
    }

    // Shows L15.
    @Test(arguments: apps) func withoutADisplayItExitsWithAnError(app: String) async throws {
        let program = try Self.start(app, [:])
        #expect(await program.end() == EXIT_FAILURE)
        #expect(
            program.errors
                == "\(app): cannot show windows: neither WAYLAND_DISPLAY nor DISPLAY is set\n")
        #expect(program.output == "")
    }

    // Shows L15.
    @Test(arguments: apps) func aDisplayThatIsNotThereIsNamed(app: String) async throws {
        let program = try Self.start(app, ["DISPLAY": ":65000", "WAYLAND_DISPLAY": ""], "letter.txt")
        #expect(await program.end() == EXIT_FAILURE)
        #expect(
            program.errors
                == "\(app): cannot show windows: the display of DISPLAY=:65000 cannot be reached\n")
    }
}
