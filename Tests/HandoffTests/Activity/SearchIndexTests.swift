// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff

/// The app's part of the search index. Shows W05.
@Suite struct SearchIndexTests {
    let index = CSSearchableIndex(name: "notes")
    let note = CSSearchableItem(
        uniqueIdentifier: "note-1", domainIdentifier: "notes.private",
        attributeSet: CSSearchableItemAttributeSet(contentType: .compositeContent))

    private func laptop(startingDaemon: Bool = true) throws -> Laptop {
        try Laptop(startingDaemon: startingDaemon, bundle: "com.example.reader") { $1() }
    }

    private typealias Answers = Mailbox<(error: (any Error)?, isOnMain: Bool)>

    private func answers(
        on laptop: Laptop, _ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void
    ) -> Answers {
        let answers = Answers()
        laptop.center.run { call { answers.post(($0, Thread.isMainThread)) } }
        return answers
    }

    /// The next request to the daemon, which answers it.
    private func asked(_ laptop: Laptop, answer: LocalMessage = .done(accepted: true)) async throws -> IndexChanges {
        let frame = try await laptop.daemon.frames.next()
        guard case .history(.changeIndex(let changes)) = frame.message else {
            throw FakeDaemon.Unexpected(frame: frame)
        }
        laptop.daemon.send(LocalFrame(answer, answer: frame.request))
        return changes
    }

    @Test func changesAreSentAndAnsweredInTheBackground() async throws {
        let laptop = try Laptop(bundle: "com.example.reader")
        note.attributeSet.title = "A note"
        note.attributeSet.textContent = String(repeating: "a", count: 10_000)
        note.attributeSet.thumbnailData = Data(repeating: 0, count: 1000)
        note.isUpdate = true
        let indexed = answers(on: laptop) { index.indexSearchableItems([note], completionHandler: $0) }
        guard case .item(let item)? = try await asked(laptop).changes.first else {
            Issue.record("no item")
            return
        }
        #expect(item.uniqueIdentifier == "note-1" && item.domainIdentifier == "notes.private" && item.isUpdate)
        #expect(item.expires != nil)
        let attributes = try ContentAttributes(encoded: item.attributes)
        #expect(attributes.text("title") == "A note" && attributes.text("textContent")?.text.utf8.count == 4096)
        #expect(attributes.entries["thumbnailData"] == nil)
        let answer = try await indexed.next()
        #expect(answer.error == nil && !answer.isOnMain)

        let deletions: [(IndexChange, (@escaping @Sendable ((any Error)?) -> Void) -> Void)] = [
            (
                .deleteItems(["note-1"]),
                { index.deleteSearchableItems(withIdentifiers: ["note-1"], completionHandler: $0) }
            ),
            (
                .deleteDomains(["notes"]),
                { index.deleteSearchableItems(withDomainIdentifiers: ["notes"], completionHandler: $0) }
            ),
            (.deleteAll, { index.deleteAllSearchableItems(completionHandler: $0) }),
        ]
        for (change, call) in deletions {
            let deleted = answers(on: laptop, call)
            #expect(try await asked(laptop) == IndexChanges(index: "notes", [change]))
            #expect(try await deleted.next().error == nil)
        }
    }

    @Test(arguments: [
        (Failure.Code.stateNotWritable, CSIndexError.Code.indexUnavailableError), (.notAllowed, .indexUnavailableError),
        (.limitReached, .quotaExceeded), (.malformed, .invalidItemError), (.unimplemented, .indexingUnsupported),
        (.internal, .unknownError),
    ])
    func failuresHaveTheCodesOfCoreSpotlight(failure: Failure.Code, code: CSIndexError.Code) async throws {
        let laptop = try Laptop(bundle: "com.example.reader")
        let deleted = answers(on: laptop) { index.deleteAllSearchableItems(completionHandler: $0) }
        _ = try await asked(laptop, answer: .failure(Failure(failure, "")))
        #expect(try await deleted.next().error as? CSIndexError == CSIndexError(code))
    }

