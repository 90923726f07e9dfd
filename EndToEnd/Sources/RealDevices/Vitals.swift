// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a running process takes of its machine.
package struct Vitals: Sendable {
    /// In memory now, KiB.
    package let resident: Int
    /// Most in memory since `forgetPeak`, KiB.
    package let peak: Int
    /// Of what is resident, that which no file has: what the program holds, without the pages of its own code, KiB.
    package let anonymous: Int
    /// Open files and sockets.
    package let descriptors: Int
}

extension RunningProgram {
    package func vitals() throws -> Vitals {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8).split(separator: "\n")
        func kibibytes(_ key: String) throws -> Int {
            let words = status.first { $0.hasPrefix(key) }?.split { $0 == " " || $0 == "\t" }
            guard let words, words.count > 1, let value = Int(words[1]) else { throw Unmet("\(name) has no \(key)") }
            return value
        }
        return Vitals(
            resident: try kibibytes("VmRSS:"), peak: try kibibytes("VmHWM:"),
            anonymous: try kibibytes("RssAnon:"),
            descriptors: try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count)
    }

    /// The kernel counts the most in memory anew from here.
    package func forgetPeak() throws {
        try Data("5".utf8).write(to: URL(filePath: "/proc/\(pid)/clear_refs"))
    }
}
