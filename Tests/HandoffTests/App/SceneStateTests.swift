// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows S06.
@Suite @MainActor struct SceneStateTests {
    let desktop: Laptop
    let app = SceneApp()

    init() throws {
        desktop = try Laptop(bundle: "com.example.reader")
        app.restorable = { [desktop] number in
            let activity = desktop.activity(title: "Chapter \(number)")
            activity.userInfo = ["page": 40 + number, "secret": "the user's own"]
            return activity
        }
    }

    /// Runs the app until the result is released.
    private func run(_ app: SceneApp, multiple: Bool = true) -> UIApplication {
        let application = UIApplication(center: desktop.center)
        application.supportsMultipleScenes = multiple
        application.delegate = app
        application.finishLaunching()
        return application
    }

    private var folder: String { desktop.locations.scenes + "/com.example.reader" }
    private var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".scene") }
            .sorted()
    }

    private func openAnother(_ application: UIApplication) {
        application.requestSceneSessionActivation(nil, userActivity: nil, options: nil) { Issue.record("\($0)") }
    }

    // MARK: Saving and restoring

    /// Shows S04, S06.
    @Test func stateIsGivenBackToTheNextRun() throws {
        let first = run(app)
        first.scenes.saveAll()
        #expect(app.calls == ["1 connect -", "1 active", "1 update"])
        let identifier = try #require(first.openSessions.first?.persistentIdentifier)

        let next = SceneApp()
        var session: UISceneSession?
        next.connected = { session = $0.session }
        let second = run(next)
        #expect(next.calls == ["1 connect -", "1 restore Chapter 1", "1 active"])
        #expect(session?.persistentIdentifier == identifier)
        let restored = try #require(session?.stateRestorationActivity)
        #expect(restored.activityType == "com.example.reader.reading")
        #expect(restored.userInfo?["page"] as? Int == 41)
        // Added by the scene at the last moment.
        #expect(restored.userInfo?["version"] as? Int == 2)
        #expect(second.openSessions.count == 1)
    }

    @Test func sceneIsSavedWhenItsUserLeavesIt() throws {
        let application = run(app)
        let scene = try #require(application.connectedScenes.first)
        scene.resignedActive()
        application.sceneArchive?.flush()
        #expect(files == ["\(scene.session.persistentIdentifier).scene"])
        #expect(app.calls.suffix(2) == ["1 resign", "1 update"])
    }

    @Test func severalScenesAreRestoredInTheirOrder() {
        let first = run(app)
        openAnother(first)
        first.scenes.saveAll()
        let next = SceneApp()
        _ = run(next)
        #expect(next.calls.filter { $0.contains("restore") } == ["1 restore Chapter 1", "2 restore Chapter 2"])
        // An app that now has one scene restores the most recently used, and keeps the other.
        let single = SceneApp()
        let third = run(single, multiple: false)
        #expect(single.calls.filter { $0.contains("restore") } == ["1 restore Chapter 2"])
        #expect(third.openSessions.count == 2)
        #expect(files.count == 2)
    }

    @Test func closedSceneIsForgotten() throws {
        let application = run(app)
        application.scenes.saveAll()
        #expect(files.count == 1)
        try #require(application.connectedScenes.first).closed()
        application.sceneArchive?.flush()
        #expect(files.isEmpty)
        #expect(app.discarded.count == 1)
    }

    @Test func sceneWithNothingToKeepLeavesNothing() {
        app.restorable = { _ in nil }
        let application = run(app)
        application.scenes.saveAll()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func sessionKeepsUserInfoSetByTheApp() throws {
        app.restorable = { _ in nil }
        let application = run(app)
        let session = try #require(application.openSessions.first)
        session.userInfo = ["scroll": 0.5]
        application.sceneArchive?.flush()
        let next = SceneApp()
        let second = run(next)
        #expect(second.openSessions.first?.userInfo?["scroll"] as? Double == 0.5)
        #expect(second.openSessions.first?.stateRestorationActivity == nil)
    }

    @Test func unarchivableUserInfoIsLoggedAndNotWritten() async throws {
        app.restorable = { _ in nil }
        let application = run(app)
        try #require(application.openSessions.first).userInfo = ["view": NSObject()]
        application.sceneArchive?.flush()
        #expect(try await desktop.log.next().contains("cannot be saved"))
        #expect(files.isEmpty)
    }

    // Shows S04.
    @Test func willSaveRunsBeforeTheStateIsKept() async throws {
        let activity = desktop.activity(title: "late")
        let editor = Editor { $0.userInfo = ["page": 99] }
        activity.delegate = editor
        activity.needsSave = true
        let events = activity.events
        app.restorable = { _ in activity }
        let application = run(app)
        application.scenes.saveAll()
        #expect(try await editor.saves.next() == "background")
        #expect(!activity.needsSave)
        let second = run(SceneApp())
        #expect(second.openSessions.first?.stateRestorationActivity?.userInfo?["page"] as? Int == 99)
        activity.invalidate()
        var heard: [NSUserActivity.Event] = []
        for await event in events { heard.append(event) }
        #expect(heard == [.willSave])
    }

    @Test func willSaveThatBlocksDoesNotHoldTheEndOfTheApp() async throws {
        let activity = desktop.activity(title: "blocked")
        let never = DispatchSemaphore(value: 0)
        defer { never.signal() }
        let editor = Editor { _ in never.wait() }
        activity.delegate = editor
        activity.userInfo = ["page": 7]
        activity.needsSave = true
        app.restorable = { _ in activity }
        let application = run(app)
        application.scenes.willSaveAtTheEnd = .milliseconds(20)
        application.scenes.saveAll()
        #expect(try await desktop.log.next().contains("not saved in time"))
        let second = run(SceneApp())
        #expect(second.openSessions.first?.stateRestorationActivity?.userInfo?["page"] as? Int == 7)
    }

    // MARK: On disk

    @Test func stateIsEncryptedAndForThisUserAlone() throws {
        let application = run(app)
        application.scenes.saveAll()
        let path = folder + "/" + (try #require(files.first))
        let bytes = try Data(contentsOf: URL(filePath: path))
        #expect(bytes.range(of: Data("the user's own".utf8)) == nil)
        #expect(bytes.range(of: Data("com.example.reader.reading".utf8)) == nil)
        for (path, mode) in [(path, 0o600), (folder + "/key", 0o600), (folder, 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
        // No temporary files are left.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }

    enum Damage: CaseIterable {
        case truncated, empty, oneBit, foreignKey, ofAnotherScene, tooOld, tooNew, notOurs, tooLarge, readByOthers
    }

    /// An unreadable file is an error with its name, affects no other scene, and stays unchanged.
    @Test(arguments: Damage.allCases)
    func damagedFileIsReportedAndLeftUnchanged(_ damage: Damage) async throws {
        let first = run(app)
        openAnother(first)
        first.scenes.saveAll()
        let names = files
        let path = folder + "/" + names[0]
        let original = try Data(contentsOf: URL(filePath: path))
        var bytes = original
        var expected = "it is damaged"
        switch damage {
        case .truncated: bytes.removeLast(20)
        case .empty: (bytes, expected) = (Data(), "it is not the state of a scene")
        case .oneBit: bytes[bytes.count / 2] ^= 1
        case .foreignKey:
            let seal = SceneSeal(key: SceneSeal.newKey(), owner: "com.example.reader")
            let record = SceneRecord(identifier: String(names[0].dropLast(6)), role: "r", lastUsed: 0, userInfo: [])
            bytes = Data(try seal.seal(record))
        case .ofAnotherScene: bytes = try Data(contentsOf: URL(filePath: folder + "/" + names[1]))
        case .tooOld: (bytes[4], expected) = (0, "version 0, which is too old")
        case .tooNew: (bytes[4], expected) = (2, "version 2, which a newer version of the app wrote")
        case .notOurs: (bytes, expected) = (Data("<?xml version".utf8), "it is not the state of a scene")
        case .tooLarge: (bytes, expected) = (Data(count: SceneArchive.maximumBytes + 1), "more than")
        case .readByOthers: expected = "other users can read"
        }
        try bytes.write(to: URL(filePath: path))
        try FileManager.default.setAttributes(
            [.posixPermissions: damage == .readByOthers ? 0o644 : 0o600], ofItemAtPath: path)

        let next = SceneApp()
        let second = run(next)
        let line = try await desktop.log.next()
        #expect(line.contains(names[0]))
        #expect(line.contains(expected), "\(line)")
        #expect(next.calls.filter { $0.contains("restore") }.count == 1)
        next.restorable = app.restorable
        second.scenes.saveAll()
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        #expect(files.count == 2)
    }

    @Test func damagedKeyLosesNothing() async throws {
        run(app).scenes.saveAll()
        let key = URL(filePath: folder + "/key")
        let original = try Data(contentsOf: key)
        let names = files
        try Data([1, 2, 3]).write(to: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
        let next = SceneApp()
        next.restorable = app.restorable
        run(next).scenes.saveAll()
        #expect(try await desktop.log.next().contains("the key"))
        #expect(try await desktop.log.next().contains("cannot be saved"))
        #expect(files == names)
        // After the key is restored, all scenes are there again.
        try original.write(to: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
        let third = SceneApp()
        _ = run(third)
        #expect(third.calls.contains("1 restore Chapter 1"))
    }

    @Test func missingKeyIsReported() async throws {
        run(app).scenes.saveAll()
        try FileManager.default.removeItem(atPath: folder + "/key")
        _ = run(SceneApp())
        #expect(try await desktop.log.next().contains("its key is missing"))
        #expect(files.count == 1)
    }

    @Test func folderThatCannotBeCreatedIsReported() async throws {
        try FileManager.default.createDirectory(atPath: desktop.locations.state, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: desktop.locations.scenes))
        run(app).scenes.saveAll()
        #expect(try await desktop.log.next().contains("cannot be restored"))
        #expect(try await desktop.log.next().contains("cannot be saved"))
    }

    // MARK: The file's bytes

    @Test func recordIsReadAsItWasWritten() throws {
        let seal = SceneSeal(key: SceneSeal.newKey(), owner: "com.example.reader")
        let record = SceneRecord(
            identifier: "A", role: "role", configuration: "Default", lastUsed: 12.5,
            activity: ActivityState(type: try ActivityType("com.example.a"), title: "t"), userInfo: [1, 2])
        #expect(try seal.open(seal.seal(record), of: "A") == record)
        #expect(try seal.seal(record) != seal.seal(record))
        let another = SceneSeal(key: SceneSeal.newKey(), owner: "com.example.reader")
        #expect(throws: SceneStateError(kind: .notOurs)) { try another.open(seal.seal(record), of: "A") }
    }

    /// Sealed by swift-crypto, as in earlier builds.
    @Test func stateOfAnEarlierBuildIsRead() throws {
        let file = """
            4853434e0173a09ad86219bd390f4bead3255924529ce50d7c74b6394418572fc3179e86b8930f4f35626125be1d4f079ce2e211\
            a44fc5a972ba4aab7f794517d0789b2f4ae8aa07927f5bd555d88e69c04cb5edd3a425f7d8414a49d46a853d496d61adb4fc5c24\
            8d199e5577d1d1137562a98e355d8cecb4706941727a07a4be
            """
        let digits = Array(file.utf8)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        let seal = SceneSeal(key: (0..<32).map { UInt8($0) }, owner: "com.example.reader")
        let record = SceneRecord(
            identifier: "ABC", role: "window", configuration: "Main", lastUsed: 800_000_000,
            userInfo: Array("kept".utf8))
        #expect(try seal.open(bytes, of: "ABC") == record)
    }

    @Test(arguments: 0..<200)
    func anyBytesAreRefused(_ seed: Int) {
        var bytes = (0..<(seed % 80)).map { _ in UInt8.random(in: 0...255) }
        if seed % 2 == 0 { bytes = Array("HSCN\u{1}".utf8) + bytes }
        let seal = SceneSeal(key: SceneSeal.newKey(), owner: "com.example.reader")
        #expect(throws: SceneStateError.self, "\(bytes)") { try seal.open(bytes, of: "A") }
    }
}
