// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows A35.
@Suite @MainActor struct SceneStateDeletingTests {
    let desktop: Laptop
    let app = SceneApp()

    init() throws {
        // Without a daemon, which is not involved in files on disk.
        desktop = try Laptop(startingDaemon: false, bundle: "com.example.reader")
        app.restorable = { [desktop] number in
            let activity = desktop.activity(title: "Chapter \(number)")
            activity.persistentIdentifier = "chapter-\(number)"
            return activity
        }
    }

    private func run(_ app: SceneApp) -> UIApplication {
        let application = UIApplication(center: desktop.center)
        application.supportsMultipleScenes = true
        application.delegate = app
        application.finishLaunching()
        return application
    }

    private func runWithTwo() -> UIApplication {
        let application = run(app)
        application.requestSceneSessionActivation(nil, userActivity: nil, options: nil) { Issue.record("\($0)") }
        application.scenes.saveAll()
        return application
    }

    private func delete(_ identifiers: [String]?) async {
        await ActivityCenter.$simulated.withValue(desktop.center) {
            if let identifiers {
                await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: identifiers)
            } else {
                await NSUserActivity.deleteAllSavedUserActivities()
            }
        }
    }

    private var folder: String { desktop.locations.scenes + "/com.example.reader" }
    private var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".scene") }
            .sorted()
    }

    @Test func namedStateIsDeletedBeforeTheHandlerIsCalled() async throws {
        let application = runWithTwo()
        #expect(files.count == 2)
        await delete(["chapter-1", "chapter-7"])
        #expect(files.count == 1)
        let left = application.openSessions.compactMap { $0.stateRestorationActivity?.persistentIdentifier }
        #expect(left == ["chapter-2"])
        #expect(application.connectedScenes.count == 2, "its window stays")
        let next = SceneApp()
        _ = run(next)
        #expect(next.calls.filter { $0.contains("restore") } == ["1 restore Chapter 2"])
    }

    // Shows A36.
    @Test func allAreGoneAlsoThoseWithoutAnIdentifier() async throws {
        app.restorable = { [desktop] in desktop.activity(title: "Chapter \($0)") }
        let application = runWithTwo()
        await delete(["", "chapter-1"])
        #expect(files.count == 2)
        await delete(nil)
        #expect(files.isEmpty)
        #expect(application.openSessions.allSatisfy { $0.stateRestorationActivity == nil })
    }

    @Test func deletingKeepsOtherUserInfoOfTheScene() async throws {
        let application = run(app)
        application.scenes.saveAll()
        try #require(application.openSessions.first).userInfo = ["scroll": 0.5]
        await delete(nil)
        #expect(files.count == 1)
        let next = SceneApp()
        let second = run(next)
        #expect(second.openSessions.first?.userInfo?["scroll"] as? Double == 0.5)
        #expect(second.openSessions.first?.stateRestorationActivity == nil)
        #expect(!next.calls.contains { $0.contains("restore") })
    }

    @Test func windowThatStillShowsItKeepsItWhenItIsLeft() async throws {
        let application = run(app)
        await delete(nil)
        #expect(files.isEmpty)
        application.scenes.saveAll()
        #expect(files.count == 1)
    }

    /// The app deletes before its windows or any part of `HandoffApp` exist.
    @Test func deletionBeforeTheAppExistsAppliesToItsScenes() async throws {
        runWithTwo().sceneArchive?.flush()
        let fresh = ActivityCenter(desktop.center.environment)
        await ActivityCenter.$simulated.withValue(fresh) {
            await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["chapter-1"])
        }
        #expect(files.count == 2, "nobody is there to whom the files belong")
        let next = SceneApp()
        let application = UIApplication(center: fresh)
        application.delegate = next
        application.finishLaunching()
        #expect(next.calls.filter { $0.contains("restore") } == ["1 restore Chapter 2"])
        #expect(files.count == 1)
    }

    @Test func sceneOfAnEarlierRunThatIsNotGivenBackIsReachedToo() async throws {
        runWithTwo().sceneArchive?.flush()
        // The app has no scenes in this run.
        let application = UIApplication(center: desktop.center)
        await delete(["chapter-1"])
        #expect(files.count == 1)
        await delete(nil)
        #expect(files.isEmpty)
        #expect(application.openSessions.isEmpty)
    }

    @Test func unreadableFileIsReportedAndDeletedOnlyWithAll() async throws {
        let application = runWithTwo()
        let path = folder + "/" + files[0]
        try Data("HSCN\u{2}newer".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        _ = application
        await delete(["chapter-7"])
        var line = ""
        while !line.contains("a saved activity could not be deleted") { line = try await desktop.log.next() }
        #expect(line.contains(path))
        #expect(files.count == 2)
        await delete(nil)
        #expect(files.isEmpty)
    }

    @Test func withoutTheKeyOnlyDeletingAllSucceeds() async throws {
        runWithTwo().sceneArchive?.flush()
        let application = UIApplication(center: desktop.center)
        try Data([1, 2, 3]).write(to: URL(filePath: folder + "/key"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/key")
        await delete(["chapter-1"])
        var line = ""
        while !line.contains("could not be deleted") { line = try await desktop.log.next() }
        #expect(files.count == 2)
        await delete(nil)
        #expect(files.isEmpty)
        #expect(application.openSessions.isEmpty)
    }

    @Test func deletingWithoutSceneFilesCreatesNone() async {
        let application = UIApplication(center: desktop.center)
        await delete(nil)
        await delete(["chapter-1"])
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(application.openSessions.isEmpty)
    }
}
