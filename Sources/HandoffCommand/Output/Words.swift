// SPDX-License-Identifier: Apache-2.0

extension [String] {
    /// With a blank between two; empty ones leave none.
    var words: String { filter { !$0.isEmpty }.joined(separator: " ") }
}
