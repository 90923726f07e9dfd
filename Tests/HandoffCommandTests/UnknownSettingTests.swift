// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// The real daemon, with a configuration file that contains unknown keys.
// Shows L04.
@Suite(.timeLimit(.minutes(1))) final class UnknownSettingTests {
    private let root = "/tmp/handoff-settings-\(UUID().uuidString.prefix(8))"

    deinit { try? FileManager.default.removeItem(atPath: root) }

    private func warnings(_ file: String) async throws -> [Substring] {
        try FileManager.default.createDirectory(atPath: root + "/config", withIntermediateDirectories: true)
        try file.write(toFile: root + "/config/config.json", atomically: true, encoding: .utf8)
        let daemon = try Program(
            [Program.built + "/handoffd", "--root", root, "--listen", "127.0.0.1:0", "--beacons", "false"],
            environment: [:])
        try await daemon.warn("Ready\n")
        daemon.send(SIGKILL)
        _ = await daemon.wait { !$0.isRunning }
        return daemon.errors.split(separator: "\n").filter { $0.contains(" warning ") }
    }

    @Test func unknownSettingIsNamedOnceWithASuggestion() async throws {
        let warnings = try await warnings(
            #"{"nmae": "desk", "kind": "tablet", "log-level": "info", "later": {"a": []}}"#)
        #expect(warnings.count == 3)
        for words in ["key=nmae meant=name", "key=log-level meant=logLevel", "key=later"] {
            #expect(
                warnings.count { $0.contains(words) && $0.hasSuffix("Unknown setting") } == 1, "\(warnings)")
        }
        #expect(!warnings.contains { $0.contains("key=later meant") })
    }

    @Test func manyUnknownSettingsAreSummarized() async throws {
        let keys = (0..<40).map { "\"unknown\($0)\": 1" }.joined(separator: ", ")
        let warnings = try await warnings("{\(keys)}")
        #expect(warnings.count == 17)
        #expect(warnings.last?.contains("count=24") == true)
    }
}
