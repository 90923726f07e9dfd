// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import Testing

@testable import Handoff

@Suite struct NSFileCoordinatorTests {
    private let folder: Folder
    private let file: URL
    private let alarms = Alarms()
    private let laptop: Laptop

    init() throws {
        folder = try Folder()
        file = try folder.file("letter.txt")
        laptop = try Laptop(startingDaemon: false, wait: alarms.wait)
    }

    private func coordinator(of presenter: Presenter? = nil) -> NSFileCoordinator {
        NSFileCoordinator(filePresenter: presenter, center: laptop.center)
    }

    private func presenter(of url: URL?) -> Presenter {
        let presenter = Presenter(url)
        laptop.center.run { NSFileCoordinator.addFilePresenter(presenter) }
        return presenter
    }

    /// On a thread of its own, which may block.
    private func write(
        _ text: String, _ options: NSFileCoordinator.WritingOptions = [], by coordinator: NSFileCoordinator
    ) async throws -> Int? {
        let file = file
        return try await blocking {
            var error: NSError?
            coordinator.coordinate(writingItemAt: file, options: options, error: &error) { url in
                try? Data(text.utf8).write(to: url)
            }
            return error?.code
        }
    }

    private func read(_ options: NSFileCoordinator.ReadingOptions = []) async throws -> (text: String?, code: Int?) {
        let (file, coordinator) = (file, coordinator())
        return try await blocking {
            var error: NSError?
            var text: String?
            coordinator.coordinate(readingItemAt: file, options: options, error: &error) { url in
                text = try? String(contentsOf: url, encoding: .utf8)
            }
            return (text, error?.code)
        }
    }

    // MARK: Turns

    @Test func readersReadTogetherAndAWriterWaitsForThem() async throws {
        let (reading, mayEnd) = (Mailbox<Int>(), Mailbox<Void>())
        let order = Mailbox<String>()
        for number in 0..<2 {
            let coordinator = coordinator()
            onThread { [file] in
                let ended = DispatchSemaphore(value: 0)
                coordinator.coordinate(readingItemAt: file, error: nil) { _ in
                    reading.post(number)
                    Task {
                        _ = try? await mayEnd.next()
                        order.post("read")
                        ended.signal()
                    }
                    ended.wait()
                }
            }
        }
        // Both readers are in their accessors.
        _ = try await reading.next()
        _ = try await reading.next()
        let writer = coordinator()
        onThread { [file] in
            writer.coordinate(writingItemAt: file, error: nil) { _ in order.post("write") }
        }
        mayEnd.post(())
        mayEnd.post(())
        #expect(try await [order.next(), order.next(), order.next()] == ["read", "read", "write"])
    }

    @Test func nestedCoordinationInAnAccessorDoesNotWait() async throws {
        let (file, outer, inner) = (file, coordinator(), coordinator())
        let calls = try await blocking {
            var calls: [String] = []
            outer.coordinate(writingItemAt: file, error: nil) { url in
                calls.append("outer")
                inner.coordinate(readingItemAt: url, error: nil) { _ in calls.append("inner") }
            }
            return calls
        }
        #expect(calls == ["outer", "inner"])
    }

    @Test func coordinatorsOfOnePurposeDoNotWaitForEachOther() async throws {
        let (file, outer, inner) = (file, coordinator(), coordinator())
        #expect(outer.purposeIdentifier != inner.purposeIdentifier)
        inner.purposeIdentifier = outer.purposeIdentifier
        let isIn = try await blocking {
            var isIn = false
            outer.coordinate(writingItemAt: file, error: nil) { _ in
                let ended = DispatchSemaphore(value: 0)
                onThread {
                    inner.coordinate(writingItemAt: file, error: nil) { _ in ended.signal() }
                }
                isIn = ended.wait(timeout: .now() + 30) == .success
            }
            return isIn
        }
        #expect(isIn)
    }

    @Test func cancellingEndsTheWait() async throws {
        let (file, holder, waiting) = (file, coordinator(), coordinator())
        let code = try await blocking {
            var code: Int?
            holder.coordinate(writingItemAt: file, error: nil) { _ in
                let ended = DispatchSemaphore(value: 0)
                let found = Lock<Int?>(nil)
                let isWaiting = DispatchSemaphore(value: 0)
                onThread {
                    isWaiting.signal()
                    var error: NSError?
                    waiting.coordinate(readingItemAt: file, error: &error) { _ in }
                    found.withLock { $0 = error?.code }
                    ended.signal()
                }
                isWaiting.wait()
                // It may not have reached the wait yet.
                while ended.wait(timeout: .now() + .milliseconds(10)) == .timedOut { waiting.cancel() }
                code = found.withLock { $0 }
            }
            return code
        }
        #expect(code == CocoaError.Code.userCancelled.rawValue)
    }

    @Test func nonFileURLIsAnError() async throws {
        var error: NSError?
        coordinator().coordinate(readingItemAt: URL(string: "https://example.com/")!, error: &error) { _ in
            Issue.record("read")
        }
        #expect(error?.code == CocoaError.Code.fileReadUnsupportedScheme.rawValue)
    }

    // MARK: Presenters

