// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Handoff
@testable import HandoffApp

@Suite @MainActor struct DocumentSavingTests {
    private let folder: Folder
    private let letter: SavedLetter
    private let url: URL

    init() throws {
        folder = try Folder()
        url = try folder.file("Letter.txt")
        letter = try SavedLetter(contentsOf: url, ofType: "Letter")
        letter.text = "Dear Bob"
        letter.updateChangeCount(.changeDone)
    }

    private func text(_ url: URL) -> String? { try? String(contentsOf: url, encoding: .utf8) }

    private func save(to url: URL, for operation: NSDocument.SaveOperationType) throws {
        var answers: [(any Error)?] = []
        letter.save(to: url, ofType: "Letter", for: operation) { answers.append($0) }
        #expect(answers.count == 1)
        if let error = answers.first ?? nil { throw error }
    }

    @Test func eachOperationWritesByTheMethodsOfASubclass() throws {
        try save(to: url, for: .saveOperation)
        #expect(letter.calls == ["writeSafely saveOperation", "write saveOperation from Letter.txt"])
        #expect(text(url) == "Dear Bob")
        #expect(!letter.isDocumentEdited)
        #expect(!letter.hasUnautosavedChanges)
    }

    @Test func documentUsesItsSaveAsURL() throws {
        let other = folder.url.appending(path: "Other.txt")
        try save(to: other, for: .saveAsOperation)
        #expect(letter.fileURL == other)
        #expect(text(url) == "Dear Anna")
        #expect(text(other) == "Dear Bob")
    }

    @Test func copyLeavesTheDocumentWhereItIs() throws {
        let copy = folder.url.appending(path: "Copy.txt")
        try save(to: copy, for: .saveToOperation)
        #expect(letter.fileURL == url)
        #expect(text(copy) == "Dear Bob")
        #expect(letter.isDocumentEdited)
        #expect(letter.hasUnautosavedChanges)
    }

    @Test func copyMadeWithoutAskingIsKnown() throws {
        let copy = folder.url.appending(path: "Autosaved.txt")
        try save(to: copy, for: .autosaveElsewhereOperation)
        #expect(letter.autosavedContentsFileURL == copy)
        #expect(letter.isDocumentEdited)
        #expect(!letter.hasUnautosavedChanges)
        try save(to: url, for: .saveOperation)
        #expect(letter.autosavedContentsFileURL == nil)
    }

    @Test func documentThatCannotBeSavedStaysEdited() {
        #expect(throws: (any Error).self) {
            try save(to: folder.url.appending(path: "missing/Letter.txt"), for: .saveAsOperation)
        }
        #expect(letter.fileURL == url)
        #expect(letter.isDocumentEdited)
    }

    @Test func fileHasItsDateAsItWasReadOrWritten() throws {
        let read = try #require(letter.fileModificationDate)
        let old = Date(timeIntervalSinceReferenceDate: 1000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: url.path)
        #expect(letter.fileModificationDate == read)
        try letter.revert(toContentsOf: url, ofType: "Letter")
        #expect(letter.fileModificationDate == old)
        try save(to: url, for: .saveOperation)
        #expect(try #require(letter.fileModificationDate) >= read)
    }

    @Test func changesSinceATokenStayUnsaved() {
        let token = letter.changeCountToken(for: .saveOperation)
        letter.updateChangeCount(.changeDone)
        letter.updateChangeCount(withToken: token, for: .saveOperation)
        #expect(letter.isDocumentEdited)
        letter.updateChangeCount(withToken: letter.changeCountToken(for: .saveOperation), for: .saveOperation)
        #expect(!letter.isDocumentEdited)
        letter.updateChangeCount(.changeDiscardable)
        #expect(!letter.isDocumentEdited)
    }

    @Test func frameworkSavesByTheFormThatASubclassHas() async throws {
        let waiting = Waiting()
        waiting.fileURL = url
        waiting.text = "Dear Carla"
        waiting.updateChangeCount(.changeDone)
        let error = await withCheckedContinuation { done in
            waiting.saveChanges { done.resume(returning: $0) }
        }
        #expect(error == nil)
        #expect(waiting.calls == ["autosaveInPlaceOperation begins", "autosaveInPlaceOperation ends"])
        #expect(text(url) == "Dear Carla")
        #expect(!waiting.isDocumentEdited)
    }

    @Test func savingWithoutAskingIsDoneBeforeTheCallReturns() {
        let answering = Answering()
        answering.fileURL = url
        answering.text = "Dear Dora"
        answering.updateChangeCount(.changeDone)
        var isDone = false
        answering.saveChanges { isDone = $0 == nil }
        #expect(isDone)
        #expect(answering.operations == [.autosaveInPlaceOperation])
        #expect(text(url) == "Dear Dora")
    }
}

@MainActor
private class Text: NSDocument {
    var text = ""

    override func read(from data: Data, ofType typeName: String) throws {
        text = String(decoding: data, as: UTF8.self)
    }

    override func data(ofType typeName: String) throws -> Data { Data(text.utf8) }
}

private final class SavedLetter: Text {
    var calls: [String] = []

    override func writeSafely(to url: URL, ofType typeName: String, for saveOperation: SaveOperationType) throws {
        calls.append("writeSafely \(saveOperation)")
        try super.writeSafely(to: url, ofType: typeName, for: saveOperation)
    }

    override func write(
        to url: URL, ofType typeName: String, for saveOperation: SaveOperationType,
        originalContentsURL absoluteOriginalContentsURL: URL?
    ) throws {
        calls.append("write \(saveOperation) from \(absoluteOriginalContentsURL?.lastPathComponent ?? "-")")
        try super.write(
            to: url, ofType: typeName, for: saveOperation, originalContentsURL: absoluteOriginalContentsURL)
    }
}

private final class Waiting: Text {
    var calls: [String] = []
    override class var autosavesInPlace: Bool { true }

    override func save(to url: URL, ofType typeName: String, for saveOperation: SaveOperationType) async throws {
        calls.append("\(saveOperation) begins")
        await mainThreadCaughtUp()
        try await super.save(to: url, ofType: typeName, for: saveOperation)
        calls.append("\(saveOperation) ends")
    }
}

private final class Answering: Text {
    var operations: [SaveOperationType] = []
    override class var autosavesInPlace: Bool { true }

    override func save(
        to url: URL, ofType typeName: String, for saveOperation: SaveOperationType,
        completionHandler: @escaping ((any Error)?) -> Void
    ) {
        operations.append(saveOperation)
        super.save(to: url, ofType: typeName, for: saveOperation, completionHandler: completionHandler)
    }
}
