// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import Testing

@testable import Handoff
@testable import HandoffApp

/// Hooks with a completion handler, implemented in their `async` form.
@Suite @MainActor struct AsyncHookTests {
    private let application: UIApplication
    private let item = UIApplicationShortcutItem(type: "com.example.notes.new", localizedTitle: "New Note")

    init() throws {
        application = UIApplication(center: try Laptop(startingDaemon: false, bundle: "com.example.notes").center)
    }

    private func perform() async -> Bool {
        await withCheckedContinuation { done in application.perform(item) { done.resume(returning: $0) } }
    }

    @Test func applicationsDelegateWaitsForAShortcutItem() async {
        let delegate = AsyncApp()
        application.delegate = delegate
        #expect(await perform())
        #expect(delegate.calls == ["New Note begins", "New Note ends"])
    }

    @Test func delegateOfASceneWaitsForAShortcutItem() async {
        let delegate = AsyncApp()
        let scene = AsyncScene()
        delegate.scene = scene
        application.delegate = delegate
        application.finishLaunching()
        #expect(await perform())
        #expect(scene.calls == ["New Note begins", "New Note ends"])
        #expect(delegate.calls.isEmpty)
    }

    @Test func sceneWithoutEitherFormLeavesItToTheAsyncFormOfTheApplication() async {
        let delegate = AsyncApp()
        delegate.scene = SceneWithoutHooks()
        application.delegate = delegate
        application.finishLaunching()
        #expect(await perform())
        #expect(delegate.calls == ["New Note begins", "New Note ends"])
    }

    @Test func delegateWithoutEitherFormAnswersAtOnce() {
        let delegate = AppWithoutHooks()
        application.delegate = delegate
        var answer: Bool?
        application.perform(item) { answer = $0 }
        #expect(answer == false)
    }

    @Test func presenterSavesBeforeAnotherReads() async throws {
        let folder = try Folder()
        let url = try folder.file("Note.txt", "old")
        let presenter = AsyncPresenter(url)
        NSFileCoordinator.addFilePresenter(presenter)
        defer { NSFileCoordinator.removeFilePresenter(presenter) }
        let text = try await blocking {
            var text: String?
            var failure: NSError?
            NSFileCoordinator(filePresenter: nil).coordinate(readingItemAt: url, error: &failure) {
                text = try? String(contentsOf: $0, encoding: .utf8)
            }
            return try failure.map { throw $0 } ?? text
        }
        #expect(text == "saved")
    }

    @Test func presenterThatThrowsKeepsItsFile() async throws {
        let folder = try Folder()
        let url = try folder.file("Note.txt", "old")
        let presenter = AsyncPresenter(url)
        NSFileCoordinator.addFilePresenter(presenter)
        defer { NSFileCoordinator.removeFilePresenter(presenter) }
        let code = try await blocking {
            var failure: NSError?
            let coordinator = NSFileCoordinator(filePresenter: nil)
            coordinator.coordinate(writingItemAt: url, options: .forDeleting, error: &failure) {
                try? FileManager.default.removeItem(at: $0)
            }
            return failure?.code
        }
        #expect(code == CocoaError.fileWriteNoPermission.rawValue)
        #expect(FileManager.default.fileExists(atPath: url.path))
    }
}

@MainActor
private final class AsyncApp: HandoffApplicationDelegate {
    var calls: [String] = []
    var scene: (any UISceneDelegate)?

    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        calls.append("\(shortcutItem.localizedTitle) begins")
        await mainThreadCaughtUp()
        calls.append("\(shortcutItem.localizedTitle) ends")
        return true
    }

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        guard let scene else { return connectingSceneSession.configuration }
        return UISceneConfiguration { scene }
    }
}

@MainActor
private final class AsyncScene: UISceneDelegate {
    var calls: [String] = []

    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        calls.append("\(shortcutItem.localizedTitle) begins")
        await mainThreadCaughtUp()
        calls.append("\(shortcutItem.localizedTitle) ends")
        return true
    }
}

private final class SceneWithoutHooks: UISceneDelegate {}
private final class AppWithoutHooks: HandoffApplicationDelegate {}

private final class AsyncPresenter: NSObject, NSFilePresenter, Sendable {
    let presentedItemURL: URL?
    let presentedItemOperationQueue = OperationQueue()

    init(_ url: URL) { presentedItemURL = url }

    func savePresentedItemChanges() async throws {
        await Task.yield()
        try Data("saved".utf8).write(to: try #require(presentedItemURL))
    }

    func accommodatePresentedItemDeletion() async throws {
        await Task.yield()
        throw CocoaError(.fileWriteNoPermission)
    }
}
