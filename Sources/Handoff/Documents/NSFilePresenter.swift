// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An object that shows or edits a file or folder. It is notified when another part of this process wants to read or
/// write the item, has changed it or has moved it. `UIDocument` and `NSDocument` conform.
///
/// Register it with `NSFileCoordinator.addFilePresenter(_:)`, which does not retain it. Except for the two properties,
/// all members are optional and called on `presentedItemOperationQueue`. Other processes do not take part, except when
/// a document arrives from another device.
@preconcurrency
public protocol NSFilePresenter: NSObjectProtocol {
    /// The presented file or folder; nil for none. Read on any thread.
    var presentedItemURL: URL? { get }
    /// The queue for calling the methods. Read on any thread.
    var presentedItemOperationQueue: OperationQueue { get }
    /// Never used, because there is no sandbox.
    var primaryPresentedItemURL: URL? { get }

    /// Another reader is waiting. Call `reader` once when the file is ready to be read; the block that you pass to it
    /// is called after reading. The other reader waits up to 30 seconds.
    @preconcurrency func relinquishPresentedItem(toReader reader: @escaping @Sendable ((() -> Void)?) -> Void)
    /// Another writer is waiting. As for a reader; do not write to the file until the block is called.
    @preconcurrency func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((() -> Void)?) -> Void)
    /// Save changes, before another reader or writer begins or a version from another device replaces the file. If this
    /// fails, the other does not begin.
    @preconcurrency func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// The file is about to be deleted. If this fails, it is not deleted.
    @preconcurrency func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// The `async` form. Implement either this or the form with a handler.
    func savePresentedItemChanges() async throws
    /// The `async` form. Implement either this or the form with a handler.
    func accommodatePresentedItemDeletion() async throws
    /// The item was moved.
    func presentedItemDidMove(to newURL: URL)
    /// Another writer changed the item, or a version from another device replaced it.
    func presentedItemDidChange()
    /// Never called, because attributes of containers do not change.
    func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>)
    /// Never used.
    var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> { get }

    /// There is another version of the item; in a conflict, this device's version.
    func presentedItemDidGain(_ version: NSFileVersion)
    /// A version was removed.
    func presentedItemDidLose(_ version: NSFileVersion)
    /// A conflict version was marked as resolved.
    func presentedItemDidResolveConflict(_ version: NSFileVersion)

    // For presenters of a folder: items in it, at any depth. By default, the methods for an appearance, a move and a
    // change call `presentedItemDidChange()`.

    @preconcurrency func accommodatePresentedSubitemDeletion(
        at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// The `async` form. Implement either this or the form with a handler.
    func accommodatePresentedSubitemDeletion(at url: URL) async throws
    func presentedSubitemDidAppear(at url: URL)
    func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL)
    func presentedSubitemDidChange(at url: URL)
    func presentedSubitem(at url: URL, didGain version: NSFileVersion)
    func presentedSubitem(at url: URL, didLose version: NSFileVersion)
    func presentedSubitem(at url: URL, didResolve version: NSFileVersion)
}

// These methods are optional in Objective-C.
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

/// Immediate: without either method of a pair, the answer does not wait.
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
