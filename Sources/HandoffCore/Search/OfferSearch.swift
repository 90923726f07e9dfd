// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What of the offers a person means who types these words. Nothing of the words is kept.
package struct OfferSearch: Sendable {
    /// What the words were found in.
    package enum Place: Int, Hashable, Sendable, Comparable {
        /// They are the title.
        case wholeTitle
        case title
        /// At least one of them only in the name of the app or of the device.
        case names

        package static func < (left: Place, right: Place) -> Bool { left.rawValue < right.rawValue }
    }

    package struct Match: Hashable, Sendable {
        /// Among the offers.
        package var index: Int
        package var place: Place

        package init(index: Int, place: Place) {
            self.index = index
            self.place = place
        }
    }

    private struct Entry {
        let title: FoldedText
        let names: [FoldedText]
    }

    private let entries: [Entry]

    /// `offers`: newest first.
    package init(_ offers: [ListedActivity]) {
        entries = offers.map { activity in
            let names = Set([activity.offer.appName, activity.targetName, activity.deviceName].map(\.text))
            return Entry(title: FoldedText(activity.title.text), names: names.map(FoldedText.init))
        }
    }

    /// Where each of the words is, the title before other places, and newer ones first; at most `SearchLimits.results`.
    /// Nothing where there are no words, or more than a person types.
    package func matches(_ words: [String]) -> [Match] {
        guard let terms = Self.terms(words), !terms.isEmpty else { return [] }
        let whole = FoldedText(words.joined(separator: " "))
        let found = entries.indices.compactMap { index in
            place(of: terms, in: entries[index], whole: whole).map { Match(index: index, place: $0) }
        }
        let byPlace = found.sorted { ($0.place, $0.index) < ($1.place, $1.index) }
        return Array(byPlace.prefix(SearchLimits.results))
    }

    private func place(of terms: [FoldedText], in entry: Entry, whole: FoldedText) -> Place? {
        if entry.title == whole { return .wholeTitle }
        var place = Place.title
        for term in terms where !entry.title.hasWord(beginningWith: term) {
            guard entry.names.contains(where: { $0.hasWord(beginningWith: term) }) else { return nil }
            place = .names
        }
        return place
    }

    /// Nil: too many, or too long.
    private static func terms(_ words: [String]) -> [FoldedText]? {
        guard words.count <= SearchLimits.words, words.allSatisfy({ $0.utf8.count <= SearchLimits.wordBytes }) else {
            return nil
        }
        return words.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map { FoldedText(String($0)) }
            .filter { !$0.isEmpty }
    }
}

package enum SearchLimits {
    /// Of one search.
    package static let words = 16
    /// Of one word, in UTF-8.
    package static let wordBytes = 256
    /// What one search finds at most.
    package static let results = 10
}
