// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Handoff

/// The missing search index and its errors.
@Suite struct SearchIndexTests {
    let laptop: Laptop
    let index = CSSearchableIndex(name: "notes")
    let note = CSSearchableItem(
        uniqueIdentifier: "note-1", domainIdentifier: "notes.private",
        attributeSet: CSSearchableItemAttributeSet(contentType: .compositeContent))

    init() throws { laptop = try Laptop(startingDaemon: false) }

    private func expectRefusal(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
        let answers = Mailbox<(error: (any Error)?, isOnMain: Bool)>()
        laptop.center.run { call { answers.post(($0, Thread.isMainThread)) } }
        let answer = try await answers.next()
        let error = try #require(answer.error)
        #expect((error as NSError).domain == "CSIndexErrorDomain")
        #expect((error as NSError).code == -1005)
        #expect(error.localizedDescription == "This system has no search index.")
        #expect(!answer.isOnMain)
    }

    @Test func everyCallEndsWithTheErrorOfADeviceWithoutAnIndex() async throws {
        #expect(!CSSearchableIndex.isIndexingAvailable())
        try await expectRefusal { index.indexSearchableItems([note], completionHandler: $0) }
        try await expectRefusal { index.deleteSearchableItems(withIdentifiers: ["note-1"], completionHandler: $0) }
        try await expectRefusal { index.deleteSearchableItems(withDomainIdentifiers: ["notes"], completionHandler: $0) }
        try await expectRefusal { index.deleteAllSearchableItems(completionHandler: $0) }
        try await expectRefusal { completion in
            index.beginBatch()
            index.endBatch(withClientState: Data([1]), completionHandler: completion)
        }
        try await expectRefusal { completion in
            index.fetchLastClientState { state, error in completion(state == nil ? error : nil) }
        }
        // Apple raises an exception here.
        try await expectRefusal { completion in
            CSSearchableIndex.default().beginBatch()
            CSSearchableIndex.default().endBatch(withClientState: Data(), completionHandler: completion)
        }
    }

    @Test func asyncCallsThrowIt() async throws {
        try await ActivityCenter.$simulated.withValue(laptop.center) {
            let calls: [() async throws -> Void] = [
                { try await index.indexSearchableItems([note]) },
                { try await index.deleteSearchableItems(withIdentifiers: ["note-1"]) },
                { try await index.deleteSearchableItems(withDomainIdentifiers: ["notes"]) },
                { try await index.deleteAllSearchableItems() },
                { try await index.endBatch(withClientState: Data()) },
                { _ = try await index.fetchLastClientState() },
            ]
            for call in calls {
                await #expect(throws: CSIndexError(.indexingUnsupported)) { try await call() }
            }
            do {
                try await index.deleteAllSearchableItems()
            } catch CSIndexError.indexingUnsupported {
                // The form used in ported code.
            }
        }
    }

    @Test func itIsSaidOnceHoweverOftenItIsAskedFor() async throws {
        for _ in 0..<3 { try await expectRefusal { index.indexSearchableItems([note], completionHandler: $0) } }
        laptop.center.run { CSSearchableIndex.default().indexSearchableItems([note]) }
        try await expectRefusal { index.deleteAllSearchableItems(completionHandler: $0) }
        #expect(try await laptop.log.next().contains("no search index"))
        #expect(laptop.log.waiting.isEmpty)
    }

    @Test func askingWhetherThereIsOneSaysNothing() {
        laptop.center.run { #expect(!CSSearchableIndex.isIndexingAvailable()) }
        #expect(laptop.log.waiting.isEmpty)
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
