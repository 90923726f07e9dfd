// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffGTK

/// The app: its documents, and the choice of the document that continues a text from another device.
@main
final class TextEditor: NSObject, GTKApplicationDelegate {
    static func main() {
        GTKApplication.shared.appearance = .adwaita
        GTKApplication.shared.run(with: TextEditor())
    }

    private var documents: NSDocumentController { UIApplication.shared.documentController }
    private var texts: [TextDocument] { documents.documents.compactMap { $0 as? TextDocument } }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // Outside its bundle the program opens the same files.
        documents.documentTypes = [HandoffDocumentType(name: TextDocument.kind, extensions: ["*"])]
        documents.register(forType: TextDocument.kind) { _ in TextDocument() }
        let app = GTKApplication.shared
        app.addAction("new", keys: ["<Control>n"]) { [weak self] in self?.newDocument() }
        app.addAction("open", keys: ["<Control>o"]) { [weak self] in self?.chooseDocument() }
        app.addAction("quit", keys: ["<Control>q"]) { app.quit() }
        return true
    }

    func applicationActivated(_ application: GTKApplication) {
        guard let front = texts.last else { return _ = newDocument() }
        front.showWindows()
    }

    /// The only one: a new text.
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        newDocument()
        completionHandler(true)
    }

    // MARK: Documents

    @discardableResult
    private func newDocument() -> TextDocument {
        let document = TextDocument()
        document.fileType = TextDocument.kind
        documents.addDocument(document)
        document.makeWindowControllers()
        document.showWindows()
        return document
    }

    private func chooseDocument() {
        (UIApplication.shared.windows.first as? GTKWindow)?.chooseFile(.open) { url in
            if let url { GTKApplication.shared.openDocuments([url]) }
        }
    }

    // MARK: Continuing from another device

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        guard let draft = try? userActivity.typedPayload(Draft.self), draft.isSensible, let text = draft.text else {
            // Too long for the state: the framework opens the file, if it was transferred.
            if userActivity.userInfo?[NSUserActivityDocumentURLKey] as? URL != nil { return false }
            documents.presentError(CocoaError(.fileReadTooLarge))
            return true
        }
        let url = (userActivity.userInfo?[NSUserActivityDocumentURLKey] as? URL).flatMap { $0.isFileURL ? $0 : nil }
        let document = document(for: draft, with: text, at: url)
        document.goOn(with: text, of: draft, at: url)
        document.showWindows()
        restorationHandler([document])
        return true
    }

    /// The document itself if it is open here, otherwise an unused one.
    private func document(for draft: Draft, with text: String, at url: URL?) -> TextDocument {
        let here = url.flatMap { documents.document(for: $0) as? TextDocument }
        if let here, here.editor.text == text { return here }
        return texts.first { $0.id == draft.document } ?? texts.first(where: \.isBlank) ?? newDocument()
    }
}
