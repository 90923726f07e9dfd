// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// Treats everything in its folder as shared.
private final class SharingController: NSDocumentController {
    var shared = "/nowhere/"
    var errors: [any Error] = []
    override func isShared(_ url: URL) -> Bool { url.path.hasPrefix(shared) }
    override func presentError(_ error: any Error) { errors.append(error) }
}

@Suite @MainActor struct DocumentControllerTests {
    private let folder: Folder
    private let controller = SharingController(documentTypes: [
        HandoffDocumentType(name: "Letter", extensions: ["txt"], userActivityType: "com.example.reader.letter"),
        HandoffDocumentType(name: "Note", extensions: ["NOTE"]),
        HandoffDocumentType(name: "Strange", extensions: ["strange"], userActivityType: "not a type"),
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

    /// Shows O05.
    @Test func documentIsMadeOfTheClassThatItsTypeNames() async throws {
        let url = try folder.file("letter.txt")
        let named = NSDocumentController(documentTypes: [
            HandoffDocumentType(
                name: "Letter", extensions: ["txt"], documentClassName: NSStringFromClass(TemplateDocument.self)),
            HandoffDocumentType(name: "Open", extensions: ["open"], documentClassName: NSStringFromClass(Letter.self)),
            HandoffDocumentType(name: "None", extensions: ["none"], documentClassName: NSStringFromClass(NSNull.self)),
            HandoffDocumentType(name: "Gone", extensions: ["gone"], documentClassName: "HandoffTests.NoSuchDocument"),
        ])
        let document = try await named.openDocument(withContentsOf: url, display: false).document
        #expect((document as? TemplateDocument)?.text == "Dear Anna")
        // Neither final nor of our protocols.
        let open = try await named.openDocument(withContentsOf: try folder.file("a.open"), display: false).document
        #expect(open is Letter)
        // A class that is not a document, and a missing class.
        for name in ["a.none", "a.gone"] {
            let error = await #expect(throws: CocoaError.self) {
                try await named.openDocument(withContentsOf: try folder.file(name), display: false)
            }
            #expect(error?.code == .featureUnsupported)
            #expect(error?.localizedDescription.contains("is not a class of this program that inherits") == true)
        }
        // Registrations in code take precedence.
        named.register(forType: "Letter") { _ in Letter() }
        #expect(try named.makeDocument(withContentsOf: url, ofType: "Letter") is Letter)
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

    @Test func unopenableDocumentIsAnError() async throws {
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
        let fixture = try await AppFixture()
        fixture.application.documentController = controller
        let window = UIWindow()
        controller.register(forType: "Letter") { _ in
            let letter = Letter()
            letter.windowToMake = window
            return letter
        }
        let url = try folder.file("letter.txt")
        fixture.laptop.center.run {
            controller.openDocument(withContentsOf: url, display: true) { _, _, _ in }
        }
        #expect(fixture.application.mainWindow === window)
        #expect(controller.currentDocument === controller.documents.first)
        #expect(window.windowController?.document === controller.documents.first)
    }

    private final class Display: HandoffContinuationDisplay {
        var failures: [any Error] = []
        func show(_ progress: HandoffContinuationProgress, in scene: UIScene?) {}
        func hide(_ progress: HandoffContinuationProgress) {}
        func showFailure(_ error: any Error, ofActivityType activityType: String, in scene: UIScene?) {
            failures.append(error)
        }
    }

    @Test func errorsAreShownWhereThoseOfContinuationsAre() async throws {
        let fixture = try await AppFixture()
        let display = Display()
        fixture.application.continuationDisplay = display
        fixture.laptop.center.run { NSDocumentController(documentTypes: []).presentError(CocoaError(.fileReadUnknown)) }
        #expect((display.failures as? [CocoaError])?.map(\.code) == [.fileReadUnknown])
    }

    // MARK: Continuing

    /// An activity that another device's user accepted. Returns the answer to the daemon. `delivered`: the documents
    /// that came with it; nil: the document that it names.
    private func arrival(
        on fixture: AppFixture, of url: URL?, type name: String = "com.example.reader.letter", delivered: [URL]? = nil
    ) async throws -> LocalMessage {
        fixture.application.documentController = controller
        fixture.application.delegate = reader
        let type = try ActivityType(name)
        let continuation = ContinuationID(uncheckedBytes: Array(repeating: 1, count: 16))
        _ = try await fixture.daemon.request(
            .continuation(.willContinue(continuation, type: type, originName: DisplayText(cleaning: "laptop"))))
        let entries = url.map { [Value.string(NSUserActivityDocumentURLKey): Value.url($0.absoluteString)] } ?? [:]
        let state = ActivityState(type: type, title: "Line 3", userInfo: try Value.dictionary(entries).encoded())
        let documents = try (delivered ?? [url].compactMap(\.self)).filter(\.isFileURL).map {
            DeliveredDocument(url: $0.absoluteString, fate: .created, path: try AbsolutePath($0.path))
        }
        return try await fixture.daemon.request(
            .continuation(.continueActivity(continuation, state, documents: documents)))
    }

    /// Another device must not choose a local file.
    @Test func aFileThatWasNotDeliveredWithTheActivityIsNotOpened() async throws {
        let fixture = try await AppFixture()
        reader.goesOn = false
        let secret = try folder.file("secret.txt")
        let other = try folder.file("other.txt")
        #expect(try await arrival(on: fixture, of: secret, delivered: []) == .done(accepted: false))
        #expect(try await arrival(on: fixture, of: secret, delivered: [other]) == .done(accepted: false))
        // Nor a file that arrived with an earlier activity.
        #expect(try await arrival(on: fixture, of: nil, delivered: [secret]) == .done(accepted: false))
        #expect(try await arrival(on: fixture, of: secret, delivered: []) == .done(accepted: false))
        #expect(controller.documents.isEmpty)
    }

    // Shows H08, O05.
    @Test func documentOpensIfTheDelegateDoesNotContinue() async throws {
        let fixture = try await AppFixture()
        reader.goesOn = false
        let url = try folder.file("letter.txt")
        #expect(try await arrival(on: fixture, of: url) == .done(accepted: true))
        let letter = try #require(controller.documents.first as? Letter)
        // Opened first, then restored.
        #expect(letter.restored == ["Dear Anna Line 3"])
        #expect(letter.fileURL == url)
        #expect(reader.calls.waiting.count == 2)
    }

    private final class Silent: HandoffApplicationDelegate {}

    // Shows H08.
    @Test func documentOpensWithoutAContinueHook() async throws {
        let fixture = try await AppFixture()
        let silent = Silent()
        let url = try folder.file("letter.txt")
        fixture.application.documentController = controller
        fixture.application.delegate = silent
        let type = try ActivityType("com.example.reader.letter")
        let continuation = ContinuationID(uncheckedBytes: Array(repeating: 1, count: 16))
        _ = try await fixture.daemon.request(
            .continuation(.willContinue(continuation, type: type, originName: DisplayText(cleaning: "laptop"))))
        let entries = [Value.string(NSUserActivityDocumentURLKey): Value.url(url.absoluteString)]
        let state = ActivityState(type: type, userInfo: try Value.dictionary(entries).encoded())
        let document = DeliveredDocument(
            url: url.absoluteString, fate: .created, path: try AbsolutePath(url.path))
        #expect(
            try await fixture.daemon.request(
                .continuation(.continueActivity(continuation, state, documents: [document])))
                == .done(accepted: true))
        #expect(controller.documents.count == 1)
    }

    @Test func continuingDelegatePreventsOpeningTheDocument() async throws {
        let fixture = try await AppFixture()
        #expect(try await arrival(on: fixture, of: try folder.file("letter.txt")) == .done(accepted: true))
        #expect(controller.documents.isEmpty)
    }

    @Test func activityOfNoDocumentIsNotTaken() async throws {
        let fixture = try await AppFixture()
        reader.goesOn = false
        #expect(try await arrival(on: fixture, of: nil) == .done(accepted: false))
    }

    @Test(arguments: ["https://example.com/letter.txt", "file://elsewhere/tmp/letter.txt", "file:///etc/passwd"])
    func addressThatIsNotThisAppsDocumentIsDeclined(address: String) async throws {
        let fixture = try await AppFixture()
        reader.goesOn = false
        #expect(try await arrival(on: fixture, of: URL(string: address)) == .done(accepted: false))
        #expect(controller.documents.isEmpty)
        #expect(controller.errors.isEmpty)
    }

    // Shows H08.
    @Test func missingDocumentIsShownAsAnError() async throws {
        let fixture = try await AppFixture()
        reader.goesOn = false
        #expect(try await arrival(on: fixture, of: folder.url.appending(path: "gone.txt")) == .done(accepted: true))
        #expect((controller.errors.first as? CocoaError)?.code == .fileReadNoSuchFile)
        // After continue there is no didFail.
        #expect(reader.calls.waiting.count == 2)
    }

    // MARK: Automatic activities of documents

    // Shows K04.
    @Test func documentAmongSharedFilesHasAnActivityOfItsTypesOwn() async throws {
        let fixture = try await AppFixture()
        fixture.application.documentController = controller
        controller.shared = folder.url.path
        let url = try folder.file("letter.txt")
        try await fixture.laptop.center.runAsync {
            let letter = try await controller.openDocument(withContentsOf: url, display: false).document
            let activity = try #require(letter.userActivity)
            #expect(activity.activityType == "com.example.reader.letter")
            #expect(activity.title == "letter")
            #expect(activity.needsSave)
            let note = try await controller.openDocument(withContentsOf: folder.file("a.note"), display: false).document
            #expect(note.userActivity == nil)
            let strange = try await controller.openDocument(withContentsOf: folder.file("a.strange"), display: false)
            #expect(strange.document.userActivity == nil)
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
        #expect(!NSDocumentController(documentTypes: []).isShared(folder.url))
    }
}

extension ActivityCenter {
    /// `run` for asynchronous code.
    @MainActor fileprivate func runAsync(_ body: @MainActor () async throws -> Void) async rethrows {
        try await Self.$simulated.withValue(self, operation: body)
    }
}

/// As in Xcode's template, but for `final` and `HandoffInstantiable`.
class TemplateDocument: NSDocument {
    var text = ""

    override init() {
        super.init()
    }

    override func read(from data: Data, ofType typeName: String) throws {
        text = String(decoding: data, as: UTF8.self)
    }
}
