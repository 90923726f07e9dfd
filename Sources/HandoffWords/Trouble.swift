// SPDX-License-Identifier: Apache-2.0

/// What went wrong, and what its user can do about it.
package struct Trouble: Hashable, Sendable {
    package var sentence: String
    /// Nil where nothing would help that we know of.
    package var advice: String?

    package init(_ sentence: String, advice: String? = nil) {
        self.sentence = sentence
        self.advice = advice
    }

    /// On one line.
    package var text: String { advice.map { "\(sentence) \($0)" } ?? sentence }
}
