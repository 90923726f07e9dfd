// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Shows or edits a file or folder, and is notified when another part of this process wants to use it, or has changed
/// or moved it. `UIDocument` and `NSDocument` conform.
///
/// Register it with `NSFileCoordinator.addFilePresenter(_:)`. All members except the first two properties are optional,
/// and are called on `presentedItemOperationQueue`. Other processes take part only through documents from other
/// devices.
@preconcurrency
public protocol NSFilePresenter: NSObjectProtocol {
    /// The presented item; nil for none. Read on any thread.
    var presentedItemURL: URL? { get }
    /// The queue for calling the methods. Read on any thread.
    var presentedItemOperationQueue: OperationQueue { get }
    /// Never used, because there is no sandbox.
    var primaryPresentedItemURL: URL? { get }

    /// Another reader waits, up to 30 seconds. Call `reader` once when the file is ready; it calls your block after
    /// reading.
    @preconcurrency func relinquishPresentedItem(toReader reader: @escaping @Sendable ((() -> Void)?) -> Void)
    /// Another writer waits. As for a reader; do not write until the block is called.
    @preconcurrency func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((() -> Void)?) -> Void)
    /// Save changes: another reader or writer begins, or a version from another device replaces the file. An error
    /// prevents that.
    @preconcurrency func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// The file is about to be deleted. An error prevents that.
    @preconcurrency func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// The `async` form. Implement either.
    func savePresentedItemChanges() async throws
    /// The `async` form. Implement either.
    func accommodatePresentedItemDeletion() async throws
    /// The item was moved.
    func presentedItemDidMove(to newURL: URL)
    /// Another writer, or a version from another device, changed the item.
    func presentedItemDidChange()
    /// Never called, because attributes of containers do not change.
    func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>)
    /// Never used.
    var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> { get }

    /// There is another version of the item; in a conflict, this device's.
    func presentedItemDidGain(_ version: NSFileVersion)
    /// A version was removed.
    func presentedItemDidLose(_ version: NSFileVersion)
    /// A conflict version was marked as resolved.
    func presentedItemDidResolveConflict(_ version: NSFileVersion)

    // For presenters of a folder: items in it, at any depth. An appearance, a move and a change call
    // `presentedItemDidChange()` by default.

    @preconcurrency func accommodatePresentedSubitemDeletion(
        at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// The `async` form. Implement either.
    func accommodatePresentedSubitemDeletion(at url: URL) async throws
    func presentedSubitemDidAppear(at url: URL)
    func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL)
    func presentedSubitemDidChange(at url: URL)
    func presentedSubitem(at url: URL, didGain version: NSFileVersion)
    func presentedSubitem(at url: URL, didLose version: NSFileVersion)
    func presentedSubitem(at url: URL, didResolve version: NSFileVersion)
}

// Optional in Objective-C.
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

/// Immediate without either method of a pair.
private func answer(
    for presenter: any NSFilePresenter, _ completionHandler: @escaping @Sendable ((any Error)?) -> Void,
    after work: @escaping @Sendable (any NSFilePresenter) async throws -> Void
) {
    // The presenter is called on one queue at a time, which waits for the answer.
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
