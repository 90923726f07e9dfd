// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows O02, O03, O04, K02.
@Suite @MainActor struct DocumentTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Treats every file as shared.
    private final class SharedFiles: NSDocumentController {
        override func isShared(_ url: URL) -> Bool { true }
    }

    /// In a window that is not in front.
    private func letter(on desk: Desk) throws -> (Letter, UIWindow) {
        desk.application.documentController = desk.laptop.center.run { SharedFiles(documentTypes: []) }
        let letter = desk.laptop.center.run { Letter() }
        letter.fileURL = try folder.file("letter.txt")
        letter.userActivity = desk.laptop.activity(title: "Letter")
        let controller = NSWindowController(window: UIWindow())
        letter.addWindowController(controller)
        return (letter, try #require(controller.window))
    }

    @Test func stateIsWhereTheDocumentLies() async throws {
        let desk = try await Desk()
        let (letter, window) = try letter(on: desk)
        desk.toolkit.windowBecameMain(window)
        #expect(try await desk.nextTitle() == "Letter")
        let activity = try #require(letter.userActivity)
        let first = try await desk.laptop.fetch(activity).entries()
        #expect(first[NSUserActivityDocumentURLKey] as? URL == letter.fileURL)
        #expect(!activity.needsSave)
        letter.fileURL = folder.url.appending(path: "moved.txt")
        #expect(activity.needsSave)
        let second = try await desk.laptop.fetch(activity).entries()
        #expect(second[NSUserActivityDocumentURLKey] as? URL == folder.url.appending(path: "moved.txt"))
        // To its current location.
        letter.fileURL = folder.url.appending(path: "moved.txt")
        #expect(!activity.needsSave)
    }

    /// An open document is not shared automatically: its activity does not contain its location.
    @Test func fileThatIsNotSharedIsNotNamed() async throws {
        let desk = try await Desk()
        let activity = desk.laptop.activity(title: "Letter")
        let letter = desk.laptop.center.run { Letter() }
        letter.fileURL = try folder.file("secret.txt")
        letter.userActivity = activity
        #expect(activity.userInfo?.isEmpty == true)
        activity.becomeCurrent()
        _ = try await desk.daemon.nextPublication()
        activity.needsSave = true
        #expect(try await desk.laptop.fetch(activity).entries().isEmpty)
        // Nor on another thread, where the app cannot be asked.
        let another = desk.laptop.activity(title: "Letter")
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                letter.userActivity = another
                done.resume()
            }
        }
        #expect(another.userInfo?.isEmpty == true)
    }

    @Test func earlierUserInfoOfTheAppStays() async throws {
        let desk = try await Desk()
        desk.application.documentController = desk.laptop.center.run { SharedFiles(documentTypes: []) }
        let activity = desk.laptop.activity(title: "Letter")
        activity.userInfo = ["line": 3]
        let letter = desk.laptop.center.run { Letter() }
        letter.fileURL = URL(filePath: "/tmp/letter.txt")
        letter.userActivity = activity
        #expect(activity.userInfo?["line"] as? Int == 3)
        #expect(activity.userInfo?[NSUserActivityDocumentURLKey] as? URL == URL(filePath: "/tmp/letter.txt"))
    }

    @Test func newDocumentHasNoAddress() async throws {
        let desk = try await Desk()
        let letter = Letter()
        letter.userActivity = desk.laptop.activity(title: "Letter")
        #expect(letter.userActivity?.userInfo?.isEmpty == true)
        #expect(letter.displayName == "Untitled")
    }

    @Test func keyHasTheNameThatBothSystemsKnow() {
        #expect(UIDocument.userActivityURLKey == "NSUserActivityDocumentURL")
        #expect(NSUserActivityDocumentURLKey == UIDocument.userActivityURLKey)
    }

    @Test func isCurrentWhenOneOfItsWindowsBecomesMain() async throws {
        let desk = try await Desk()
        let (letter, window) = try letter(on: desk)
        let second = NSWindowController(window: UIWindow())
        letter.addWindowController(second)
        let other = desk.mainWindow(with: desk.page("page", offering: "Page"))
        #expect(try await desk.nextTitle() == "Page")
        desk.toolkit.windowBecameMain(window)
        #expect(try await desk.nextTitle() == "Letter")
        desk.toolkit.windowBecameMain(other)
        #expect(try await desk.nextTitle() == "Page")
        second.showWindow(nil, in: desk)
        #expect(try await desk.nextTitle() == "Letter")
    }

    @Test func closingEndsItsActivityForEverybody() async throws {
        let desk = try await Desk()
        let (letter, window) = try letter(on: desk)
        let page = desk.page("page")
        page.userActivity = letter.userActivity
        desk.toolkit.windowBecameMain(window)
        let publication = try await desk.daemon.nextPublication()
        letter.close()
        #expect(try await desk.daemon.nextWithdrawal() == publication.activity)
        #expect(page.userActivity?.isInvalidated == true)
        #expect(letter.userActivity == nil)
        #expect(letter.windowControllers.isEmpty)
        #expect(!window.isOpen)
    }

    @Test func closesWithItsLastWindow() async throws {
        let desk = try await Desk()
        let (letter, window) = try letter(on: desk)
        let second = NSWindowController(window: UIWindow())
        letter.addWindowController(second)
        let activity = try #require(letter.userActivity)
        desk.toolkit.windowOpened(window)
        second.showWindow(nil, in: desk)
        desk.toolkit.windowClosed(window)
        #expect(!activity.isInvalidated)
        #expect(letter.windowControllers == [second])
        second.close()
        #expect(activity.isInvalidated)
    }

    private final class Diary: NSDocument {
        override class var autosavesInPlace: Bool { true }
        override func data(ofType typeName: String) throws -> Data { Data("today".utf8) }
    }

    @Test func savesItselfWhenItsLastWindowIsClosedIfItSaysSo() async throws {
        let desk = try await Desk()
        for changes in [0, 1] {
            let diary = Diary()
            diary.fileURL = try folder.file("diary.txt", "yesterday")
            let window = UIWindow()
            diary.addWindowController(NSWindowController(window: window))
            desk.toolkit.windowOpened(window)
            if changes > 0 { diary.updateChangeCount(.changeDone) }
            desk.toolkit.windowClosed(window)
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
        let desk = try await Desk()
        let url = folder.url.appending(path: "inner/note.txt")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let note = Note(fileURL: url)
        note.userActivity = desk.laptop.activity(title: "Note")
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
    fileprivate func showWindow(_ sender: Any?, in desk: Desk) {
        desk.laptop.center.run { showWindow(sender) }
    }
}
