// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// This device's entries. Called in jobs of `Work`. Errors are `.stateNotWritable`.
package protocol ActivityIndex: AnyObject, Sendable {
    /// Deleted words may still be on the disk after a crash. Any request removes them.
    var hasUnfinishedWork: Bool { get }
    /// Records a use of the app's entry with that key, and replaces its content. An activity about an item only records
    /// a use of the item; false if it is unknown. Beyond `HistoryLimits`, removes the entries with the lowest rank:
    /// first of an app that has too many.
    @discardableResult
    func keep(_ entry: HistoryEntry, usedAt now: WallTime) throws(Failure) -> Bool
    /// Returns the number of removed entries.
    @discardableResult
    func remove(_ removal: HistoryRemoval) throws(Failure) -> Int
    /// As a whole or not at all.
    func change(
        _ changes: [HistoryChange], by app: BundleID, state: HistoryClientState?, at now: WallTime
    ) throws(Failure)
    /// Empty: none.
    func clientState(of app: BundleID, index: String) throws(Failure) -> [UInt8]
    /// Ranked: first those with all words in their title. Without a word: used entries, the latest first.
    func found(by query: HistoryQuery, limit: Int, at now: WallTime) throws(Failure) -> [HistoryMatch]
    /// Nil: removed.
    func entry(_ number: HistoryNumber) throws(Failure) -> HistoryEntry?
    /// Removes entries whose date has passed, and entries without a date that were unused for that long. Follows
    /// `HistoryExpiry`. Returns the number of removed entries.
    @discardableResult
    func removeExpired(at now: WallTime, unusedFor: Duration) throws(Failure) -> Int
    /// Keeps the last `HistoryLimits.transfers`. Those of one activity within `Frecency.sameUse` are one. Removing
    /// entries also removes their titles here.
    func add(_ transfer: ActivityTransfer) throws(Failure)
    /// The latest first.
    func transfers() throws(Failure) -> [ActivityTransfer]
}

extension HistoryRemoval {
    package func concerns(_ entry: HistoryEntry, number: HistoryNumber) -> Bool {
        switch self {
        case .everything: true
        case .transfers: false
        case .app(let app): entry.app == app
        case .activities(let app): entry.app == app && !entry.isItem
        case .allItems(let app): entry.app == app && entry.isItem
        case .entries(let numbers): numbers.contains(number)
        case .persistent(let identifiers, let app):
            entry.app == app && entry.persistentIdentifier.map(identifiers.contains) == true
        case .items(let items, let app): entry.app == app && entry.relatedItem.map(items.contains) == true
        case .domains(let domains, let app):
            entry.app == app && entry.domain.map { Self.contains(domains, $0) } == true
        }
    }

    private static func contains(_ domains: Set<ExactText>, _ domain: ExactText) -> Bool {
        let bytes = Array(domain.text.utf8)
        let parents = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
        return (parents + [bytes.count]).contains {
            domains.contains(ExactText(String(decoding: bytes[..<$0], as: UTF8.self)))
        }
    }
}
