// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Typed by a person. Operators and quotes have no meaning.
package struct HistoryQuery: Hashable, Sendable {
    /// The rest of a longer text is ignored.
    package static let bytes = 512
    package static let phrases = 16

    /// Consecutive words, the last perhaps incomplete.
    package let phrases: [[String]]

    package init(_ text: String) {
        phrases = Array(
            HistoryLimits.cut(text, to: Self.bytes).split(whereSeparator: \.isWhitespace)
                .map { FoldedText(String($0)).words }.filter { !$0.isEmpty }.prefix(Self.phrases))
    }

    package init(phrases: [[String]]) { self.phrases = phrases }

    package var isEmpty: Bool { phrases.isEmpty }

    /// For FTS5. Folded words contain no quotes.
    package var expression: String {
        phrases.map { "\"\($0.joined(separator: " "))\" *" }.joined(separator: " AND ")
    }
}

extension HistoryWords {
    package enum Place: Int, Hashable, Sendable {
        case wholeTitle
        case title
        /// At least one phrase is only elsewhere.
        case elsewhere
    }

    package init(title: String, others: [String]) {
        self.init(title: FoldedText(title).words, others: others.map { FoldedText($0).words })
    }

    /// Nil: a phrase is missing.
    package func place(of query: HistoryQuery) -> Place? {
        guard !query.isEmpty else { return nil }
        if query.phrases.flatMap({ $0 }) == title { return .wholeTitle }
        var place = Place.title
        for phrase in query.phrases where !title.hasPhrase(phrase) {
            guard others.contains(where: { $0.hasPhrase(phrase) }) else { return nil }
            place = .elsewhere
        }
        return place
    }
}

extension [String] {
    /// The last word may be only the beginning of a word here.
    fileprivate func hasPhrase(_ phrase: [String]) -> Bool {
        indices.contains { start in
            guard count - start >= phrase.count, let beginning = phrase.last else { return false }
            return self[start...].starts(with: phrase.dropLast())
                && self[start + phrase.count - 1].unicodeScalars.starts(with: beginning.unicodeScalars)
        }
    }
}
