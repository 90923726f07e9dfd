// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestBuses
import TestPrograms
import Testing

/// Programs on a mount whose server is unreachable, with a real daemon and a real handoff-bus.
// Shows T09, L05.
@Suite(.timeLimit(.minutes(2)), .enabled(if: SilentFileSystem.isPossible)) struct DeadMountTests {
    private func device(in folder: String) async throws -> (BusDevice, daemon: Program) {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let device = try await BusDevice("laptop", in: folder)
        return (device, try await device.startDaemon())
    }

    @Test func aProgramFromADeadMountHoldsUpNeitherTheDaemonNorItsEnd() async throws {
        let folder = "/tmp/handoff-dead-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (device, daemon) = try await device(in: folder)
        let mount = try SilentFileSystem(serving: "/usr/bin/perl")
        let program = try device.start(
            [
                mount.program, "-MSocket", "-e",
                """
                $| = 1; print "runs\\n"; <STDIN>; socket(S, PF_UNIX, SOCK_STREAM, 0);
                connect(S, sockaddr_un($ARGV[0])) or die; print "connected\\n"; <STDIN>;
                """, device.root + "/run/daemon.sock",
            ], takesInput: true)
        try await program.hear("runs")
        mount.fallSilent()
        try program.type("")
        try await program.hear("connected")
        let status = try device.start([Program.built + "/handoff", "status"])
        #expect(await status.end(.seconds(10)) == 0)
        daemon.send(SIGTERM)
        #expect(await daemon.end(.seconds(10)) == 0)
        program.send(SIGKILL)
    }

    @Test func aProgramFromADeadMountHoldsUpNoOtherOnTheBus() async throws {
        let folder = "/tmp/handoff-dead-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (device, daemon) = try await device(in: folder)
        defer { daemon.send(SIGKILL) }
        try await device.handoff("account", "create")
        let fixture = try BusFixture()
        try await fixture.isReady(at: device.bus.address)
        await fixture.stop()
        let mount = try SilentFileSystem(serving: "/usr/bin/python3")
        let example = String.repository + "/Examples/Python/notes.py"
        let silent = try device.start(
            ["/usr/bin/env", "PYTHONHOME=/usr", mount.program, example, ""], takesInput: true)
        try await silent.hear("registered")
        mount.fallSilent()
        // Registers again, as a new caller.
        try await device.restartDoor()
        #expect(await silent.wait { $0.output.components(separatedBy: "registered").count == 3 })
        let other = try device.start(["/usr/bin/python3", example, ""], takesInput: true)
        try await other.hear("registered")
        for program in [silent, other] { program.send(SIGKILL) }
    }
}
