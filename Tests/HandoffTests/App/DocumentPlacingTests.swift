// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// An open document while others write its file. Shows B17.
@Suite @MainActor struct DocumentPlacingTests {
    private let folder: Folder
    private let file: URL
    private let fixture: AppFixture

    init() async throws {
        folder = try Folder()
        file = try folder.file("a.note")
        fixture = try await AppFixture()
    }

    private func note() async throws -> Note {
        let note = fixture.laptop.center.run { Note(fileURL: file) }
        #expect(await note.open())
        return note
    }

    private func letter() throws -> Letter {
        try fixture.laptop.center.run { try Letter(contentsOf: file, ofType: "Letter") }
    }

    private func coming() async throws -> LocalMessage {
        try await fixture.daemon.request(
            .documents(.documentComing(try AbsolutePath(file.path), deviceName: DisplayText(cleaning: "desktop"))))
    }

    private func placed(_ text: String, at url: URL? = nil) throws {
        try Data(text.utf8).write(to: url ?? file, options: .atomic)
        fixture.daemon.send(
            .documents(
                .documentPlaced(
                    PlacedDocument(
                        path: try AbsolutePath((url ?? file).path),
                        oldPath: try url.map { _ in try AbsolutePath(file.path) }))))
    }

    private var onDisk: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

    private func isRefused(_ answer: LocalMessage) -> Bool {
        if case .failure(let failure) = answer { failure.code == .documentChanged } else { false }
    }

    // MARK: UIDocument

    @Test func uiDocumentSavesBeforeAVersionComesAndReadsIt() async throws {
        let note = try await note()
        note.text = "Dear Bo"
        note.updateChangeCount(.done)
        #expect(try await coming() == .done(accepted: true))
        #expect(try onDisk == "Dear Bo")
        #expect(!note.hasUnsavedChanges)
        try placed("Dear Cleo")
        #expect(await soon { note.text == "Dear Cleo" })
        #expect(note.documentState == .normal)
    }

