// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What the kernel says that this process has in memory.
enum ResidentMemory {
    /// What it has written to, bytes.
    static func written() throws -> Int { try bytes("RssAnon") }
    /// What it holds of files, bytes.
    static func ofFiles() throws -> Int { try bytes("RssFile") }

    private static func bytes(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(Int(line.split(whereSeparator: { !$0.isNumber }).first ?? "")) * 1024
    }
}
