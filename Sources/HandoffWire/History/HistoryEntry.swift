// SPDX-License-Identifier: Apache-2.0

/// An activity eligible for search, without the parts that may not be kept.
package struct HistoryEntry: Hashable, Sendable {
    package let app: BundleID
    package let key: HistoryKey
    package let type: ActivityType
    package let title: String
    /// Empty in a search result.
    package var words: HistoryWords
    /// A parent domain and a period precede a subdomain.
    package let domain: ExactText?
    /// The entry lives only as long as this item.
    package let relatedItem: ExactText?
    package let persistentIdentifier: ExactText?
    package let targetContentIdentifier: String?
    /// An encoded `Value` dictionary, or empty.
    package let userInfo: [UInt8]
    package let webpageURL: String?
    /// Nil: some time after its last use.
    package let expires: WallTime?

    package var isItem: Bool { type == .searchableItem }

    package init(
        app: BundleID, key: HistoryKey, type: ActivityType, title: String, words: HistoryWords,
        domain: ExactText? = nil,
        relatedItem: ExactText? = nil, persistentIdentifier: ExactText? = nil, targetContentIdentifier: String? = nil,
        userInfo: [UInt8] = [], webpageURL: String? = nil, expires: WallTime? = nil
    ) {
        self.app = app
        self.key = key
        self.type = type
        self.title = title
        self.words = words
        self.domain = domain
        self.relatedItem = relatedItem
        self.persistentIdentifier = persistentIdentifier
        self.targetContentIdentifier = targetContentIdentifier
        self.userInfo = userInfo
        self.webpageURL = webpageURL
        self.expires = expires
    }
}

/// The searched words, folded.
package struct HistoryWords: Hashable, Sendable {
    package let title: [String]
    /// A phrase does not reach from one text to the next.
    package let others: [[String]]

    package init(title: [String] = [], others: [[String]] = []) {
        self.title = title
        self.others = others
    }
}

/// Entries of an app with the same key are the same. An activity's key is the first that it has.
package enum HistoryKey: Hashable, Sendable {
    /// `relatedUniqueIdentifier`: the item and its activity are found together.
    case item(ExactText)
    case persistent(ExactText)
    case target(ExactText)
    case page(ExactText)
    /// `userInfo`: only the required keys.
    case content(ActivityType, title: ExactText, userInfo: [UInt8])
}

/// Never used again.
package typealias HistoryNumber = UInt64

package struct HistoryMatch: Hashable, Sendable {
    package let number: HistoryNumber
    package let entry: HistoryEntry
    package let lastUse: WallTime

    package init(_ number: HistoryNumber, _ entry: HistoryEntry, lastUse: WallTime) {
        self.number = number
        self.entry = entry
        self.lastUse = lastUse
    }
}

package enum HistoryRemoval: Hashable, Sendable {
    case everything
    case transfers
    /// Activities, items and client states.
    case app(BundleID)
    case activities(of: BundleID)
    case allItems(of: BundleID)
    case entries(Set<HistoryNumber>)
    /// By `persistentIdentifier`.
    case persistent(Set<ExactText>, of: BundleID)
    case items(Set<ExactText>, of: BundleID)
    /// With their subdomains: `a` includes `a.b`, and not `ab`.
    case domains(Set<ExactText>, of: BundleID)
}

package enum HistoryChange: Hashable, Sendable {
    /// `isUpdate`: ignored if it is unknown.
    case put(HistoryEntry, isUpdate: Bool)
    case remove(HistoryRemoval)
}

/// An app chooses it for each of its indexes.
package struct HistoryClientState: Hashable, Sendable {
    package let index: String
    package let state: [UInt8]

    package init(_ state: [UInt8], of index: String) {
        self.index = index
        self.state = state
    }
}
