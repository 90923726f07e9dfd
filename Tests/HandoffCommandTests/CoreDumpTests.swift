// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

@Suite struct CoreDumpTests {
    @Test func theDaemonLeavesNone() async throws {
        // Verifies that this system is set up for core dumps; otherwise the test would prove nothing.
        let usual = try await crash("cat", onceThereIs: ".")
        #expect(usual.contains("Aborted"))
        let daemon = try await crash(
            "\(Program.built)/handoffd --beacons false --listen 127.0.0.1:0", onceThereIs: "root/run/daemon.sock")
        #expect(daemon.contains("Aborted") && !daemon.contains("core dumped"), "\(daemon)")
    }

    private func crash(_ command: String, onceThereIs path: String) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "handoff-core-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let shell = try Program(
            [
                "/bin/bash", "-c",
                """
                ulimit -c unlimited
                mkfifo input; exec 9<>input
                \(command) <&9 &
                until [ -e \(path) ]; do kill -0 $! || break; done
                kill -ABRT $!; wait $!; ls
                """,
            ], environment: ["HANDOFF_ROOT": folder.path + "/root", "SWIFT_BACKTRACE": "enable=no"],
            folder: folder.path)
        _ = await shell.end()
        return shell.errors + shell.output
    }
}
