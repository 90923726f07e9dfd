// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

@Suite @MainActor struct DocumentContainerTests {
    private let folder: Folder
    private let documents: URL
    private let fixture: AppFixture
    private let controller: NSDocumentController

    init() async throws {
        folder = try Folder()
        let container = folder.url.appending(path: "iCloud.com.example.letters", directoryHint: .isDirectory)
        documents = container.appending(path: "Documents", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
        var manners = FakeDaemon.Manners()
        manners.answersContainers = try ContainersTests.containers(container)
        fixture = try await AppFixture(manners: manners)
        controller = fixture.laptop.center.run {
            NSDocumentController(documentTypes: [
                HandoffDocumentType(name: "Letter", extensions: ["txt"], userActivityType: "com.example.reader.letter"),
                HandoffDocumentType(name: "Note", extensions: ["note"], userActivityType: "com.example.reader.note"),
            ])
        }
        controller.register(forType: "Letter") { [fixture] _ in fixture.laptop.center.run { Letter() } }
        controller.register(forType: "Note") { [fixture] url in fixture.laptop.center.run { Note(fileURL: url) } }
        fixture.application.documentController = controller
    }

    private func letter(in folder: URL? = nil) async throws -> Letter {
        let url = (folder ?? documents).appending(path: "letter.txt")
        try Data("Dear Anna".utf8).write(to: url)
        let document = try await controller.openDocument(withContentsOf: url, display: false).document
        return try #require(document as? Letter)
    }

    /// In a window in front.
    private func show(_ document: HandoffDocument) -> UIWindow {
        let controller = NSWindowController(window: UIWindow())
        document.addWindowController(controller)
        fixture.toolkit.windowBecameMain(controller.window!)
        return controller.window!
    }

    // MARK: Inside and outside a container

    // Shows K04, O01.
    @Test func documentInAContainerHasAnActivityAutomatically() async throws {
        let letter = try await letter()
        // The daemon was asked when the document was opened, without waiting.
        #expect(await soon { letter.userActivity != nil })
        #expect(letter.userActivity?.activityType == "com.example.reader.letter")
        #expect(letter.userActivity?.title == "letter")
        #expect(controller.isShared(documents.appending(path: "another.txt")))
        #expect(!controller.isShared(folder.url.appending(path: "another.txt")))
    }

    @Test func documentElsewhereHasNone() async throws {
        let letter = try await letter(in: folder.url)
        try await fixture.daemon.containersAsked.next()
        try await fixture.laptop.caughtUp()
        await mainThreadCaughtUp()
        #expect(letter.userActivity == nil)
    }

    @Test func changedContainersUpdateDocumentActivities() async throws {
        let letter = try await letter()
        #expect(await soon { letter.userActivity != nil })
        fixture.daemon.send(.documents(.containers([], accountToken: nil)))
        #expect(await soon { letter.userActivity == nil })
    }

    // MARK: Renamed and moved by other programs

    // Shows O01.
    @Test func documentFollowsItsFileWhenItsWindowComesToTheFront() async throws {
        let letter = try await letter()
        #expect(await soon { letter.userActivity != nil })
        let window = show(letter)
        #expect(try await fixture.nextTitle() == "letter")
        let renamed = documents.appending(path: "renamed.txt")
        try FileManager.default.moveItem(at: documents.appending(path: "letter.txt"), to: renamed)
        fixture.toolkit.windowBecameMain(window)
        #expect(letter.fileURL?.path == renamed.path)
        #expect(letter.displayName == "renamed")
        #expect(letter.userActivity?.title == "renamed")
        #expect(await soon { fixture.daemon.frames.waiting.contains(where: \.publishesRenamed) })
    }

    // Shows O01.
    @Test func documentThatIsMovedOutHasNoActivityUntilItIsBack() async throws {
        let letter = try await letter()
        #expect(await soon { letter.userActivity != nil })
        let window = show(letter)
        let (inside, outside) = (documents.appending(path: "letter.txt"), folder.url.appending(path: "letter.txt"))
        try FileManager.default.moveItem(at: inside, to: outside)
        fixture.toolkit.applicationBecameActive()
        #expect(letter.userActivity == nil)
        #expect(letter.fileURL?.path == outside.path)
        try FileManager.default.moveItem(at: outside, to: inside)
        fixture.toolkit.windowBecameMain(window)
        #expect(letter.userActivity?.title == "letter")
    }

    // Shows O01.
    @Test func renameIsSeenWhenAnotherDeviceWantsIt() async throws {
        let letter = try await letter()
        #expect(await soon { letter.userActivity != nil })
        _ = show(letter)
        _ = try await fixture.nextTitle()
        let activity = try #require(letter.userActivity)
        _ = try await fixture.laptop.fetch(activity)
        #expect(!activity.needsSave)
        let renamed = documents.appending(path: "renamed.txt")
        try FileManager.default.moveItem(at: documents.appending(path: "letter.txt"), to: renamed)
        let state = try await fixture.laptop.fetch(activity).entries()
        #expect((state[NSUserActivityDocumentURLKey] as? URL)?.path == renamed.path)
    }

    @Test func fileThatWasReplacedUnderItsNameIsTheSameDocument() async throws {
        let letter = try await letter()
        #expect(await soon { letter.userActivity != nil })
        let window = show(letter)
        let url = documents.appending(path: "letter.txt")
        // As editors save: a new file takes the name, and some keep the old file under another name.
        try Data("Dear Bo".utf8).write(to: url, options: .atomic)
        fixture.toolkit.windowBecameMain(window)
        #expect(letter.fileURL == url)
        try FileManager.default.moveItem(at: url, to: documents.appending(path: "letter.txt~"))
        try Data("Dear Cleo".utf8).write(to: url)
        fixture.toolkit.windowBecameMain(window)
        #expect(letter.fileURL == url)
        // The document now follows this file.
        try FileManager.default.removeItem(at: documents.appending(path: "letter.txt~"))
        fixture.toolkit.windowBecameMain(window)
        let renamed = documents.appending(path: "renamed.txt")
        try FileManager.default.moveItem(at: url, to: renamed)
        fixture.toolkit.windowBecameMain(window)
        #expect(letter.fileURL?.path == renamed.path)
    }

    // MARK: Before sending

    @Test func unsavedChangesAreSavedBeforeTheFetch() async throws {
        let url = documents.appending(path: "a.note")
        try Data("Dear Anna".utf8).write(to: url)
        let document = try await controller.openDocument(withContentsOf: url, display: false).document
        let note = try #require(document as? Note)
        #expect(await soon { note.userActivity != nil })
        let activity = try #require(note.userActivity)
        activity.becomeCurrent()
        _ = try await fixture.daemon.nextPublication()
        _ = try await fixture.laptop.fetch(activity)
        note.text = "Dear Bo"
        note.updateChangeCount(.done)
        let state = try await fixture.laptop.fetch(activity).entries()
        #expect((state[NSUserActivityDocumentURLKey] as? URL)?.path == url.path)
        #expect(try String(contentsOf: url, encoding: .utf8) == "Dear Bo")
        #expect(!note.hasUnsavedChanges)
    }

    private final class Draft: NSDocument {
        var text = "Dear nobody"
        override class var autosavesDrafts: Bool { true }
        override func data(ofType typeName: String) throws -> Data { Data(text.utf8) }
    }

    @Test func documentThatWasNeverSavedGoesAsADraft() async throws {
        let draft = fixture.laptop.center.run { Draft() }
        draft.fileType = "Letter"
        controller.addDocument(draft)
        #expect(await soon { draft.userActivity != nil })
        #expect(draft.fileURL == nil)
        let window = show(draft)
        let publication = try await fixture.daemon.nextPublication()
        #expect(publication.title?.text == "Untitled")
        let activity = try #require(draft.userActivity)
        let state = try await fixture.laptop.fetch(activity).entries()
        let url = try #require(state[NSUserActivityDocumentURLKey] as? URL)
        #expect(url.deletingLastPathComponent().path == documents.path + "/.drafts")
        #expect(url.lastPathComponent.hasPrefix("Untitled "))
        #expect(url.pathExtension == "txt")
        #expect(draft.isDraft)
        #expect(draft.displayName == "Untitled")
        #expect(draft.userActivity === activity)
        draft.text = "Dear Bo"
        draft.updateChangeCount(.changeDone)
        _ = try await fixture.laptop.fetch(activity)
        #expect(try String(contentsOf: url, encoding: .utf8) == "Dear Bo")
        // The user saves it elsewhere.
        let place = documents.appending(path: "bo.txt")
        try draft.save(to: place, ofType: "Letter")
        #expect(!draft.isDraft)
        #expect(draft.displayName == "bo")
        #expect(!FileManager.default.fileExists(atPath: url.path))
        withExtendedLifetime(window) {}
    }

    @Test func withoutDraftsWhatWasNeverSavedHasNoActivity() async throws {
        let letter = fixture.laptop.center.run { Letter() }
        letter.fileType = "Letter"
        controller.addDocument(letter)
        try await fixture.laptop.caughtUp()
        await mainThreadCaughtUp()
        #expect(letter.userActivity == nil)
    }

    // MARK: Fetched on demand

    private final class Delegate: HandoffApplicationDelegate {}

    @Test func pendingDocumentIsOpenedWhenItIsHere() async throws {
        let delegate = Delegate()
        fixture.application.delegate = delegate
        let url = documents.appending(path: "letter.txt")
        let continuation = Continuation(of: "com.example.reader.letter", on: fixture.laptop)
        _ = try await continuation.announce().next()
        let entries = [Value.string(NSUserActivityDocumentURLKey): Value.url(url.absoluteString)]
        let state = ActivityState(type: continuation.type, userInfo: try Value.dictionary(entries).encoded())
        let document = DeliveredDocument(
            url: url.absoluteString, fate: .pending, path: try AbsolutePath(url.path))
        _ = try await fixture.daemon.request(
            .continuation(.continueActivity(continuation.id, state, documents: [document])))
        let question = try await fixture.daemon.frames.next()
        #expect(question.message == .documents(.downloadDocument(try AbsolutePath(url.path))))
        #expect(controller.documents.isEmpty)
        try Data("Dear Anna".utf8).write(to: url)
        fixture.daemon.send(LocalFrame(.done(accepted: true), answer: question.request))
        #expect(await soon { (controller.documents.first as? Letter)?.text == "Dear Anna" })
    }
}

extension LocalFrame {
    fileprivate var publishesRenamed: Bool {
        if case .advertising(.publish(let publication)) = message {
            publication.title?.text == "renamed"
        } else {
            false
        }
    }
}
