// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBuses
import TestPrograms
import Testing

@Suite(.timeLimit(.minutes(1))) struct DesktopProgramTests {
    @Test func withoutABusItSaysWhatIsMissing() async throws {
        let program = try Program([Program.built + "/handoff-bus"], environment: [:])
        #expect(await program.end() != nil)
        #expect(program.errors == "handoff-bus: no session bus was found: DBUS_SESSION_BUS_ADDRESS is not set\n")
    }

    // Shows Q04.
    @Test func itReadsTheFilesOfEachDaemonThatItConnectsTo() async throws {
        // Short, because the path of a socket has little room.
        let folder = "/tmp/handoff-bus-" + UUID().uuidString.prefix(8)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["own", "first", "second"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)/handoff", withIntermediateDirectories: true)
            try #"{"notifications": "\#(name)"}"#.write(
                toFile: "\(folder)/\(name)/handoff/config.json", atomically: true, encoding: .utf8)
        }
        try FileManager.default.createDirectory(
            atPath: folder + "/run", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        func environment(_ name: String) -> [String: String] {
            ["HOME": folder, "XDG_RUNTIME_DIR": folder + "/run", "XDG_CONFIG_HOME": "\(folder)/\(name)"]
        }
        let bus = try await PrivateBus()
        let desktop = try Program(
            [Program.built + "/handoff-bus"],
            environment: environment("own").merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 })
        try await desktop.warn(#"notifications: "own" is not"#)
        for name in ["first", "second"] {
            let daemon = try Program(
                [Program.built + "/handoffd", "--beacons", "false", "--listen", "127.0.0.1:0"],
                environment: environment(name))
            try await desktop.warn("notifications: \"\(name)\" is not")
            daemon.send(SIGTERM)
            #expect(await daemon.wait { !$0.isRunning })
        }
        desktop.send(SIGTERM)
        #expect(await desktop.wait { !$0.isRunning })
    }

    /// They may start in any order.
    @Test func itWaitsForABusAndADaemonAndEndsWhenItIsTold() async throws {
        let folder = "/tmp/handoff-desktop-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let manager = try await ServiceManagerSocket(folder + "/notify")
        let program = try Program(
            [Program.built + "/handoff-bus", "--root", folder],
            environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus", "NOTIFY_SOCKET": manager.path])
        try await manager.program.hear("READY=1")
        program.send(SIGTERM)
        #expect(await program.end() == 0)
        #expect(program.errors.isEmpty)
    }
}
