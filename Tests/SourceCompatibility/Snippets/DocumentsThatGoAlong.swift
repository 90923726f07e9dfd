// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp

func documentsFolder() -> URL? {
    FileManager.default.url(forUbiquityContainerIdentifier: nil)?.appending(path: "Documents")
}

final class Notebook: UIDocument {
    var text = ""

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        text = String(decoding: contents as? Data ?? Data(), as: UTF8.self)
    }

    override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }
    override func disableEditing() { print("wait") }
    override func enableEditing() { print("go on") }
}

@MainActor
func watch(_ notebook: Notebook) -> any NSObjectProtocol {
    NotificationCenter.default.addObserver(
        forName: UIDocument.stateChangedNotification, object: notebook, queue: .main
    ) { _ in
        MainActor.assumeIsolated {
            if notebook.documentState.contains(.inConflict) { print("changed on two devices") }
        }
    }
}

func read(_ url: URL) throws -> String {
    let isScoped = url.startAccessingSecurityScopedResource()
    defer { if isScoped { url.stopAccessingSecurityScopedResource() } }
    var error: NSError?
    var text: String?
    NSFileCoordinator().coordinate(readingItemAt: url, options: [], error: &error) { url in
        text = try? String(contentsOf: url, encoding: .utf8)
    }
    if let error { throw error }
    return text ?? ""
}

final class Reader: NSObject, NSFilePresenter {
    let presentedItemURL: URL?
    let presentedItemOperationQueue = OperationQueue.main
    var save: () throws -> Void = {}
    var show: () -> Void = {}

    init(_ url: URL) {
        presentedItemURL = url
        super.init()
        NSFileCoordinator.addFilePresenter(self)
    }

    deinit { NSFileCoordinator.removeFilePresenter(self) }

    func savePresentedItemChanges(completionHandler: @escaping ((any Error)?) -> Void) {
        do {
            try save()
            completionHandler(nil)
        } catch {
            completionHandler(error)
        }
    }

    func presentedItemDidChange() { show() }
}

func merge(_ url: URL) throws {
    for version in NSFileVersion.unresolvedConflictVersionsOfItem(at: url) ?? [] {
        let device = version.localizedNameOfSavingComputer ?? "another device"
        let other = try String(contentsOf: version.url, encoding: .utf8)
        try (read(url) + "\n\nFrom \(device):\n" + other).write(to: url, atomically: true, encoding: .utf8)
        version.isResolved = true
    }
    try NSFileVersion.removeOtherVersionsOfItem(at: url)
}
