// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

@Suite @MainActor struct DocumentTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Treats every file as shared.
    private final class SharedFiles: NSDocumentController {
        override func isShared(_ url: URL) -> Bool { true }
    }

    /// In a window that is not in front.
    private func letter(on fixture: AppFixture) throws -> (Letter, UIWindow) {
        fixture.application.documentController = fixture.laptop.center.run { SharedFiles(documentTypes: []) }
        let letter = fixture.laptop.center.run { Letter() }
        letter.fileURL = try folder.file("letter.txt")
        letter.userActivity = fixture.laptop.activity(title: "Letter")
        let controller = NSWindowController(window: UIWindow())
        letter.addWindowController(controller)
        return (letter, try #require(controller.window))
    }

    // Shows K02, O02.
    @Test func stateContainsTheDocumentsURL() async throws {
        let fixture = try await AppFixture()
        let (letter, window) = try letter(on: fixture)
        fixture.toolkit.windowBecameMain(window)
        #expect(try await fixture.nextTitle() == "Letter")
        let activity = try #require(letter.userActivity)
        let first = try await fixture.laptop.fetch(activity).entries()
        #expect(first[NSUserActivityDocumentURLKey] as? URL == letter.fileURL)
        #expect(!activity.needsSave)
        letter.fileURL = folder.url.appending(path: "moved.txt")
        #expect(activity.needsSave)
        let second = try await fixture.laptop.fetch(activity).entries()
        #expect(second[NSUserActivityDocumentURLKey] as? URL == folder.url.appending(path: "moved.txt"))
        // To its current location.
        letter.fileURL = folder.url.appending(path: "moved.txt")
        #expect(!activity.needsSave)
    }

    /// An open document is not shared automatically: its activity does not contain its location.
    @Test func fileThatIsNotSharedIsNotNamed() async throws {
        let fixture = try await AppFixture()
        let activity = fixture.laptop.activity(title: "Letter")
        let letter = fixture.laptop.center.run { Letter() }
        letter.fileURL = try folder.file("secret.txt")
        letter.userActivity = activity
        #expect(activity.userInfo?.isEmpty == true)
        activity.becomeCurrent()
        _ = try await fixture.daemon.nextPublication()
        activity.needsSave = true
        #expect(try await fixture.laptop.fetch(activity).entries().isEmpty)
        // Nor on another thread, where the app cannot be asked.
        let another = fixture.laptop.activity(title: "Letter")
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                letter.userActivity = another
                done.resume()
            }
        }
        #expect(another.userInfo?.isEmpty == true)
    }

    // Shows O02.
    @Test func earlierUserInfoOfTheAppStays() async throws {
        let fixture = try await AppFixture()
        fixture.application.documentController = fixture.laptop.center.run { SharedFiles(documentTypes: []) }
        let activity = fixture.laptop.activity(title: "Letter")
        activity.userInfo = ["line": 3]
        let letter = fixture.laptop.center.run { Letter() }
        letter.fileURL = URL(filePath: "/tmp/letter.txt")
        letter.userActivity = activity
        #expect(activity.userInfo?["line"] as? Int == 3)
        #expect(activity.userInfo?[NSUserActivityDocumentURLKey] as? URL == URL(filePath: "/tmp/letter.txt"))
    }

    @Test func newDocumentHasNoAddress() async throws {
        let fixture = try await AppFixture()
        let letter = Letter()
        letter.userActivity = fixture.laptop.activity(title: "Letter")
        #expect(letter.userActivity?.userInfo?.isEmpty == true)
        #expect(letter.displayName == "Untitled")
    }

    // Shows K02.
    @Test func keyHasTheNameThatBothSystemsKnow() {
        #expect(UIDocument.userActivityURLKey == "NSUserActivityDocumentURL")
        #expect(NSUserActivityDocumentURLKey == UIDocument.userActivityURLKey)
    }

    // Shows O03.
    @Test func isCurrentWhenOneOfItsWindowsBecomesMain() async throws {
        let fixture = try await AppFixture()
        let (letter, window) = try letter(on: fixture)
        let second = NSWindowController(window: UIWindow())
        letter.addWindowController(second)
        let other = fixture.mainWindow(with: fixture.page("page", offering: "Page"))
        #expect(try await fixture.nextTitle() == "Page")
        fixture.toolkit.windowBecameMain(window)
        #expect(try await fixture.nextTitle() == "Letter")
        fixture.toolkit.windowBecameMain(other)
        #expect(try await fixture.nextTitle() == "Page")
        second.showWindow(nil, in: fixture)
        #expect(try await fixture.nextTitle() == "Letter")
    }

    // Shows O04.
    @Test func closingEndsItsActivityForEverybody() async throws {
        let fixture = try await AppFixture()
        let (letter, window) = try letter(on: fixture)
        let page = fixture.page("page")
        page.userActivity = letter.userActivity
        fixture.toolkit.windowBecameMain(window)
        let publication = try await fixture.daemon.nextPublication()
        letter.close()
        #expect(try await fixture.daemon.nextWithdrawal() == publication.activity)
        #expect(page.userActivity?.isInvalidated == true)
        #expect(letter.userActivity == nil)
        #expect(letter.windowControllers.isEmpty)
        #expect(!window.isOpen)
    }

    // Shows O04.
    @Test func closesWithItsLastWindow() async throws {
        let fixture = try await AppFixture()
        let (letter, window) = try letter(on: fixture)
        let second = NSWindowController(window: UIWindow())
        letter.addWindowController(second)
        let activity = try #require(letter.userActivity)
        fixture.toolkit.windowOpened(window)
        second.showWindow(nil, in: fixture)
        fixture.toolkit.windowClosed(window)
        #expect(!activity.isInvalidated)
        #expect(letter.windowControllers == [second])
        second.close()
        #expect(activity.isInvalidated)
    }

    private final class Diary: NSDocument {
        override class var autosavesInPlace: Bool { true }
        override func data(ofType typeName: String) throws -> Data { Data("today".utf8) }
    }

    @Test func autosavingDocumentIsSavedWithItsLastWindow() async throws {
        let fixture = try await AppFixture()
        for changes in [0, 1] {
            let diary = Diary()
            diary.fileURL = try folder.file("diary.txt", "yesterday")
            let window = UIWindow()
            diary.addWindowController(NSWindowController(window: window))
            fixture.toolkit.windowOpened(window)
            if changes > 0 { diary.updateChangeCount(.changeDone) }
            fixture.toolkit.windowClosed(window)
            let text = try String(contentsOf: folder.url.appending(path: "diary.txt"), encoding: .utf8)
            #expect(text == (changes > 0 ? "today" : "yesterday"))
        }
    }

    @Test func writtenAndReadAgain() async throws {
        let letter = Letter()
        letter.text = "Dear Bo"
        letter.updateChangeCount(.changeDone)
        #expect(letter.isDocumentEdited)
        let url = folder.url.appending(path: "bo.txt")
        try letter.save(to: url, ofType: "Letter")
        #expect(!letter.isDocumentEdited)
        #expect(letter.fileURL == url)
        #expect(letter.displayName == "bo")
        let other = Letter()
        try other.read(from: url, ofType: "Letter")
        #expect(other.text == "Dear Bo")
        #expect(throws: CocoaError.self) { try NSDocument().read(from: url, ofType: "Letter") }
        #expect(throws: CocoaError.self) { try NSDocument().write(to: url, ofType: "Letter") }
    }

    @Test func uiDocumentIsReadAndWrittenInTheBackground() async throws {
        let note = Note(fileURL: try folder.file("note.txt"))
        #expect(note.documentState == .closed)
        #expect(await note.open())
        #expect(note.text == "Dear Anna")
        #expect(note.documentState == .normal)
        note.text = "Dear Cleo"
        note.updateChangeCount(.done)
        #expect(await note.close())
        #expect(try String(contentsOf: note.fileURL, encoding: .utf8) == "Dear Cleo")
        #expect(!note.hasUnsavedChanges)
        #expect(note.documentState == .closed)
    }

    @Test func uiDocumentSaysWhatWentWrong() async throws {
        let note = Note(fileURL: folder.url.appending(path: "missing.txt"))
        #expect(await !note.open())
        let nowhere = folder.url.appending(path: "no/such/folder/note.txt")
        #expect(await !note.save(to: nowhere, for: .forCreating))
        #expect(note.documentState == [.closed, .savingError])
        #expect(note.failures.count == 2)
    }

    @Test func uiDocumentThatCannotBeSavedStaysOpen() async throws {
        let fixture = try await AppFixture()
        let url = folder.url.appending(path: "inner/note.txt")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let note = Note(fileURL: url)
        note.userActivity = fixture.laptop.activity(title: "Note")
        #expect(await note.save(to: url, for: .forCreating))
        #expect(note.documentState == .normal)
        try FileManager.default.removeItem(at: url.deletingLastPathComponent())
        note.updateChangeCount(.done)
        #expect(await !note.close())
        #expect(note.documentState == .savingError)
        #expect(note.userActivity?.isInvalidated == false)
        note.updateChangeCount(.cleared)
        #expect(await note.close())
        #expect(note.userActivity == nil)
    }
}

extension NSWindowController {
    /// In the test's own application.
    fileprivate func showWindow(_ sender: Any?, in fixture: AppFixture) {
        fixture.laptop.center.run { showWindow(sender) }
    }
}