    @Test func batchIsSentAtItsEndWithItsClientState() async throws {
        let laptop = try Laptop(bundle: "com.example.reader")
        let handlers = answers(on: laptop) { handler in
            index.beginBatch()
            index.indexSearchableItems([note], completionHandler: handler)
            index.deleteSearchableItems(withIdentifiers: ["note-2"], completionHandler: handler)
            index.endBatch(withClientState: Data([1, 2]), completionHandler: handler)
        }
        let changes = try await asked(laptop)
        #expect(changes.clientState == [1, 2] && changes.changes.count == 2 && changes.index == "notes")
        for _ in 0..<3 { #expect(try await handlers.next().error == nil) }

        let fetched = Mailbox<Data?>()
        laptop.center.run { index.fetchLastClientState { state, _ in fetched.post(state) } }
        let frame = try await laptop.daemon.frames.next()
        #expect(frame.message == .history(.fetchClientState("notes")))
        laptop.daemon.send(LocalFrame(.history(.clientState([1, 2])), answer: frame.request))
        #expect(try await fetched.next() == Data([1, 2]))
    }

    @Test func invalidCallsFailWithoutARequest() async throws {
        let laptop = try Laptop(bundle: "com.example.reader")
        func code(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws -> CSIndexError? {
            try await answers(on: laptop, call).next().error as? CSIndexError
        }
        let nameless = CSSearchableItem(uniqueIdentifier: "", domainIdentifier: nil, attributeSet: note.attributeSet)
        #expect(
            try await code { index.indexSearchableItems([note, nameless], completionHandler: $0) }
                == CSIndexError(.invalidItemError))
        let invalid = CSIndexError(.invalidClientStateError)
        #expect(try await code { index.endBatch(withClientState: Data(), completionHandler: $0) } == invalid)
        index.beginBatch()
        let large = Data(repeating: 0, count: 251)
        #expect(try await code { index.endBatch(withClientState: large, completionHandler: $0) } == invalid)
        let ended = answers(on: laptop) { index.endBatch(withClientState: Data([1]), completionHandler: $0) }
        #expect(try await asked(laptop).clientState == [1], "the batch was not lost")
        #expect(try await ended.next().error == nil)
        // Apple raises an exception here.
        CSSearchableIndex.default().beginBatch()
        #expect(
            try await code { CSSearchableIndex.default().endBatch(withClientState: Data(), completionHandler: $0) }
                == invalid)
        let protected = CSSearchableIndex(name: "n", protectionClass: .complete)
        #expect(
            try await code { protected.deleteAllSearchableItems(completionHandler: $0) }
                == CSIndexError(.indexingUnsupported))
    }

    @Test func withoutADaemonTheConnectionFails() async throws {
        let laptop = try laptop(startingDaemon: false)
        let indexed = answers(on: laptop) { index.indexSearchableItems([note], completionHandler: $0) }
        let error = try #require(try await indexed.next().error)
        #expect((error as NSError).domain == "CSIndexErrorDomain" && (error as NSError).code == -1003)
    }

    @Test func onlyAnAppHasAnIndex() async throws {
        let script = try Laptop(startingDaemon: false)
        script.center.run { #expect(!CSSearchableIndex.isIndexingAvailable()) }
        let indexed = answers(on: script) { index.indexSearchableItems([note], completionHandler: $0) }
        #expect(try await indexed.next().error as? CSIndexError == CSIndexError(.indexUnavailableError))
        try laptop(startingDaemon: false).center.run { #expect(CSSearchableIndex.isIndexingAvailable()) }
    }

    @Test func asyncCallsThrow() async throws {
        let laptop = try laptop(startingDaemon: false)
        try await ActivityCenter.$simulated.withValue(laptop.center) {
            let calls: [() async throws -> Void] = [
                { try await index.indexSearchableItems([note]) },
                { try await index.deleteSearchableItems(withIdentifiers: ["note-1"]) },
                { try await index.deleteSearchableItems(withDomainIdentifiers: ["notes"]) },
                { try await index.deleteAllSearchableItems() },
                { _ = try await index.fetchLastClientState() },
            ]
            for call in calls {
                await #expect(throws: CSIndexError(.remoteConnectionError)) { try await call() }
            }
            await #expect(throws: CSIndexError(.invalidClientStateError)) {
                try await index.endBatch(withClientState: Data())
            }
            do {
                try await index.deleteAllSearchableItems()
            } catch CSIndexError.remoteConnectionError {
                // The form used in ported code.
            }
        }
    }

    @Test func itemIsWhatItWasMadeOf() throws {
        #expect(note.uniqueIdentifier == "note-1")
        #expect(note.domainIdentifier == "notes.private")
        #expect(note.attributeSet.contentType == "public.composite-content")
        #expect(!note.isUpdate)
        let days = try #require(note.expirationDate).timeIntervalSinceNow / (24 * 60 * 60)
        #expect((27...32).contains(days), "a month")
        note.expirationDate = .distantPast
        #expect(note.expirationDate == .distantPast)
        note.expirationDate = nil
        #expect(note.expirationDate > Date())
        let nameless = [1, 2].map { _ in
            CSSearchableItem(uniqueIdentifier: nil, domainIdentifier: nil, attributeSet: note.attributeSet)
        }
        #expect(!nameless[0].uniqueIdentifier.isEmpty)
        #expect(nameless[0].uniqueIdentifier != nameless[1].uniqueIdentifier)
    }

    @Test func copyOfAnItemIsIndependent() throws {
        note.attributeSet.title = "A note"
        note.isUpdate = true
        let copy = try #require(note.copy() as? CSSearchableItem)
        note.attributeSet.title = "changed"
        note.uniqueIdentifier = "note-2"
        #expect(copy.attributeSet.title == "A note")
        #expect(copy.uniqueIdentifier == "note-1")
        #expect(copy.isUpdate)
    }

    @Test func delegateIsNotRetained() {
        final class Indexer: CSSearchableIndexDelegate {
            func searchableIndex(
                _ searchableIndex: CSSearchableIndex,
                reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping () -> Void
            ) {}
            func searchableIndex(
                _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
                acknowledgementHandler: @escaping () -> Void
            ) {}
        }
        var indexer: Indexer? = Indexer()
        index.indexDelegate = indexer
        #expect(index.indexDelegate === indexer)
        #expect(throws: CSIndexError(.invalidItemError)) {
            try indexer?.data(for: index, itemIdentifier: "note-1", typeIdentifier: "public.text")
        }
        indexer = nil
        #expect(index.indexDelegate == nil)
        #expect(CSSearchableIndex.default() === CSSearchableIndex.default())
        #expect(CSSearchableIndex(name: "n", protectionClass: .complete).indexDelegate == nil)
    }

    @Test func typesConformAsIsPublished() {
        #expect(UTType.compositeContent.identifier == "public.composite-content")
        #expect(UTType.utf8PlainText.conforms(to: .text))
        #expect(UTType.utf8PlainText.conforms(to: .item))
        #expect(UTType.pdf.conforms(to: .compositeContent))
        #expect(UTType.text.conforms(to: .text))
        #expect(!UTType.text.conforms(to: .utf8PlainText))
        #expect(!UTType(importedAs: "com.example.note").conforms(to: .data))
        #expect(CSSearchableItemAttributeSet(itemContentType: kUTTypeText as String).contentType == "public.text")
    }
}
