// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Memory and descriptors of a running process.
package struct Vitals: Sendable {
    /// Resident memory, KiB.
    package let resident: Int
    /// Peak of resident memory since `forgetPeak`, KiB.
    package let peak: Int
    /// Resident memory not backed by a file, so without the program's code, KiB.
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

    /// Resets the kernel's peak value.
    package func forgetPeak() throws {
        try Data("5".utf8).write(to: URL(filePath: "/proc/\(pid)/clear_refs"))
    }
}
