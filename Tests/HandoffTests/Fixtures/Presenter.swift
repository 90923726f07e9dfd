// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem

@testable import Handoff

/// Presents a file and records its calls.
final class Presenter: NSObject, NSFilePresenter, @unchecked Sendable {
    let calls = Mailbox<String>()
    let presentedItemOperationQueue = OperationQueue()
    private let location: Lock<URL?>
    /// Called instead of answering at once.
    let onSave = Lock<(@Sendable (@escaping @Sendable ((any Error)?) -> Void) -> Void)?>(nil)
    /// Nil: it relinquishes at once.
    let onRelinquish = Lock<(@Sendable (@escaping @Sendable () -> Void) -> Void)?>(nil)

    init(_ url: URL?) {
        location = Lock(url)
        super.init()
        presentedItemOperationQueue.maxConcurrentOperationCount = 1
    }

    var presentedItemURL: URL? { location.withLock { $0 } }

    func relinquishPresentedItem(toReader reader: @escaping @Sendable ((() -> Void)?) -> Void) {
        calls.post("reader")
        relinquish(reader)
    }

    func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((() -> Void)?) -> Void) {
        calls.post("writer")
        relinquish(writer)
    }

    private func relinquish(_ other: @escaping @Sendable ((() -> Void)?) -> Void) {
        let go: @Sendable () -> Void = { [calls] in other { calls.post("back") } }
        if let onRelinquish = onRelinquish.withLock({ $0 }) { onRelinquish(go) } else { go() }
    }

    func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        calls.post("save")
        if let onSave = onSave.withLock({ $0 }) { onSave(completionHandler) } else { completionHandler(nil) }
    }

    func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        calls.post("deletion")
        completionHandler(nil)
    }

    func accommodatePresentedSubitemDeletion(
        at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        calls.post("deletion of \(url.lastPathComponent)")
        completionHandler(nil)
    }

    func presentedItemDidMove(to newURL: URL) {
        location.withLock { $0 = newURL }
        calls.post("moved to \(newURL.lastPathComponent)")
    }

    func presentedItemDidChange() { calls.post("changed") }
    func presentedItemDidGain(_ version: NSFileVersion) { calls.post("gained \(version.url.lastPathComponent)") }
    func presentedItemDidLose(_ version: NSFileVersion) { calls.post("lost \(version.url.lastPathComponent)") }
    func presentedItemDidResolveConflict(_ version: NSFileVersion) { calls.post("resolved") }
    func presentedSubitemDidAppear(at url: URL) { calls.post("appeared \(url.lastPathComponent)") }
    func presentedSubitemDidChange(at url: URL) { calls.post("changed \(url.lastPathComponent)") }
    func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) {
        calls.post("moved \(oldURL.lastPathComponent) to \(newURL.lastPathComponent)")
    }

    func next(_ count: Int) async throws -> [String] {
        var calls: [String] = []
        for _ in 0..<count { calls.append(try await self.calls.next()) }
        return calls
    }
}
