// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

@Suite(.timeLimit(.minutes(1))) struct DesktopProgramTests {
    @Test func withoutABusItSaysWhatIsMissing() async throws {
        let program = try Program([Program.built + "/handoff-bus"], environment: [:])
        #expect(await program.wait { !$0.isRunning })
        #expect(program.errors == "handoff-bus: there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set\n")
    }

    /// They may start in any order.
    @Test func itWaitsForABusAndADaemonAndEndsWhenItIsTold() async throws {
        let folder = NSTemporaryDirectory() + "handoff-desktop-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = try Program(
            [Program.built + "/handoff-bus", "--root", folder],
            environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus"])
        program.send(SIGTERM)
        #expect(await program.wait { !$0.isRunning })
        #expect(program.errors.isEmpty)
    }
}
