// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// A text, as AppKit has documents.
private final class Letter: NSDocument {
    var text = ""
    var restored: [String] = []
    var windowToMake: Window?

    override func read(from data: Data, ofType typeName: String) throws {
        guard let text = String(data: data, encoding: .utf8) else { throw CocoaError(.fileReadCorruptFile) }
        self.text = text
    }

    override func data(ofType typeName: String) throws -> Data { Data(text.utf8) }

    override func makeWindowControllers() {
        addWindowController(WindowController(window: windowToMake))
    }

    override func restoreUserActivityState(_ userActivity: NSUserActivity) {
        super.restoreUserActivityState(userActivity)
        restored.append("\(text) \(userActivity.title ?? "")")
    }
}

/// The same, as UIKit has them.
private final class Note: UIDocument {
    var text = ""
    var failures: [any Error] = []

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        text = (contents as? Data).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }

    override func handleError(_ error: any Error, userInteractionPermitted: Bool) { failures.append(error) }
}

/// Believes that everything below its folder is on the user's other devices.
private final class SharingController: DocumentController {
    var shared = "/nowhere/"
    var errors: [any Error] = []
    override func isShared(_ url: URL) -> Bool { url.path.hasPrefix(shared) }
    override func presentError(_ error: any Error) { errors.append(error) }
}

private final class Folder {
    let url = URL(filePath: "/tmp/handoff-documents-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String, _ text: String = "Dear Anna") throws -> URL {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file
    }
}

/// A document's activity. Shows O02, O03, O04, K02.
@Suite @MainActor struct DocumentTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Shown in a window that is not in front.
    private func letter(on desk: Desk) throws -> (Letter, Window) {
        let letter = Letter()
        letter.fileURL = try folder.file("letter.txt")
        letter.userActivity = desk.laptop.activity(title: "Letter")
        let controller = WindowController(window: Window())
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
        // To where it is already.
        letter.fileURL = folder.url.appending(path: "moved.txt")
        #expect(!activity.needsSave)
    }

    @Test func whatTheAppPutIntoItsActivityBeforeStays() async throws {
        let desk = try await Desk()
        let activity = desk.laptop.activity(title: "Letter")
        activity.userInfo = ["line": 3]
        let letter = Letter()
        letter.fileURL = URL(filePath: "/tmp/letter.txt")
        letter.userActivity = activity
        #expect(activity.userInfo?["line"] as? Int == 3)
        #expect(activity.userInfo?[NSUserActivityDocumentURLKey] as? URL == URL(filePath: "/tmp/letter.txt"))
    }

    @Test func newDocumentHasNoAddress() async throws {
        let desk = try await Desk()
        let letter = Letter()
        letter.userActivity = desk.laptop.activity(title: "Letter")
        #expect(letter.userActivity?.userInfo == nil)
        #expect(letter.displayName == "Untitled")
    }

    @Test func keyHasTheNameThatBothSystemsKnow() {
        #expect(UIDocument.userActivityURLKey == "NSUserActivityDocumentURLKey")
        #expect(NSUserActivityDocumentURLKey == UIDocument.userActivityURLKey)
    }

    @Test func isCurrentWhenOneOfItsWindowsBecomesMain() async throws {
        let desk = try await Desk()
        let (letter, window) = try letter(on: desk)
        let second = WindowController(window: Window())
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
        let second = WindowController(window: Window())
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
            let window = Window()
            diary.addWindowController(WindowController(window: window))
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
}

extension WindowController {
    /// In an application of the test's own.
    fileprivate func showWindow(_ sender: Any?, in desk: Desk) {
        desk.laptop.center.run { showWindow(sender) }
    }
}

/// Opening, and going on with a document. Shows H08, O05, K04.
@Suite @MainActor struct DocumentControllerTests {
    private let folder: Folder
    private let controller = SharingController(documentTypes: [
        DocumentType(name: "Letter", extensions: ["txt"], userActivityType: "com.example.reader.letter"),
        DocumentType(name: "Note", extensions: ["NOTE"]),
        DocumentType(name: "Strange", extensions: ["strange"], userActivityType: "not a type"),
    ])
    private let reader = Reader()