    @Test func presenterSavesBeforeAnotherReads() async throws {
        let presenter = presenter(of: file)
        presenter.onSave.withLock {
            $0 = { [file] done in
                try? Data("Dear Bo".utf8).write(to: file)
                done(nil)
            }
        }
        #expect(try await read().text == "Dear Bo")
        #expect(try await presenter.next(3) == ["reader", "save", "back"])
        #expect(try await read(.withoutChanges).text == "Dear Bo")
        #expect(try await presenter.next(2) == ["reader", "back"])
        #expect(try await read(.immediatelyAvailableMetadataOnly).code == nil)
        #expect(presenter.calls.waiting.isEmpty)
    }

    @Test func presenterIsNotifiedOnlyOfRealChanges() async throws {
        let presenter = presenter(of: file)
        #expect(try await write("Dear Bo", by: coordinator()) == nil)
        #expect(try await presenter.next(3) == ["writer", "back", "changed"])
        #expect(try await write("Dear Cleo", .forMerging, by: coordinator()) == nil)
        #expect(try await presenter.next(4) == ["writer", "save", "back", "changed"])
        // It is not asked on its own behalf.
        #expect(try await write("Dear Dan", by: coordinator(of: presenter)) == nil)
        let (file, quiet) = (file, coordinator())
        _ = try await blocking { quiet.coordinate(writingItemAt: file, error: nil) { _ in } }
        #expect(try await presenter.next(2) == ["writer", "back"])
        laptop.center.run { NSFileCoordinator.removeFilePresenter(presenter) }
        #expect(try await write("Dear Eve", by: coordinator()) == nil)
        let isOver = Mailbox<Void>()
        presenter.presentedItemOperationQueue.addOperation { isOver.post(()) }
        try await isOver.next()
        #expect(presenter.calls.waiting.isEmpty)
    }

    @Test func presenterMayWriteWhileItIsAskedToSave() async throws {
        let presenter = presenter(of: file)
        let own = coordinator(of: presenter)
        presenter.onSave.withLock {
            $0 = { [file] done in
                // As UIDocument saves: in the background, in its turn.
                onThread {
                    var error: NSError?
                    own.coordinate(writingItemAt: file, error: &error) { url in
                        try? Data("Dear Bo".utf8).write(to: url)
                    }
                    done(error)
                }
            }
        }
        #expect(try await read().text == "Dear Bo")
    }

    @Test func errorOfAPresenterIsTheCallers() async throws {
        let presenter = presenter(of: file)
        presenter.onSave.withLock { $0 = { $0(CocoaError(.fileWriteOutOfSpace)) } }
        let (text, code) = try await read()
        #expect(text == nil)
        #expect(code == CocoaError.Code.fileWriteOutOfSpace.rawValue)
        #expect(try await presenter.next(3) == ["reader", "save", "back"])
    }

    @Test func presenterThatDoesNotLetGoIsNotWaitedForLongerThanItsLimit() async throws {
        #expect(NSFileCoordinator.presenterPatience == .seconds(30))
        let presenter = presenter(of: file)
        let kept = Lock<(@Sendable () -> Void)?>(nil)
        presenter.onRelinquish.withLock { $0 = { go in kept.withLock { $0 = go } } }
        async let outcome = read()
        #expect(try await presenter.next(1) == ["reader"])
        #expect(await soon { kept.withLock { $0 != nil } })
        alarms.pass(NSFileCoordinator.presenterPatience)
        #expect(try await outcome.code == CocoaError.Code.fileWriteUnknown.rawValue)
        // Too late: it is called back at once and is not asked to save.
        kept.withLock { $0 }?()
        #expect(try await presenter.next(1) == ["back"])
        #expect(presenter.calls.waiting.isEmpty)
    }

    @Test func presenterIsAskedBeforeItsFileIsRemoved() async throws {
        let presenter = presenter(of: file)
        let around = self.presenter(of: folder.url)
        let (file, coordinator) = (file, coordinator())
        _ = try await blocking {
            coordinator.coordinate(writingItemAt: file, options: .forDeleting, error: nil) { url in
                try? FileManager.default.removeItem(at: url)
            }
        }
        #expect(try await presenter.next(3) == ["writer", "deletion", "back"])
        #expect(try await around.next(3) == ["writer", "deletion of letter.txt", "back"])
    }

    @Test func presenterOfAFolderIsToldWhatIsInIt() async throws {
        let around = presenter(of: folder.url)
        #expect(try await write("Dear Bo", by: coordinator()) == nil)
        #expect(try await around.next(1) == ["changed letter.txt"])
        let (new, coordinator) = (folder.url.appending(path: "new.txt"), coordinator())
        _ = try await blocking {
            coordinator.coordinate(writingItemAt: new, error: nil) { try? Data("new".utf8).write(to: $0) }
        }
        #expect(try await around.next(1) == ["appeared new.txt"])
    }

    private final class Watcher: NSObject, NSFilePresenter {
        let presentedItemURL: URL?
        let presentedItemOperationQueue = OperationQueue()
        let changes = Mailbox<Void>()
        init(_ url: URL) { presentedItemURL = url }
        func presentedItemDidChange() { changes.post(()) }
    }

