// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import HandoffWire
import Testing

@testable import Handoff

/// Shows B17.
@Suite struct ComingDocumentsTests {
    private let folder: Folder
    private let file: URL
    private let alarms = Alarms()
    private let laptop: Laptop
    private let receiver = Receiver()

    init() async throws {
        folder = try Folder()
        file = try folder.file("letter.txt")
        laptop = try Laptop(bundle: "com.example.reader", wait: alarms.wait)
        laptop.center.receive(with: receiver)
        _ = try await laptop.daemon.hellos.next()
    }

    private func presenter() -> Presenter {
        let presenter = Presenter(file)
        laptop.center.run { NSFileCoordinator.addFilePresenter(presenter) }
        return presenter
    }

    private func coming() throws -> Mailbox<LocalMessage> {
        laptop.daemon.ask(
            .documents(.documentComing(try AbsolutePath(file.path), deviceName: DisplayText(cleaning: "desktop"))))
    }

    private func placed(at url: URL? = nil, copy: URL? = nil) throws {
        laptop.daemon.send(
            .documents(
                .documentPlaced(
                    PlacedDocument(
                        path: try AbsolutePath((url ?? file).path),
                        oldPath: try url.map { _ in try AbsolutePath(file.path) },
                        copy: try copy.map { try AbsolutePath($0.path) }))))
    }

    /// A coordinated write on its own thread.
    private func write(_ text: String) -> Mailbox<Int?> {
        let written = Mailbox<Int?>()
        let coordinator = NSFileCoordinator(filePresenter: nil, center: laptop.center)
        onThread { [file] in
            var error: NSError?
            coordinator.coordinate(writingItemAt: file, error: &error) { try? Data(text.utf8).write(to: $0) }
            written.post(error?.code)
        }
        return written
    }

    @Test func documentWithoutPresentersIsGrantedImmediately() async throws {
        #expect(try await coming().next() == .done(accepted: true))
        // The file is no longer held.
        #expect(try await write("Dear Bo").next() == nil)
    }

    @Test func presenterSavesLetsGoAndIsToldWhatCame() async throws {
        let presenter = presenter()
        #expect(try await coming().next() == .done(accepted: true))
        #expect(try await presenter.next(2) == ["writer", "save"])
        let written = write("Dear Bo")
        let copy = try folder.file("letter (laptop, 2026-11-22 15.14).txt")
        try placed(copy: copy)
        #expect(try await written.next() == nil)
        // The next writer asks only after these notifications.
        let copyName = "gained letter (laptop, 2026-11-22 15.14).txt"
        #expect(try await presenter.next(6) == ["back", "changed", copyName, "writer", "back", "changed"])
    }

    @Test func writersWaitUntilTheDocumentIsPlaced() async throws {
        let presenter = presenter()
        #expect(try await coming().next() == .done(accepted: true))
        let written = write("Dear Bo")
        try await laptop.caughtUp()
        #expect(written.waiting.isEmpty)
        #expect(try String(contentsOf: file, encoding: .utf8) == "Dear Anna")
        try placed()
        #expect(try await written.next() == nil)
        withExtendedLifetime(presenter) {}
    }

    @Test func fileIsFreeAgainIfTheDaemonSaysNothingMore() async throws {
        #expect(ActivityCenter.placingTime == .seconds(30))
        let presenter = presenter()
        #expect(try await coming().next() == .done(accepted: true))
        let written = write("Dear Bo")
        alarms.pass(ActivityCenter.placingPatience)
        #expect(written.waiting.isEmpty)
        alarms.pass(ActivityCenter.placingTime)
        #expect(try await written.next() == nil)
        withExtendedLifetime(presenter) {}
    }

    @Test func changesThatCannotBeSavedAreReportedToTheDaemon() async throws {
        let presenter = presenter()
        presenter.onSave.withLock { $0 = { $0(CocoaError(.fileWriteOutOfSpace)) } }
        guard case .failure(let failure) = try await coming().next() else { throw CocoaError(.featureUnsupported) }
        #expect(failure.code == .documentChanged)
        #expect(try await presenter.next(3) == ["writer", "save", "back"])
        #expect(try await write("Dear Bo").next() == nil)
    }

    @Test func presenterThatTakesTooLongIsReportedToTheDaemon() async throws {
        #expect(ActivityCenter.placingPatience == .seconds(8))
        let presenter = presenter()
        presenter.onSave.withLock { $0 = { _ in } }
        let answer = try coming()
        #expect(try await presenter.next(2) == ["writer", "save"])
        alarms.pass(ActivityCenter.placingPatience)
        guard case .failure(let failure) = try await answer.next() else { throw CocoaError(.featureUnsupported) }
        #expect(failure.code == .appTimedOut || failure.code == .documentChanged)
        #expect(try await presenter.next(1) == ["back"])
    }

