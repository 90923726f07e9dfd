// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

@Suite struct DescriptorShortageTests {
    // The waiting connection keeps the socket readable, so without a pause the daemon would spin.
    @Test func programsWaitWithoutCostingProcessorTime() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "handoff-few-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let environment = ["PATH": "/usr/bin:/bin", "HANDOFF_ROOT": root]
        let daemon = try Program(
            [
                "/bin/bash", "-c",
                "ulimit -n 64; exec \(Program.built)/handoffd --beacons false --listen 127.0.0.1:0",
            ], environment: environment)
        try await daemon.warn("Ready")
        let crowd = try Program(
            [
                "/usr/bin/perl", "-MSocket", "-e",
                """
                $| = 1; alarm 60;
                $name = sockaddr_un("\(root)/run/daemon.sock");
                for (1..100) {
                    socket($s[$_], PF_UNIX, SOCK_STREAM, 0);
                    connect($s[$_], $name);
                }
                print "there\\n"; <STDIN>
                """,
            ], environment: environment, takesInput: true)
        try await crowd.hear("there")
        try await daemon.warn("Connections must wait")

        let before = try processorSeconds(of: daemon)
        let late = try Program(
            ["/usr/bin/timeout", "3", Program.built + "/handoff", "status"], environment: environment)
        #expect(await late.end() == 124)
        let cost = try processorSeconds(of: daemon) - before
        #expect(cost < 0.5, "\(cost) s")

        try crowd.type("")
        _ = await crowd.end()
        let next = try Program([Program.built + "/handoff", "status"], environment: environment)
        #expect(await next.end() == 0)
        daemon.send(SIGTERM)
        #expect(await daemon.end() == 0)
    }

    // Apps use the same kind of connection, and must not end with unsaved work.
    @Test(arguments: 5...8) func aClientKeepsRunning(limit: Int) async throws {
        let host = try Program(
            ["/bin/bash", "-c", "ulimit -n \(limit); exec \(Program.built)/handoff-browser-host"],
            environment: ["HANDOFF_ROOT": "/nowhere", "SWIFT_BACKTRACE": "enable=no"], takesInput: true)
        let hello = #"{"type":"hello","browser":"Firefox"}"#
        try host.type("\(Character(Unicode.Scalar(UInt8(hello.utf8.count))))\0\0\0\(hello)")
        _ = await host.wait { !$0.isRunning || $0.output.contains("noDaemon") }
        #expect(host.isRunning && host.output.contains("noDaemon"), "\(host.errors)")
        host.send(SIGTERM)
    }

    private func processorSeconds(of program: Program) throws -> Double {
        let stat = try String(contentsOfFile: "/proc/\(program.id)/stat", encoding: .utf8)
        // The preceding name may contain anything, but is in parentheses.
        let fields = (stat.split(separator: ")").last ?? "").split(separator: " ")
        return fields[11...12].compactMap { Double($0) }.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
