// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Foundation
internal import HandoffSystem

/// The app's part of the device's search index.
///
/// This system has no index yet: as on a device without indexing, ``isIndexingAvailable()`` is false, and requests,
/// including deletions, fail with `CSIndexError.indexingUnsupported`; the app's log says so once. Completion handlers
/// are called once, in the background.
//
// Unchecked because NSObject is not Sendable; the other properties are a constant and a Sendable lock.
open class CSSearchableIndex: NSObject, @unchecked Sendable {
    /// Unchecked: the reference is only passed on.
    private struct WeakDelegate: @unchecked Sendable {
        weak var value: (any CSSearchableIndexDelegate)?
    }

    private static let ofTheApp = CSSearchableIndex(name: "")
    private let delegate = Lock(WeakDelegate())

    /// The index for an app that uses only one.
    public class func `default`() -> CSSearchableIndex { ofTheApp }

    /// False, because this system has no index yet.
    open class func isIndexingAvailable() -> Bool { false }

    /// Creates an index with its own client state.
    public init(name: String) { super.init() }

    /// Creates an index. `protectionClass` has no effect.
    public convenience init(name: String, protectionClass: FileProtectionType?) { self.init(name: name) }

    /// Asked to index lost items again; never called here. Not retained.
    open weak var indexDelegate: (any CSSearchableIndexDelegate)? {
        get { delegate.withLock { $0 }.value }
        set {
            let value = WeakDelegate(value: newValue)
            delegate.withLock { $0 = value }
        }
    }

    // MARK: Items

    /// Fails with `CSIndexError.indexingUnsupported`.
    open func indexSearchableItems(
        _ items: [CSSearchableItem], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        refuse { completionHandler?($0) }
    }

    /// Throws `CSIndexError.indexingUnsupported`.
    open func indexSearchableItems(_ items: [CSSearchableItem]) async throws { throw refusal() }

    /// Fails with `CSIndexError.indexingUnsupported`.
    open func deleteSearchableItems(
        withIdentifiers identifiers: [String], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        refuse { completionHandler?($0) }
    }

    /// Throws `CSIndexError.indexingUnsupported`.
    open func deleteSearchableItems(withIdentifiers identifiers: [String]) async throws { throw refusal() }

    /// Fails with `CSIndexError.indexingUnsupported`.
    open func deleteSearchableItems(
        withDomainIdentifiers domainIdentifiers: [String], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        refuse { completionHandler?($0) }
    }

    /// Throws `CSIndexError.indexingUnsupported`.
    open func deleteSearchableItems(withDomainIdentifiers domainIdentifiers: [String]) async throws { throw refusal() }

    /// Fails with `CSIndexError.indexingUnsupported`.
    open func deleteAllSearchableItems(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
        refuse { completionHandler?($0) }
    }

    /// Throws `CSIndexError.indexingUnsupported`.
    open func deleteAllSearchableItems() async throws { throw refusal() }

    // MARK: Batches

    /// Has no effect.
    open func beginBatch() {}

    /// Fails with `CSIndexError.indexingUnsupported`.
    open func endBatch(
        withClientState clientState: Data, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        refuse { completionHandler?($0) }
    }

    /// Throws `CSIndexError.indexingUnsupported`.
    open func endBatch(withClientState clientState: Data) async throws { throw refusal() }

    /// Fails with `CSIndexError.indexingUnsupported`.
    open func fetchLastClientState(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        refuse { completionHandler(nil, $0) }
    }

    /// Throws `CSIndexError.indexingUnsupported`.
    open func fetchLastClientState() async throws -> Data { throw refusal() }

    // MARK: Errors

    private func refuse(_ completion: @escaping @Sendable (CSIndexError) -> Void) {
        let error = refusal()
        ActivityCenter.current.runHook(on: .global()) { completion(error) }
    }

    private func refusal() -> CSIndexError {
        ActivityCenter.current.logOnce("this system has no search index yet, so CSSearchableIndex does nothing")
        return CSIndexError(.indexingUnsupported)
    }
}