    init() throws {
        folder = try Folder()
        controller.register(forType: "Letter") { _ in Letter() }
        controller.register(forType: "Note") { Note(fileURL: $0) }
        controller.register(forType: "Strange") { _ in Letter() }
    }

    @Test func opensByTypeAndFindsWhatIsOpen() async throws {
        let url = try folder.file("letter.txt")
        let (document, wasOpen) = try await controller.openDocument(withContentsOf: url, display: false)
        #expect((document as? Letter)?.text == "Dear Anna")
        #expect(document.fileType == "Letter")
        #expect(!wasOpen)
        let detour = folder.url.appending(path: "x/../letter.txt")
        let again = try await controller.openDocument(withContentsOf: detour, display: false)
        #expect(again.document === document)
        #expect(again.wasAlreadyOpen)
        let note = try await controller.openDocument(withContentsOf: try folder.file("a.note"), display: false).document
        #expect((note as? Note)?.text == "Dear Anna")
        #expect(controller.documents == [document, note])
        document.close()
        #expect(controller.documents == [note])
    }

    @Test func twoWhoAskAtOnceGetOneDocument() async throws {
        let url = try folder.file("a.note")
        let opened = Mailbox<ObjectIdentifier>()
        for _ in 0..<2 {
            controller.openDocument(withContentsOf: url, display: false) { document, _, _ in
                if let document { opened.post(ObjectIdentifier(document)) }
            }
        }
        #expect(try await opened.next() == opened.next())
        #expect(controller.documents.count == 1)
    }

