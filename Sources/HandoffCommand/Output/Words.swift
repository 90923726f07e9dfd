// SPDX-License-Identifier: Apache-2.0

extension [String] {
    var words: String { filter { !$0.isEmpty }.joined(separator: " ") }
}
