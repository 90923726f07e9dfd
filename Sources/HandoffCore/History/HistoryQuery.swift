// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The words that a person types to find an entry. Operators and quotes have no meaning.
package struct HistoryQuery: Hashable, Sendable {
    /// The rest of a longer text is ignored.
    package static let bytes = 512
    package static let phrases = 16

    /// Each has words that follow each other; the last may be only the beginning of a word.
    package let phrases: [[String]]

    package init(_ text: String) {
        phrases = Array(
            HistoryLimits.cut(text, to: Self.bytes).split(whereSeparator: \.isWhitespace)
                .map { FoldedText(String($0)).words }.filter { !$0.isEmpty }.prefix(Self.phrases))
    }

    /// As of another query.
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
    /// The last word of the phrase may be only the beginning of a word here.
    fileprivate func hasPhrase(_ phrase: [String]) -> Bool {
        indices.contains { start in
            guard count - start >= phrase.count, let beginning = phrase.last else { return false }
            return self[start...].starts(with: phrase.dropLast())
                && self[start + phrase.count - 1].unicodeScalars.starts(with: beginning.unicodeScalars)
        }
    }
}
