// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// An app deletes the states that the daemon holds of its activities. Shows A35.
@Suite struct DeletingSavedTests {
    private let laptop: DeviceFixture
    private let desktop: DeviceFixture
    private let editor = DeviceFixture.app("editor")
    private let notes = DeviceFixture.app("notes")
    private let letter = DeviceFixture.activity(1)

    init() throws {
        laptop = try DeviceFixture("laptop", apps: [editor, notes])
        desktop = try DeviceFixture("desktop", number: 2, time: laptop.time, apps: [editor, notes])
        laptop.join(desktop)
    }

    private func editorWithALetter() -> TestClient {
        let app = laptop.runSaving(editor, persistentIdentifier: "letter-1")
        laptop.publish(1, by: app)
        laptop.time.advance(by: .seconds(2))
        return app
    }

    private func quit(_ app: TestClient) {
        app.close()
        laptop.settle()
    }

    private func delete(_ saved: SavedActivities, by client: TestClient) -> LocalMessage? {
        laptop.answer(client, .advertising(.deleteSaved(saved)))
    }

    @Test func deletingASavedActivityWithdrawsItsOffer() {
        quit(editorWithALetter())
        let shown = desktop.watch()
        let again = laptop.runSaving(editor)
        #expect(delete(.named(["letter-2", ""]), by: again) == .done(accepted: true))
        #expect(desktop.list().activities == [letter], "another one was meant")
        #expect(delete(.named(["letter-2", "letter-1"]), by: again) == .done(accepted: true))
        #expect(shown().last?.isEmpty == true)
        #expect(laptop.boards.savedState(of: letter) == nil)
        #expect(laptop.boards.ownOffer(letter) == nil)
    }

    /// Shows A35.
    @Test func anIdentifierInAnotherSpellingDeletesNothing() {
        let app = laptop.runSaving(editor, persistentIdentifier: "letter-\u{212A}")
        laptop.publish(1, by: app)
        laptop.time.advance(by: .seconds(2))
        quit(app)
        let again = laptop.runSaving(editor)
        #expect(delete(.named(["letter-K"]), by: again) == .done(accepted: true))
        #expect(desktop.list().activities == [letter])
        #expect(delete(.named(["letter-\u{212A}"]), by: again) == .done(accepted: true))
        #expect(desktop.list(all: true).isEmpty)
    }

    // Shows A36.
    @Test func allIsAlsoWhatHasNoIdentifier() {
        let app = laptop.runSaving(editor)
        laptop.publish(1, by: app)
        laptop.time.advance(by: .seconds(2))
        quit(app)
        let again = laptop.runSaving(editor)
        _ = delete(.named([""]), by: again)
        #expect(desktop.list().activities == [letter])
        _ = delete(.all, by: again)
        #expect(desktop.list(all: true).isEmpty)
    }

    @Test func deletingKeepsTheCurrentOfferButNoState() {
        let app = editorWithALetter()
        #expect(laptop.boards.savedState(of: letter) != nil)
        // Requested by another process of the app.
        _ = delete(.all, by: laptop.runSaving(editor))
        #expect(laptop.boards.savedState(of: letter) == nil)
        #expect(desktop.list().activities == [letter])
        quit(app)
        #expect(desktop.list(all: true).isEmpty)
    }

    @Test func stateSavedAfterDeletionIsKept() {
        let app = editorWithALetter()
        _ = delete(.all, by: app)
        app.send(.advertising(.changed(letter)))
        laptop.time.advance(by: .seconds(12))
        quit(app)
        #expect(desktop.list().activities == [letter])
    }

    @Test func otherAppsAndProgramsWithoutABundleDeleteNothingOfIt() {
        quit(editorWithALetter())
        #expect(delete(.all, by: laptop.runSaving(notes)) == .done(accepted: true))
        guard case .failure(let refusal)? = delete(.all, by: laptop.script()) else {
            Issue.record("a control client may delete what an app saved")
            return
        }
        #expect(refusal.code == .notAllowed)
        #expect(desktop.list().activities == [letter])
        #expect(laptop.boards.savedState(of: letter) != nil)
    }

    @Test func deletingWithoutSavedActivitiesSucceeds() {
        let app = laptop.run(editor)
        #expect(delete(.all, by: app) == .done(accepted: true))
        #expect(delete(.named(["letter-1"]), by: app) == .done(accepted: true))
    }
}
