// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The resident memory of this process, as the kernel reports it.
enum ResidentMemory {
    /// Written memory, bytes.
    static func written() throws -> Int { try bytes("RssAnon") }
    /// Memory backed by files, bytes.
    static func ofFiles() throws -> Int { try bytes("RssFile") }

    private static func bytes(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(Int(line.split(whereSeparator: { !$0.isNumber }).first ?? "")) * 1024
    }
}
