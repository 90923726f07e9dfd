// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Foundation
internal import HandoffSystem
internal import HandoffWire

/// The app's items in this device's search index.
///
/// The user finds them with `handoff history search`, and opens them in the app: its delegate gets an activity of the
/// type `CSSearchableItemActionType`, with the item's identifier in `userInfo`. An app sees and changes only its own
/// items.
///
/// Completion handlers are called once, in the background, when the change is on disk. Errors are of the type
/// ``CSIndexError``: `remoteConnectionError` if the daemon cannot be reached, `indexUnavailableError` if the history is
/// off or the disk is full, `invalidItemError` for an identifier of more than 1,024 bytes, `quotaExceeded` if too many
/// changes wait.
//
// Unchecked because NSObject is not Sendable; the other properties are constants and Sendable locks.
open class CSSearchableIndex: NSObject, @unchecked Sendable {
    /// Unchecked: the reference is only passed on.
    private struct WeakDelegate: @unchecked Sendable {
        weak var value: (any CSSearchableIndexDelegate)?
    }

    private static let ofTheApp = CSSearchableIndex(name: "")
    private let name: String
    private let isProtected: Bool
    private let delegate = Lock(WeakDelegate())
    /// The changes of a batch, with their handlers.
    private let batch = Lock<Batch?>(nil)

    private struct Batch: Sendable {
        var changes: [IndexChange] = []
        var handlers: [@Sendable ((any Error)?) -> Void] = []
    }

    /// The index for an app that uses only one.
    public class func `default`() -> CSSearchableIndex { ofTheApp }

    /// Whether this program is an app, which can have an index. Its daemon need not run.
    open class func isIndexingAvailable() -> Bool { ActivityCenter.current.environment.bundle != nil }

    /// Creates an index with its own client state. All indexes of an app have the same items.
    public init(name: String) {
        self.name = name
        isProtected = false
        super.init()
    }

    /// Creates an index. The items are not encrypted, so every call fails with `CSIndexError.indexingUnsupported` if
    /// `protectionClass` promises more than an encrypted disk: `complete` and `completeUnlessOpen`.
    public init(name: String, protectionClass: FileProtectionType?) {
        self.name = name
        isProtected = [FileProtectionType.complete, .completeUnlessOpen].map(\.rawValue).contains(
            protectionClass?.rawValue)
        super.init()
    }

    /// Asked to index lost items again. Not called yet. Not retained.
    open weak var indexDelegate: (any CSSearchableIndexDelegate)? {
        get { delegate.withLock { $0 }.value }
        set {
            let value = WeakDelegate(value: newValue)
            delegate.withLock { $0 = value }
        }
    }

    // MARK: Items

    /// Adds items, and replaces those with the same identifiers.
    open func indexSearchableItems(
        _ items: [CSSearchableItem], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let indexed = items.map(\.indexed)
        guard indexed.allSatisfy(\.isValid) else { return complete(.invalidItemError, completionHandler) }
        change(indexed.map { .item($0) }, completionHandler)
    }

    /// The `async` form of ``indexSearchableItems(_:completionHandler:)``.
    open func indexSearchableItems(_ items: [CSSearchableItem]) async throws {
        try await completion { indexSearchableItems(items, completionHandler: $0) }
    }

    /// Deletes these items. Activities about them are no longer found either.
    open func deleteSearchableItems(
        withIdentifiers identifiers: [String], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        change([.deleteItems(identifiers.map { ExactText($0) })], completionHandler)
    }

    /// The `async` form of ``deleteSearchableItems(withIdentifiers:completionHandler:)``.
    open func deleteSearchableItems(withIdentifiers identifiers: [String]) async throws {
        try await completion { deleteSearchableItems(withIdentifiers: identifiers, completionHandler: $0) }
    }

    /// Deletes items and activities in these domains and subdomains: `account` includes `account.inbox`.
    open func deleteSearchableItems(
        withDomainIdentifiers domainIdentifiers: [String], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        change([.deleteDomains(domainIdentifiers.map { ExactText($0) })], completionHandler)
    }

    /// The `async` form of ``deleteSearchableItems(withDomainIdentifiers:completionHandler:)``.
    open func deleteSearchableItems(withDomainIdentifiers domainIdentifiers: [String]) async throws {
        try await completion { deleteSearchableItems(withDomainIdentifiers: domainIdentifiers, completionHandler: $0) }
    }

