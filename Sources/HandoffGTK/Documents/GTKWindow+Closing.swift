// SPDX-License-Identifier: Apache-2.0

#if canImport(CGTK)
internal import CGTK
internal import Foundation
public import HandoffApp

extension GTKWindow {
    /// For the document's last window. True if it may close now.
    ///
    /// Saves a document that saves without asking (`autosavesInPlace`; every `UIDocument`); on failure the window stays
    /// open and shows the error. Asks the user about others, and without a location.
    func documentMayClose() -> Bool {
        guard !mayCloseUnsaved, let document = windowController?.document, document.windowControllers.count == 1 else {
            return true
        }
        switch document {
        case let document as NSDocument: return mayClose(document)
        case let document as UIDocument: return mayClose(document)
        default: return true
        }
    }

    private func mayClose(_ document: NSDocument) -> Bool {
        switch ClosingStep(for: document) {
        case .close: return true
        case .saveFirst: return saved(document)
        case .ask:
            ask(about: document)
            return false
        }
    }

    /// The window stays open during a save in the background.
    private func mayClose(_ document: UIDocument) -> Bool {
        guard document.hasUnsavedChanges, !document.documentState.contains(.closed) else { return true }
        document.save(to: document.fileURL, for: .forOverwriting) { [weak self] isSaved in
            guard let self else { return }
            if isSaved { return close() }
            makeKeyAndOrderFront(nil)
            showMessage("“\(document.localizedName)” could not be saved.")
        }
        return false
    }

    // MARK: Saving

    /// Saves the document, at a location of the user's choice if it has none. `done` receives whether it was saved.
    /// Shows errors.
    public func save(_ document: NSDocument, done: @escaping @MainActor (Bool) -> Void = { _ in }) {
        guard document.fileURL == nil else { return done(saved(document)) }
        chooseFile(.save(name: document.displayName)) { [weak self] url in
            guard let self, let url else { return done(false) }
            done(saved(document, to: url))
        }
    }

    private func saved(_ document: NSDocument, to place: URL? = nil) -> Bool {
        guard let url = place ?? document.fileURL else { return false }
        do {
            try document.save(to: url, ofType: Self.kind(of: document, at: url))
            return true
        } catch {
            makeKeyAndOrderFront(nil)
            showMessage("“\(document.displayName)” could not be saved: \(error.localizedDescription)")
            return false
        }
    }

    private static func kind(of document: NSDocument, at url: URL) -> String {
        document.fileType ?? (try? UIApplication.shared.documentController.typeForContents(of: url)) ?? ""
    }

    // MARK: Asking the user

    private func ask(about document: NSDocument) {
        guard !isAsking else { return }
        isAsking = true
        let question = Question(
            "Save changes to “\(document.displayName)”?", detail: "Unsaved changes are lost when the window closes.",
            answers: [("Cancel", .plain), ("Close without Saving", .destructive), ("Save", .suggested)])
        question.ask(over: window) { [weak self] answer in
            guard let self else { return }
            isAsking = false
            switch answer {
            case 1:
                mayCloseUnsaved = true
                document.updateChangeCount(.changeCleared)
                close()
            case 2: save(document) { [weak self] isSaved in if isSaved { self?.close() } }
            default: break
            }
        }
    }
}
#endif
