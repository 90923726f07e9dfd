// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// The socket through which apps pass open files to the daemon.
@Suite struct FilesSocketTests {
    @Test func itIsThereForThisUserWhileTheDaemonRuns() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "handoff-files-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let socket = root + "/run/files.sock"
        // The first daemon leaves the socket behind, and the second replaces it.
        for end in [SIGKILL, SIGTERM] {
            let daemon = try Program(
                [
                    Program.built + "/handoffd", "--root", root, "--beacons", "false", "--listen", "127.0.0.1:0",
                ],
                environment: [:])
            try await daemon.warn("Ready")
            let attributes = try FileManager.default.attributesOfItem(atPath: socket)
            #expect(attributes[.type] as? FileAttributeType == .typeSocket)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            daemon.send(end)
            _ = await daemon.end()
            #expect(FileManager.default.fileExists(atPath: socket) == (end == SIGKILL))
        }
    }
}