    /// Deletes all items of the app.
    open func deleteAllSearchableItems(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
        change([.deleteAll], completionHandler)
    }

    /// The `async` form of ``deleteAllSearchableItems(completionHandler:)``.
    open func deleteAllSearchableItems() async throws {
        try await completion { deleteAllSearchableItems(completionHandler: $0) }
    }

    // MARK: Batches

    /// Collects the following changes until ``endBatch(withClientState:completionHandler:)``. Has no effect on
    /// ``default()``, which has no client state.
    open func beginBatch() {
        guard self !== Self.ofTheApp else { return }
        batch.withLock { if $0 == nil { $0 = Batch() } }
    }

    /// Carries out the batch, and stores the client state with its last change. After a crash, an older client state
    /// means that changes may be missing.
    ///
    /// Fails with `CSIndexError.invalidClientStateError` without a batch, and for more than 250 bytes; then the batch
    /// continues.
    open func endBatch(
        withClientState clientState: Data, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        guard clientState.count <= IndexChanges.clientStateBytes, let batch = batch.withLock({ $0.take() }) else {
            return complete(.invalidClientStateError, completionHandler)
        }
        let handlers = batch.handlers + [completionHandler].compactMap(\.self)
        send(IndexChanges(index: name, batch.changes, clientState: Array(clientState))) { error in
            for handler in handlers { handler(error) }
        }
    }

    /// The `async` form of ``endBatch(withClientState:completionHandler:)``.
    open func endBatch(withClientState clientState: Data) async throws {
        try await completion { endBatch(withClientState: clientState, completionHandler: $0) }
    }

    /// The state stored with the last batch; empty without one.
    open func fetchLastClientState(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        guard !isProtected else { return complete(.indexingUnsupported) { completionHandler(nil, $0) } }
        ActivityCenter.current.fetchClientState(of: name) { result in
            switch result {
            case .success(let state): completionHandler(Data(state), nil)
            case .failure(let failure): completionHandler(nil, CSIndexError(failure))
            }
        }
    }

    /// The `async` form of ``fetchLastClientState(completionHandler:)``.
    open func fetchLastClientState() async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            fetchLastClientState { state, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: state ?? Data())
                }
            }
        }
    }

    // MARK: Requests

    private func change(_ changes: [IndexChange], _ handler: (@Sendable ((any Error)?) -> Void)?) {
        let isInBatch = batch.withLock { batch in
            batch?.changes += changes
            if let handler { batch?.handlers.append(handler) }
            return batch != nil
        }
        if !isInBatch { send(IndexChanges(index: name, changes), handler) }
    }

    private func send(_ changes: IndexChanges, _ handler: (@Sendable ((any Error)?) -> Void)?) {
        guard !isProtected else { return complete(.indexingUnsupported, handler) }
        ActivityCenter.current.changeIndex(changes) { failure in handler?(failure.map { CSIndexError($0) }) }
    }

    private func complete(_ code: CSIndexError.Code, _ handler: (@Sendable ((any Error)?) -> Void)?) {
        guard let handler else { return }
        ActivityCenter.current.runHook(on: .global()) { handler(CSIndexError(code)) }
    }

    private func completion(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            call { error in if let error { continuation.resume(throwing: error) } else { continuation.resume() } }
        }
    }
}

extension CSIndexError {
    fileprivate init(_ failure: Failure) {
        switch failure.code {
        case .connectionUnavailable, .appTimedOut: self.init(.remoteConnectionError)
        case .stateNotWritable, .notAllowed: self.init(.indexUnavailableError)
        case .limitReached: self.init(.quotaExceeded)
        case .malformed: self.init(.invalidItemError)
        case .unimplemented: self.init(.indexingUnsupported)
        default: self.init(.unknownError)
        }
    }
}

extension IndexedItem {
    fileprivate var isValid: Bool {
        !uniqueIdentifier.text.isEmpty && uniqueIdentifier.text.utf8.count <= IndexChanges.identifierBytes
            && (domainIdentifier?.text.utf8.count ?? 0) <= IndexChanges.identifierBytes
    }
}