    @Test func userIsNotToTypeUntilItIsThere() async throws {
        let note = try await note()
        let states = Mailbox<UIDocument.State>()
        let observer = NotificationCenter.default.addObserver(
            forName: UIDocument.stateChangedNotification, object: note, queue: nil
        ) { _ in
            MainActor.assumeIsolated { states.post(note.documentState) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        #expect(try await coming() == .done(accepted: true))
        #expect(try await states.next() == .editingDisabled)
        #expect(note.calls == ["disable"])
        try placed("Dear Cleo")
        #expect(await soon { note.text == "Dear Cleo" && note.documentState == .normal })
        #expect(note.calls.last == "enable")
    }

    @Test func localChangesAndTheArrivedVersionAreBothKept() async throws {
        let note = try await note()
        #expect(try await coming() == .done(accepted: true))
        note.text = "Dear Bo"
        note.updateChangeCount(.done)
        // It waits for its turn, which comes before the document knows the file's new version.
        let saved = Mailbox<Bool>()
        note.autosave { saved.post($0) }
        try placed("Dear Cleo")
        #expect(try await saved.next())
        #expect(try onDisk == "Dear Bo")
        let versions = fixture.laptop.center.run { NSFileVersion.unresolvedConflictVersionsOfItem(at: file) ?? [] }
        #expect(try versions.map { try String(contentsOf: $0.url, encoding: .utf8) } == ["Dear Cleo"])
        #expect(versions.map(\.localizedNameOfSavingComputer) == ["desktop"])
        #expect(await soon { note.documentState.contains(.inConflict) })
        versions.first?.isResolved = true
        #expect(await soon { !note.documentState.contains(.inConflict) })
        #expect(note.text == "Dear Bo")
    }

    @Test func uiDocumentThatCannotBeSavedIsReportedToTheDaemon() async throws {
        let note = try await note()
        note.updateChangeCount(.done)
        try FileManager.default.removeItem(at: folder.url)
        #expect(isRefused(try await coming()))
        #expect(note.hasUnsavedChanges)
        #expect(await soon { !note.documentState.contains(.editingDisabled) })
    }

    @Test func conflictIsSeenWhenADocumentIsOpened() async throws {
        _ = try folder.file("a (laptop, 2026-11-22 15.14).note")
        let note = try await note()
        #expect(note.documentState == .inConflict)
        #expect(await note.close())
        #expect(note.documentState == .closed)
    }

    @Test func revertingReadsTheFile() async throws {
        let note = try await note()
        note.text = "Dear Bo"
        note.updateChangeCount(.done)
        let reverted = Mailbox<Bool>()
        note.revert(toContentsOf: file) { reverted.post($0) }
        #expect(note.documentState == .editingDisabled)
        #expect(try await reverted.next())
        #expect(note.text == "Dear Anna")
        #expect(!note.hasUnsavedChanges)
        #expect(note.fileModificationDate != nil)
        note.revert(toContentsOf: folder.url.appending(path: "none.note")) { reverted.post($0) }
        #expect(try await !reverted.next())
        #expect(note.failures.count == 1)
        #expect(note.documentState == .normal)
    }

    @Test func othersReadWhatWasNotSaved() async throws {
        let note = try await note()
        note.text = "Dear Bo"
        note.updateChangeCount(.done)
        let reader = NSFileCoordinator(filePresenter: nil, center: fixture.laptop.center)
        let text = try await blocking { [file] in
            var text: String?
            reader.coordinate(readingItemAt: file, error: nil) { text = try? String(contentsOf: $0, encoding: .utf8) }
            return text
        }
        #expect(text == "Dear Bo")
    }

    @Test func documentOfAFileThatIsRemovedIsClosed() async throws {
        let note = try await note()
        note.userActivity = fixture.laptop.activity(title: "Note")
        let other = NSFileCoordinator(filePresenter: nil, center: fixture.laptop.center)
        _ = try await blocking { [file] in
            other.coordinate(writingItemAt: file, options: .forDeleting, error: nil) { url in
                try? FileManager.default.removeItem(at: url)
            }
        }
        #expect(note.documentState == .closed)
        #expect(note.userActivity == nil)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func closedDocumentIsNotPausedUntilItIsOpenedAgain() async throws {
        let note = try await note()
        note.setPaused(true)
        #expect(note.documentState == .editingDisabled)
        #expect(await note.close())
        #expect(note.documentState == .closed)
        #expect(note.calls == ["disable", "enable"])
        #expect(await note.open())
        #expect(note.documentState == .editingDisabled)
        #expect(await note.close())
        note.setPaused(false)
        #expect(note.documentState == .closed)
        #expect(note.calls == ["disable", "enable", "disable", "enable"])
    }

    // MARK: NSDocument

    @Test func nsDocumentReadsWhatCame() async throws {
        let letter = try letter()
        #expect(try await coming() == .done(accepted: true))
        try placed("Dear Cleo")
        #expect(await soon { letter.text == "Dear Cleo" })
        #expect(!letter.isDocumentEdited)
    }

    @Test func nsDocumentThatAsksBeforeItSavesKeepsItsChanges() async throws {
        let letter = try letter()
        letter.text = "Dear Bo"
        letter.updateChangeCount(.changeDone)
        #expect(isRefused(try await coming()))
        #expect(try onDisk == "Dear Anna")
        #expect(letter.isDocumentEdited)
    }

    private final class Diary: NSDocument {
        var text = ""
        override class var autosavesInPlace: Bool { true }
        override func read(from data: Data, ofType typeName: String) throws {
            text = String(decoding: data, as: UTF8.self)
        }
        override func data(ofType typeName: String) throws -> Data { Data(text.utf8) }
    }

    @Test func autosavingNSDocumentSavesBeforePlacement() async throws {
        let diary = try fixture.laptop.center.run { try Diary(contentsOf: file, ofType: "Diary") }
        diary.text = "Dear Bo"
        diary.updateChangeCount(.changeDone)
        #expect(try await coming() == .done(accepted: true))
        #expect(try onDisk == "Dear Bo")
        // Changed before it was read: the version on disk becomes a copy.
        diary.text = "Dear Dan"
        diary.updateChangeCount(.changeDone)
        try placed("Dear Cleo")
        try await fixture.laptop.caughtUp()
        await mainThreadCaughtUp()
        try diary.save(to: file, ofType: "Diary")
        #expect(try onDisk == "Dear Dan")
        let versions = fixture.laptop.center.run { NSFileVersion.unresolvedConflictVersionsOfItem(at: file) ?? [] }
        #expect(try versions.map { try String(contentsOf: $0.url, encoding: .utf8) } == ["Dear Cleo"])
    }

    @Test func documentFollowsARenameOfTheOtherDevice() async throws {
        let letter = try letter()
        letter.userActivity = fixture.laptop.activity(title: "a")
        #expect(try await coming() == .done(accepted: true))
        let renamed = folder.url.appending(path: "b.note")
        try FileManager.default.moveItem(at: file, to: renamed)
        try placed("Dear Cleo", at: renamed)
        #expect(await soon { letter.fileURL?.lastPathComponent == "b.note" && letter.text == "Dear Cleo" })
        #expect(letter.userActivity?.needsSave == true)
    }

    @Test func otherPresentersAreNotifiedOfADocumentsWrite() async throws {
        let letter = try letter()
        let presenter = Presenter(file)
        fixture.laptop.center.run { NSFileCoordinator.addFilePresenter(presenter) }
        try letter.save(to: file, ofType: "Letter")
        #expect(try await presenter.next(1) == ["changed"])
    }

    @Test func revertingALetterReadsTheFile() async throws {
        let letter = try letter()
        letter.text = "Dear Bo"
        letter.updateChangeCount(.changeDone)
        try letter.revert(toContentsOf: file, ofType: "Letter")
        #expect(letter.text == "Dear Anna")
        #expect(!letter.isDocumentEdited)
    }
}
