// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Foundation
internal import HandoffSystem

/// The app's part of an index that the device's search looks into.
///
/// There is no index on this system yet, so this behaves as on a device that does not support indexing:
/// ``isIndexingAvailable()`` is false, nothing is indexed, and whatever is asked for ends with
/// `CSIndexError.indexingUnsupported`, which says that asking again does not help. The app's log has a line about it, once.
/// Nothing that was given to it is kept, so deleting has nothing to do, and says so by the same error.
///
/// Completion handlers are called once, in the background.
//
// Unchecked because NSObject is not Sendable; what there is beside it is a constant and a Sendable lock.
open class CSSearchableIndex: NSObject, @unchecked Sendable {
    /// Unchecked: the reference is only handed on.
    private struct WeakDelegate: @unchecked Sendable {
        weak var value: (any CSSearchableIndexDelegate)?
    }

    private static let ofTheApp = CSSearchableIndex(name: "")
    private let delegate = Lock(WeakDelegate())

    /// The index that an app uses which has one alone.
    public class func `default`() -> CSSearchableIndex { ofTheApp }

    /// False: there is no index on this system yet.
    open class func isIndexingAvailable() -> Bool { false }

    /// An index with a client state of its own.
    public init(name: String) { super.init() }

    /// An index whose items are protected so while the device is locked. Without an effect, as there is no index.
    public convenience init(name: String, protectionClass: FileProtectionType?) { self.init(name: name) }

    /// Who is asked for what the index lost. Not retained. Nil at first, and never called here.
    open weak var indexDelegate: (any CSSearchableIndexDelegate)? {
        get { delegate.withLock { $0 }.value }
        set {
            let value = WeakDelegate(value: newValue)
            delegate.withLock { $0 = value }
        }
    }

    // MARK: Items

    /// Ends with `CSIndexError.indexingUnsupported`; nothing is indexed.
    open func indexSearchableItems(
        _ items: [CSSearchableItem], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        refuse { completionHandler?($0) }
    }

    /// Throws `CSIndexError.indexingUnsupported`; nothing is indexed.
    open func indexSearchableItems(_ items: [CSSearchableItem]) async throws { throw refusal() }

    /// Ends with `CSIndexError.indexingUnsupported`; there is nothing to delete.
    open func deleteSearchableItems(
        withIdentifiers identifiers: [String], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        refuse { completionHandler?($0) }
    }

    /// Throws `CSIndexError.indexingUnsupported`; there is nothing to delete.
    open func deleteSearchableItems(withIdentifiers identifiers: [String]) async throws { throw refusal() }

    /// Ends with `CSIndexError.indexingUnsupported`; there is nothing to delete.
    open func deleteSearchableItems(
        withDomainIdentifiers domainIdentifiers: [String], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        refuse { completionHandler?($0) }
    }

    /// Throws `CSIndexError.indexingUnsupported`; there is nothing to delete.
    open func deleteSearchableItems(withDomainIdentifiers domainIdentifiers: [String]) async throws { throw refusal() }

    /// Ends with `CSIndexError.indexingUnsupported`; there is nothing to delete.
    open func deleteAllSearchableItems(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
        refuse { completionHandler?($0) }
    }

    /// Throws `CSIndexError.indexingUnsupported`; there is nothing to delete.
    open func deleteAllSearchableItems() async throws { throw refusal() }

    // MARK: Batches

    /// Has no effect.
    open func beginBatch() {}

    /// Ends with `CSIndexError.indexingUnsupported`; the client state is not kept.
    open func endBatch(
        withClientState clientState: Data, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        refuse { completionHandler?($0) }
    }

    /// Throws `CSIndexError.indexingUnsupported`; the client state is not kept.
    open func endBatch(withClientState clientState: Data) async throws { throw refusal() }

    /// Ends with `CSIndexError.indexingUnsupported` and no client state.
    open func fetchLastClientState(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        refuse { completionHandler(nil, $0) }
    }

    /// Throws `CSIndexError.indexingUnsupported`.
    open func fetchLastClientState() async throws -> Data { throw refusal() }

    // MARK: What is said

    private func refuse(_ completion: @escaping @Sendable (CSIndexError) -> Void) {
        let error = refusal()
        ActivityCenter.current.runHook(on: .global()) { completion(error) }
    }

    private func refusal() -> CSIndexError {
        ActivityCenter.current.logOnce("there is no search index on this system yet, so CSSearchableIndex does nothing")
        return CSIndexError(.indexingUnsupported)
    }
}
