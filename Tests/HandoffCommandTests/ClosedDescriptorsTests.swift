// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// Programs that are started with closed standard descriptors, as some launchers and daemonizing scripts do. The next
/// socket or file would get the number, and log lines would be written into it.
@Suite struct ClosedDescriptorsTests {
    @Test func theDaemonHasNoneOfItsFilesThere() async throws {
        let shown = try await shell(
            """
            \(Program.built)/handoffd --beacons false --listen 127.0.0.1:0 <&- >&- 2>&- &
            until [ -e root/run/daemon.sock ]; do kill -0 $! || break; done
            readlink /proc/$!/fd/0 /proc/$!/fd/1 /proc/$!/fd/2
            kill $!; wait $!
            """)
        #expect(shown.output == String(repeating: "/dev/null\n", count: 3), "\(shown.output)\(shown.errors)")
    }

    // An error message would be read as a message to the browser.
    @Test func theBrowsersPipeHasNothingButMessages() async throws {
        let tooLong = #"\377\377\377\377"#
        let shown = try await shell("printf '\(tooLong)' | \(Program.built)/handoff-browser-host 2>&-; echo ended $?")
        #expect(shown.output.hasSuffix("}ended 1\n") && !shown.output.contains("handoff-browser-host:"))
    }

    private func shell(_ script: String) async throws -> (output: String, errors: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "handoff-closed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let shell = try Program(
            ["/bin/bash", "-c", script], environment: ["HANDOFF_ROOT": folder.path + "/root", "PATH": "/usr/bin:/bin"],
            folder: folder.path)
        _ = await shell.end()
        return (shell.output, shell.errors)
    }
}
