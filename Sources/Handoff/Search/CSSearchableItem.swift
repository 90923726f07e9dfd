// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem

/// Something of the app's that a search is to find: an identifier, and what a search shows of it.
///
/// ```swift
/// let item = CSSearchableItem(uniqueIdentifier: note.id, domainIdentifier: "notes", attributeSet: attributes)
/// CSSearchableIndex.default().indexSearchableItems([item])
/// ```
///
/// The names are Core Spotlight's. There is no index on this system yet that would take one. An item may be used from any
/// thread. Two items are equal if they are the same object.
public final class CSSearchableItem: NSObject, NSCopying, Sendable {
    private struct State: Sendable {
        var uniqueIdentifier: String
        var domainIdentifier: String?
        var expirationDate: Date
        var attributeSet: CSSearchableItemAttributeSet
        var isUpdate = false
    }

    private let state: Lock<State>

    /// Without a `uniqueIdentifier` it gets one of its own.
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

    /// By what the app knows it, among all that it indexes.
    public var uniqueIdentifier: String {
        get { state.withLock { $0.uniqueIdentifier } }
        set { state.withLock { $0.uniqueIdentifier = newValue } }
    }

    /// The group that it is deleted with. A period makes a group in a group: deleting `account` deletes `account.inbox` too.
    public var domainIdentifier: String? {
        get { state.withLock { $0.domainIdentifier } }
        set { state.withLock { $0.domainIdentifier = newValue } }
    }

    /// After it the item is not found any more. A month from when it was made, at first and again where nil is set.
    public var expirationDate: Date! {
        get { state.withLock { $0.expirationDate } }
        set {
            let date = newValue ?? Self.inAMonth
            state.withLock { $0.expirationDate = date }
        }
    }

    /// What a search shows of it: the very set, not a copy.
    public var attributeSet: CSSearchableItemAttributeSet {
        get { state.withLock { $0.attributeSet } }
        set { state.withLock { $0.attributeSet = newValue } }
    }

    /// Whether it only changes attributes of an item that is in the index, and is passed over where none is. False at first.
    public var isUpdate: Bool {
        get { state.withLock { $0.isUpdate } }
        set { state.withLock { $0.isUpdate = newValue } }
    }

    /// A new item with the same values and a set of its own.
    public func copy(with zone: NSZone? = nil) -> Any {
        var copied = state.withLock { $0 }
        copied.attributeSet = CSSearchableItemAttributeSet(copied.attributeSet.content)
        return CSSearchableItem(copied)
    }

    public override func copy() -> Any { copy(with: nil) }

    private static var inAMonth: Date {
        Calendar.current.date(byAdding: .month, value: 1, to: Date()) ?? Date() + 30 * 24 * 60 * 60
    }
}
