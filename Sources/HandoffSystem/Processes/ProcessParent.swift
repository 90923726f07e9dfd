// SPDX-License-Identifier: Apache-2.0

package enum ProcessParent {
    /// Nil if there is no such process. 0: the process has none.
    package static func of(_ process: Int32) -> Int32? {
        // The name, in parentheses, may contain anything: "7 (a) b) S 1 …".
        OpenFile.text(of: "/proc/\(process)/stat").flatMap { text in
            text.lastIndex(of: ")").map { text[text.index(after: $0)...].split(separator: " ") }
        }.flatMap { $0.count > 1 ? Int32($0[1]) : nil }
    }
}
