// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// The package's maintainer scripts, with a systemctl that answers for two users and otherwise hangs. They run as root,
/// in a mount namespace in which systemd seems to run.
@Suite(.timeLimit(.minutes(2)), .enabled(if: geteuid() == 0)) struct MaintainerScriptTests {
    private let folder: String

    init() throws {
        folder = "/tmp/handoff-scripts-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try program(
            "systemctl",
            """
            echo "$@" >>"$CALLS"
            case "$*" in *list-units*) echo user@1000.service; echo user@1001.service;; *) exec sleep 1000;; esac
            """)
        // Replaces the requested time, which must be present, with a shorter one.
        try program(
            "timeout",
            """
            [ "$1" = --kill-after=5 ] && [ "$2" = 15 ] || exit 1
            shift 2
            exec /usr/bin/timeout --kill-after=1 0.3 "$@"
            """)
    }

    private func program(_ name: String, _ script: String) throws {
        try Program.write("#!/bin/sh\n\(script)\n", to: folder + "/" + name)
    }

    /// Returns the calls to users' managers.
    private func run(_ script: String, _ arguments: String) async throws -> [String] {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "debian/handoff.\(script)").path
        let command = "mount -t tmpfs none /run && mkdir -p /run/systemd/system && exec sh '\(path)' \(arguments)"
        let calls = folder + "/calls"
        let program = try Program(
            ["/usr/bin/unshare", "--mount", "sh", "-c", command],
            environment: ["PATH": "\(folder):/usr/bin:/bin", "CALLS": calls])
        #expect(await program.end(.seconds(20)) == 0, "\(program.errors)")
        return try String(contentsOfFile: calls, encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { $0.contains("--user") }
    }

    // Shows L04.
    @Test func anUpgradeWaitsForNoUsersUnits() async throws {
        let calls = try await run("postinst", "configure 0.1")
        #expect(calls.count == 4)
        #expect(calls.contains { $0.hasPrefix("--quiet --user --machine 1001@ --no-block try-restart") })
        #expect(calls.allSatisfy { $0.contains("daemon-reload") || $0.contains("--no-block") })
    }

    @Test(arguments: ["prerm", "postrm"]) func aRemovalEndsThoughUsersUnitsHang(_ script: String) async throws {
        let calls = try await run(script, "remove")
        #expect(calls.count == 2 && calls[1].contains("1001@"))
    }
}