    @Test func watcherOfAFolderNeedsNoMoreThanOneMethod() async throws {
        let watcher = Watcher(folder.url)
        laptop.center.run { NSFileCoordinator.addFilePresenter(watcher) }
        #expect(try await write("Dear Bo", by: coordinator()) == nil)
        try await watcher.changes.next()
    }

    @Test func presentersAreNotRetained() {
        laptop.center.run {
            var presenter: Presenter? = Presenter(file)
            presenter.map { NSFileCoordinator.addFilePresenter($0) }
            #expect(NSFileCoordinator.filePresenters.count == 1)
            presenter = nil
            #expect(NSFileCoordinator.filePresenters.isEmpty)
        }
    }

    // MARK: Several files

    @Test func presentersFollowAMove() async throws {
        let presenter = presenter(of: file)
        let around = self.presenter(of: folder.url)
        let (file, coordinator) = (file, coordinator())
        let target = folder.url.appending(path: "moved.txt")
        _ = try await blocking {
            coordinator.coordinate(
                writingItemAt: file, options: .forMoving, writingItemAt: target, options: .forReplacing, error: nil
            ) { old, new in
                try? FileManager.default.moveItem(at: old, to: new)
                coordinator.item(at: old, didMoveTo: new)
            }
        }
        #expect(try await presenter.next(2).contains("moved to moved.txt"))
        #expect(presenter.presentedItemURL?.lastPathComponent == "moved.txt")
        #expect(try await around.next(1) == ["moved letter.txt to moved.txt"])
    }

    @Test func waitingReaderReadsTheMovedFile() async throws {
        let (file, mover, reader) = (file, coordinator(), coordinator())
        let target = folder.url.appending(path: "moved.txt")
        let name = try await blocking {
            let (came, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let name = Lock<String?>(nil)
            mover.coordinate(writingItemAt: file, options: .forMoving, error: nil) { url in
                onThread {
                    came.signal()
                    reader.coordinate(readingItemAt: file, error: nil) { url in
                        name.withLock { $0 = url.lastPathComponent }
                    }
                    ended.signal()
                }
                came.wait()
                try? FileManager.default.moveItem(at: url, to: target)
                mover.item(at: url, didMoveTo: target)
            }
            ended.wait()
            return name.withLock { $0 }
        }
        // If the move came first, there was no file to wait for.
        #expect(name == "moved.txt" || name == "letter.txt")
    }

    @Test func readingOneAndWritingAnotherIsOneTurn() async throws {
        let (file, coordinator) = (file, coordinator())
        let copy = folder.url.appending(path: "copy.txt")
        let text = try await blocking {
            var error: NSError?
            coordinator.coordinate(
                readingItemAt: file, options: [], writingItemAt: copy, options: [], error: &error
            ) { source, target in
                try? FileManager.default.copyItem(at: source, to: target)
            }
            return try String(contentsOf: copy, encoding: .utf8)
        }
        #expect(text == "Dear Anna")
    }

    @Test func batchHoldsItsFilesUntilItsCompletion() async throws {
        let (file, coordinator, other) = (file, coordinator(), coordinator())
        let presenter = presenter(of: file)
        let ending = Lock<Ending?>(nil)
        let text = try await blocking {
            var text: String?
            coordinator.prepare(forReadingItemsAt: [file], writingItemsAt: [], error: nil) { done in
                coordinator.coordinate(readingItemAt: file, options: .withoutChanges, error: nil) { url in
                    text = try? String(contentsOf: url, encoding: .utf8)
                }
                let done = Ending(done)
                ending.withLock { $0 = done }
            }
            return text
        }
        #expect(text == "Dear Anna")
        let order = Mailbox<String>()
        onThread { other.coordinate(writingItemAt: file, error: nil) { _ in order.post("written") } }
        onThread {
            order.post("ended")
            ending.withLock { $0 }?.body()
        }
        #expect(try await [order.next(), order.next()] == ["ended", "written"])
        #expect(try await presenter.calls.next() == "reader")
    }

    @Test func intentsAreWaitedForWithoutAThread() async throws {
        let reading = NSFileAccessIntent.readingIntent(with: file, options: .withoutChanges)
        let writing = NSFileAccessIntent.writingIntent(with: folder.url.appending(path: "copy.txt"))
        let (queue, outcome) = (OperationQueue(), Mailbox<Bool>())
        coordinator().coordinate(with: [reading, writing], queue: queue) { error in
            try? FileManager.default.copyItem(at: reading.url, to: writing.url)
            outcome.post(error == nil && OperationQueue.current === queue)
        }
        #expect(try await outcome.next())
        #expect(try String(contentsOf: writing.url, encoding: .utf8) == "Dear Anna")
        coordinator().coordinate(
            with: [.readingIntent(with: URL(string: "https://example.com/")!)], queue: queue
        ) { error in
            outcome.post((error as? CocoaError)?.code == .fileReadUnsupportedScheme)
        }
        #expect(try await outcome.next())
    }
}

/// A block of the app, passed to the thread that calls it.
private struct Ending: @unchecked Sendable {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
}
