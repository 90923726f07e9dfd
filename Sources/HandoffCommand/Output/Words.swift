// SPDX-License-Identifier: Apache-2.0

extension [String] {
    /// Joined by blanks, without empty elements.
    var words: String { filter { !$0.isEmpty }.joined(separator: " ") }
}
