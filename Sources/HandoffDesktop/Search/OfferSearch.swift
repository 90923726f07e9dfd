// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// The words that the user typed are not stored.
struct OfferSearch: Sendable {
    enum Place: Int, Hashable, Sendable, Comparable {
        case wholeTitle
        case title
        /// At least one word matches only the app or device.
        case names

        static func < (left: Place, right: Place) -> Bool { left.rawValue < right.rawValue }
    }

    struct Match: Hashable, Sendable {
        var index: Int
        var place: Place
    }

    private struct Entry {
        let title: FoldedText
        let names: [FoldedText]
    }

    private let entries: [Entry]

    /// `offers`: newest first.
    init(_ offers: [ListedActivity]) {
        entries = offers.map { activity in
            let names = Set([activity.offer.appName, activity.targetName, activity.deviceName].map(\.text))
            return Entry(title: FoldedText(activity.title.text), names: names.map(FoldedText.init))
        }
    }

    /// Offers with all words: title matches first, then newest first. Empty without words, and above a limit.
    func matches(_ words: [String]) -> [Match] {
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

    static func hasTerms(_ words: [String]) -> Bool { terms(words)?.isEmpty == false }

    static func place(of words: [String], in title: String) -> Place {
        let folded = FoldedText(title)
        if folded == FoldedText(words.joined(separator: " ")) { return .wholeTitle }
        return terms(words)?.allSatisfy(folded.hasWord) == true ? .title : .names
    }

    private static func terms(_ words: [String]) -> [FoldedText]? {
        guard words.count <= SearchLimits.words, words.allSatisfy({ $0.utf8.count <= SearchLimits.wordBytes }) else {
            return nil
        }
        return words.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map { FoldedText(String($0)) }
            .filter { !$0.isEmpty }
    }
}

enum SearchLimits {
    static let words = 16
    static let wordBytes = 256
    static let results = 10
    static let remembered = 64
}
