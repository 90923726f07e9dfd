// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffHost
import Testing

/// Shows V07: what a start read of the program's file is not held for good.
@Suite struct CodeMemoryTests {
    private static let megabyte = 1 << 20

    /// What the kernel says that this process holds of files, bytes.
    private func resident() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(Int(line.split(whereSeparator: { !$0.isNumber }).first ?? "")) * 1024
    }

    @Test func whatWasReadOfTheProgramIsLetGo() throws {
        let before = try resident()
        CodeMemory.letGo()
        // A test's program holds tens of MiB; what other tests do meanwhile reads some of it again.
        #expect(try resident() < before - 4 * Self.megabyte)
    }
}