    @Test func arrivingDocumentWaitsForReaders() async throws {
        let (isReading, ended) = (Mailbox<Void>(), DispatchSemaphore(value: 0))
        let coordinator = NSFileCoordinator(filePresenter: nil, center: laptop.center)
        onThread { [file] in
            coordinator.coordinate(readingItemAt: file, error: nil) { _ in
                isReading.post(())
                ended.wait()
            }
        }
        try await isReading.next()
        let answer = try coming()
        try await laptop.caughtUp()
        #expect(answer.waiting.isEmpty)
        ended.signal()
        #expect(try await answer.next() == .done(accepted: true))
    }

    @Test func presenterFollowsADocumentThatTheOtherDeviceHasRenamed() async throws {
        let presenter = presenter()
        #expect(try await coming().next() == .done(accepted: true))
        let renamed = folder.url.appending(path: "renamed.txt")
        try FileManager.default.moveItem(at: file, to: renamed)
        try placed(at: renamed)
        #expect(try await presenter.next(5) == ["writer", "save", "back", "moved to renamed.txt", "changed"])
    }

    // MARK: Fetched on demand

    private func pending() async throws {
        try FileManager.default.removeItem(at: file)
        let continuation = Continuation(on: laptop)
        _ = try await continuation.announce().next()
        let document = DeliveredDocument(
            url: file.absoluteString, fate: .pending, path: try AbsolutePath(file.path))
        _ = try await laptop.daemon.request(
            .continuation(
                .continueActivity(continuation.id, ActivityState(type: continuation.type), documents: [document])))
    }

    @Test func pendingDocumentIsBroughtOnceHoweverOftenItIsAskedFor() async throws {
        try await pending()
        let presenter = presenter()
        try laptop.center.run {
            try FileManager.default.startDownloadingUbiquitousItem(at: file)
            try FileManager.default.startDownloadingUbiquitousItem(at: file)
        }
        let question = try await laptop.daemon.frames.next()
        #expect(question.message == .documents(.downloadDocument(try AbsolutePath(file.path))))
        let progress = DocumentProgress(
            continuation: ContinuationID(uncheckedBytes: Array(repeating: 1, count: 16)),
            name: DisplayText(cleaning: "letter.txt"), bytes: 5, total: 9, step: .receiving)
        laptop.daemon.send(LocalFrame(.documents(.documentProgress(progress)), answer: question.request))
        #expect(try await receiver.progress.next() == progress)
        try Data("Dear Anna".utf8).write(to: file)
        laptop.daemon.send(LocalFrame(.done(accepted: true), answer: question.request))
        #expect(try await presenter.next(1) == ["changed"])
        #expect(laptop.daemon.frames.waiting.isEmpty)
        // It has arrived.
        try laptop.center.run { try FileManager.default.startDownloadingUbiquitousItem(at: file) }
        try await laptop.caughtUp()
        #expect(laptop.daemon.frames.waiting.isEmpty)
    }

    @Test func coordinatedReadWaitsForWhatIsPending() async throws {
        try await pending()
        let coordinator = NSFileCoordinator(filePresenter: nil, center: laptop.center)
        async let text = blocking { [file] in
            var text: String?
            coordinator.coordinate(readingItemAt: file, error: nil) { url in
                text = try? String(contentsOf: url, encoding: .utf8)
            }
            return text
        }
        let question = try await laptop.daemon.frames.next()
        try Data("Dear Anna".utf8).write(to: file)
        laptop.daemon.send(LocalFrame(.done(accepted: true), answer: question.request))
        #expect(try await text == "Dear Anna")
    }

    @Test func coordinatedReadSaysWhyItDidNotCome() async throws {
        try await pending()
        let coordinator = NSFileCoordinator(filePresenter: nil, center: laptop.center)
        async let code = blocking { [file] in
            var error: NSError?
            coordinator.coordinate(readingItemAt: file, error: &error) { _ in Issue.record("read") }
            return error?.code
        }
        let question = try await laptop.daemon.frames.next()
        let failure = Failure(.deviceLost, "the other device is gone")
        laptop.daemon.send(LocalFrame(.failure(failure), answer: question.request))
        #expect(try await code == CocoaError.Code.userActivityHandoffFailed.rawValue)
        // It may be requested again.
        try laptop.center.run { try FileManager.default.startDownloadingUbiquitousItem(at: file) }
        _ = try await laptop.daemon.frames.next()
    }

    @Test func missingFileIsUnavailable() throws {
        let error = #expect(throws: CocoaError.self) {
            try laptop.center.run {
                try FileManager.default.startDownloadingUbiquitousItem(at: folder.url.appending(path: "none.txt"))
            }
        }
        #expect(error?.code == .ubiquitousFileUnavailable)
        #expect(URLResourceValues().ubiquitousItemDownloadingStatus == .current)
    }
}
