// SPDX-License-Identifier: Apache-2.0

/// An error message, and advice for the user.
package struct Trouble: Hashable, Sendable {
    package var sentence: String
    /// Nil if there is no useful advice.
    package var advice: String?

    init(_ sentence: String, advice: String? = nil) {
        self.sentence = sentence
        self.advice = advice
    }

    /// On one line.
    package var text: String { advice.map { "\(sentence) \($0)" } ?? sentence }
}
