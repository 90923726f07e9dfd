// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem
internal import HandoffWire

/// An app's item in a search index: an identifier and the attributes that a search shows.
///
/// ```swift
/// let item = CSSearchableItem(uniqueIdentifier: note.id, domainIdentifier: "notes", attributeSet: attributes)
/// CSSearchableIndex.default().indexSearchableItems([item])
/// ```
///
/// The names are Core Spotlight's. May be used on any thread. Equality is identity.
public final class CSSearchableItem: NSObject, NSCopying, Sendable {
    private struct State: Sendable {
        var uniqueIdentifier: String
        var domainIdentifier: String?
        var expirationDate: Date
        var attributeSet: CSSearchableItemAttributeSet
        var isUpdate = false
    }

    private let state: Lock<State>

    /// Without a `uniqueIdentifier` the item gets a new one.
    public convenience init(
        uniqueIdentifier: String?, domainIdentifier: String?, attributeSet: CSSearchableItemAttributeSet
    ) {
        self.init(
            State(
                uniqueIdentifier: uniqueIdentifier ?? UUID().uuidString, domainIdentifier: domainIdentifier,
                expirationDate: Self.inAMonth, attributeSet: attributeSet))
    }

    private init(_ state: State) {
        self.state = Lock(state)
        super.init()
    }

    /// Identifies the item in the app's index.
    public var uniqueIdentifier: String {
        get { state.withLock { $0.uniqueIdentifier } }
        set { state.withLock { $0.uniqueIdentifier = newValue } }
    }

    /// The group with which the item is deleted. Periods separate nested groups: `account` includes `account.inbox`.
    public var domainIdentifier: String? {
        get { state.withLock { $0.domainIdentifier } }
        set { state.withLock { $0.domainIdentifier = newValue } }
    }

    /// The item is not found after this date: a month from its creation, initially and if set to nil.
    public var expirationDate: Date! {
        get { state.withLock { $0.expirationDate } }
        set {
            let date = newValue ?? Self.inAMonth
            state.withLock { $0.expirationDate = date }
        }
    }

    /// The attributes that a search shows; not a copy.
    public var attributeSet: CSSearchableItemAttributeSet {
        get { state.withLock { $0.attributeSet } }
        set { state.withLock { $0.attributeSet = newValue } }
    }

    /// Whether the item only changes an indexed item, and is ignored without one. Initially false.
    public var isUpdate: Bool {
        get { state.withLock { $0.isUpdate } }
        set { state.withLock { $0.isUpdate = newValue } }
    }

    /// A new item with the same values and its own attribute set.
    public func copy(with zone: NSZone? = nil) -> Any {
        var copied = state.withLock { $0 }
        copied.attributeSet = CSSearchableItemAttributeSet(copied.attributeSet.content)
        return CSSearchableItem(copied)
    }

    public override func copy() -> Any { copy(with: nil) }

    /// For the daemon: only what is searched.
    var indexed: IndexedItem {
        let state = state.withLock { $0 }
        let date = state.expirationDate.timeIntervalSinceReferenceDate
        return IndexedItem(
            ExactText(state.uniqueIdentifier), domainIdentifier: state.domainIdentifier.map { ExactText($0) },
            attributes: state.attributeSet.content.searched(textBytes: Self.searchedBytes).encoded(),
            expires: WallTime(sinceReferenceDate: date), isUpdate: state.isUpdate)
    }

    /// Bytes of each text.
    private static let searchedBytes = 4 * 1024

    private static var inAMonth: Date {
        Calendar.current.date(byAdding: .month, value: 1, to: Date()) ?? Date() + 30 * 24 * 60 * 60
    }
}
