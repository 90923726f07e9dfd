// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Somebody in this process that shows or edits a file or folder, and is told when another wants to read or write it, has
/// changed it, or has moved it. `UIDocument` and `NSDocument` are.
///
/// Registered by `NSFileCoordinator.addFilePresenter(_:)`, which does not retain it. All methods but the two properties are
/// optional, and called on `presentedItemOperationQueue`. Other processes take part by one way alone: a document that
/// comes from another device.
@preconcurrency
public protocol NSFilePresenter: NSObjectProtocol {
    /// What is presented; nil for nothing. Read on any thread.
    var presentedItemURL: URL? { get }
    /// Where the methods are called. Read on any thread.
    var presentedItemOperationQueue: OperationQueue { get }
    /// Never used: there is no sandbox that would give access by it.
    var primaryPresentedItemURL: URL? { get }

    /// Another wants to read. Call `reader` once, when the file is in order to be read; what is passed to it is called when
    /// the other has read. Until then the other waits, for 30 seconds at most.
    @preconcurrency func relinquishPresentedItem(toReader reader: @escaping @Sendable ((() -> Void)?) -> Void)
    /// Another wants to write. As for a reader; nothing is to be written to the file until it is called back.
    @preconcurrency func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((() -> Void)?) -> Void)
    /// What was not saved is to be saved, before another reads, merges its changes in, or a version from another device takes
    /// the file's place. With an error the other does not begin.
    @preconcurrency func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// The file is about to be removed. With an error it is not.
    @preconcurrency func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// The `async` form. A presenter implements either this or the form with a handler.
    func savePresentedItemChanges() async throws
    /// The `async` form. A presenter implements either this or the form with a handler.
    func accommodatePresentedItemDeletion() async throws
    /// It lies there from now on.
    func presentedItemDidMove(to newURL: URL)
    /// Another has written to it, or a version from another device took its place.
    func presentedItemDidChange()
    /// Never called: attributes of containers do not change.
    func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>)
    /// Never used.
    var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> { get }

    /// There is another version of it: in a conflict, what was here before.
    func presentedItemDidGain(_ version: NSFileVersion)
    /// A version was removed.
    func presentedItemDidLose(_ version: NSFileVersion)
    /// A version in conflict was marked as resolved.
    func presentedItemDidResolveConflict(_ version: NSFileVersion)

    // Of a folder that is presented: what is in it, at any depth. Without the three that tell of a change
    // `presentedItemDidChange()` is called.

    @preconcurrency func accommodatePresentedSubitemDeletion(
        at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// The `async` form. A presenter implements either this or the form with a handler.
    func accommodatePresentedSubitemDeletion(at url: URL) async throws
    func presentedSubitemDidAppear(at url: URL)
    func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL)
    func presentedSubitemDidChange(at url: URL)
    func presentedSubitem(at url: URL, didGain version: NSFileVersion)
    func presentedSubitem(at url: URL, didLose version: NSFileVersion)
    func presentedSubitem(at url: URL, didResolve version: NSFileVersion)
}

// What was optional in Objective-C.
extension NSFilePresenter {
    public var primaryPresentedItemURL: URL? { nil }
    public func relinquishPresentedItem(toReader reader: @escaping @Sendable ((() -> Void)?) -> Void) { reader(nil) }
    public func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((() -> Void)?) -> Void) { writer(nil) }
    public func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        answer(for: self, completionHandler) { try await $0.savePresentedItemChanges() }
    }
    public func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        answer(for: self, completionHandler) { try await $0.accommodatePresentedItemDeletion() }
    }
    public func savePresentedItemChanges() async throws {}
    public func accommodatePresentedItemDeletion() async throws {}
    public func presentedItemDidMove(to newURL: URL) {}
    public func presentedItemDidChange() {}
    public func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>) {}
    public var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> { [] }
    public func presentedItemDidGain(_ version: NSFileVersion) {}
    public func presentedItemDidLose(_ version: NSFileVersion) {}
    public func presentedItemDidResolveConflict(_ version: NSFileVersion) {}
    public func accommodatePresentedSubitemDeletion(
        at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        answer(for: self, completionHandler) { try await $0.accommodatePresentedSubitemDeletion(at: url) }
    }
    public func accommodatePresentedSubitemDeletion(at url: URL) async throws {}
    public func presentedSubitemDidAppear(at url: URL) { presentedItemDidChange() }
    public func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) { presentedItemDidChange() }
    public func presentedSubitemDidChange(at url: URL) { presentedItemDidChange() }
    public func presentedSubitem(at url: URL, didGain version: NSFileVersion) {}
    public func presentedSubitem(at url: URL, didLose version: NSFileVersion) {}
    public func presentedSubitem(at url: URL, didResolve version: NSFileVersion) {}
}

/// At once: without either method of a pair nothing is waited for.
private func answer(
    for presenter: any NSFilePresenter, _ completionHandler: @escaping @Sendable ((any Error)?) -> Void,
    after work: @escaping @Sendable (any NSFilePresenter) async throws -> Void
) {
    // It is called on one queue at a time, which waits for the answer.
    nonisolated(unsafe) let presenter = presenter
    Task.immediate {
        do {
            try await work(presenter)
            completionHandler(nil)
        } catch {
            completionHandler(error)
        }
    }
}