    @Test func whatCannotBeOpenedIsAnError() async throws {
        await #expect(throws: CocoaError.self) {
            try await controller.openDocument(withContentsOf: try folder.file("a.pdf"), display: false)
        }
        await #expect(throws: CocoaError.self) {
            try await controller.openDocument(withContentsOf: folder.url.appending(path: "none.txt"), display: false)
        }
        let broken = folder.url.appending(path: "broken.txt")
        try Data([0xFF, 0xFE, 0xFD]).write(to: broken)
        await #expect(throws: CocoaError.self) {
            try await controller.openDocument(withContentsOf: broken, display: false)
        }
        #expect(controller.documents.isEmpty)
    }

    @Test func openedDocumentIsShownInItsWindows() async throws {
        let desk = try await Desk()
        desk.application.documentController = controller
        let window = Window()
        controller.register(forType: "Letter") { _ in
            let letter = Letter()
            letter.windowToMake = window
            return letter
        }
        let url = try folder.file("letter.txt")
        desk.laptop.center.run {
            controller.openDocument(withContentsOf: url, display: true) { _, _, _ in }
        }
        #expect(desk.application.mainWindow === window)
        #expect(controller.currentDocument === controller.documents.first)
        #expect(window.windowController?.document === controller.documents.first)
    }

    // MARK: Continuing

    /// As when another device's user accepted. Returns what the daemon is answered.
    private func arrival(
        on desk: Desk, of url: URL?, type name: String = "com.example.reader.letter"
    ) async throws -> LocalMessage {
        desk.application.documentController = controller
        desk.application.delegate = reader
        let type = try ActivityType(name)
        let continuation = ContinuationID(uncheckedBytes: Array(repeating: 1, count: 16))
        _ = try await desk.daemon.request(
            .willContinue(continuation, type: type, originName: DisplayText(cleaning: "laptop")))
        let entries = url.map { [Value.string(NSUserActivityDocumentURLKey): Value.url($0.absoluteString)] } ?? [:]
        let state = ActivityState(type: type, title: "Line 3", userInfo: try Value.dictionary(entries).encoded())
        return try await desk.daemon.request(.continueActivity(continuation, state))
    }

    @Test func documentOpensWhereTheDelegateDoesNotGoOn() async throws {
        let desk = try await Desk()
        reader.goesOn = false
        let url = try folder.file("letter.txt")
        #expect(try await arrival(on: desk, of: url) == .done(accepted: true))
        let letter = try #require(controller.documents.first as? Letter)
        // Opened first, then restored.
        #expect(letter.restored == ["Dear Anna Line 3"])
        #expect(letter.fileURL == url)
        #expect(reader.calls.waiting.count == 2)
    }

    private final class Silent: HandoffApplicationDelegate {}

    @Test func documentOpensWithoutAContinueHook() async throws {
        let desk = try await Desk()
        let silent = Silent()
        let url = try folder.file("letter.txt")
        desk.application.documentController = controller
        desk.application.delegate = silent
        let type = try ActivityType("com.example.reader.letter")
        let continuation = ContinuationID(uncheckedBytes: Array(repeating: 1, count: 16))
        _ = try await desk.daemon.request(
            .willContinue(continuation, type: type, originName: DisplayText(cleaning: "laptop")))
        let entries = [Value.string(NSUserActivityDocumentURLKey): Value.url(url.absoluteString)]
        let state = ActivityState(type: type, userInfo: try Value.dictionary(entries).encoded())
        #expect(try await desk.daemon.request(.continueActivity(continuation, state)) == .done(accepted: true))
        #expect(controller.documents.count == 1)
    }

    @Test func delegateThatGoesOnIsLeftAlone() async throws {
        let desk = try await Desk()
        #expect(try await arrival(on: desk, of: try folder.file("letter.txt")) == .done(accepted: true))
        #expect(controller.documents.isEmpty)
    }

    @Test func activityOfNoDocumentIsNotTaken() async throws {
        let desk = try await Desk()
        reader.goesOn = false
        #expect(try await arrival(on: desk, of: nil) == .done(accepted: false))
    }

    @Test(arguments: ["https://example.com/letter.txt", "file://elsewhere/tmp/letter.txt", "file:///etc/passwd"])
    func addressThatIsNoDocumentOfThisAppIsNotTaken(address: String) async throws {
        let desk = try await Desk()
        reader.goesOn = false
        #expect(try await arrival(on: desk, of: URL(string: address)) == .done(accepted: false))
        #expect(controller.documents.isEmpty)
        #expect(controller.errors.isEmpty)
    }

    @Test func missingDocumentIsShownAsAnError() async throws {
        let desk = try await Desk()
        reader.goesOn = false
        #expect(try await arrival(on: desk, of: folder.url.appending(path: "gone.txt")) == .done(accepted: true))
        #expect((controller.errors.first as? CocoaError)?.code == .fileReadNoSuchFile)
        // After continue there is no didFail.
        #expect(reader.calls.waiting.count == 2)
    }

    // MARK: Activities that documents have by themselves

    @Test func documentAmongSharedFilesHasAnActivityOfItsTypesOwn() async throws {
        let desk = try await Desk()
        desk.application.documentController = controller
        controller.shared = folder.url.path
        let url = try folder.file("letter.txt")
        try await desk.laptop.center.runAsync {
            let letter = try await controller.openDocument(withContentsOf: url, display: false).document
            let activity = try #require(letter.userActivity)
            #expect(activity.activityType == "com.example.reader.letter")
            #expect(activity.title == "letter")
            // Its first round is due.
            #expect(activity.needsSave)
            let note = try await controller.openDocument(withContentsOf: folder.file("a.note"), display: false).document
            #expect(note.userActivity == nil)
            let strange = try await controller.openDocument(withContentsOf: folder.file("a.strange"), display: false)
            #expect(strange.document.userActivity == nil)
            // Moved out, and in again.
            (letter as? NSDocument)?.fileURL = URL(filePath: "/elsewhere/letter.txt")
            #expect(letter.userActivity == nil)
            #expect(activity.isInvalidated)
            (letter as? NSDocument)?.fileURL = folder.url.appending(path: "renamed.txt")
            #expect(letter.userActivity?.title == "renamed")
            letter.close()
        }
    }

    @Test func documentElsewhereHasNone() async throws {
        let letter = try await controller.openDocument(withContentsOf: folder.file("letter.txt"), display: false)
        #expect(letter.document.userActivity == nil)
        #expect(!DocumentController(documentTypes: []).isShared(folder.url))
    }
}

extension ActivityCenter {
    /// As `run`, where the code waits.
    @MainActor fileprivate func runAsync(_ body: @MainActor () async throws -> Void) async rethrows {
        try await Self.$simulated.withValue(self, operation: body)
    }
}
