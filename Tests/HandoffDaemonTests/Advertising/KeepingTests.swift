// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The offer of an app that quit, as other devices see it. Shows B09, B13.
@Suite struct KeepingTests {
    private let laptop: DeviceFixture
    private let desktop: DeviceFixture
    private let editor = DeviceFixture.app("editor")
    private let letter = DeviceFixture.activity(1)

    init() throws {
        laptop = try DeviceFixture("laptop", apps: [editor, DeviceFixture.app("notes")])
        desktop = try DeviceFixture("desktop", number: 2, time: laptop.time, apps: [editor])
        laptop.join(desktop)
    }

    /// An app that offers a letter and has saved it.
    private func editorWithALetter() -> TestClient {
        let app = laptop.runSaving(editor)
        laptop.publish(1, by: app)
        laptop.time.advance(by: .seconds(2))
        return app
    }

    private func quit(_ app: TestClient) {
        app.close()
        laptop.settle()
    }

    private func saves(_ app: TestClient) -> Int {
        app.messages.count { if case .advertising(.save) = $0 { true } else { false } }
    }

    @Test func activityOfAnAppThatQuitIsListedAsSaved() {
        let app = editorWithALetter()
        let start = laptop.time.wallTime.advanced(by: .seconds(-2))
        let shown = desktop.watch()
        quit(app)
        let offer = shown().last?.first?.offer
        #expect(offer?.activity == letter)
        #expect(
            offer?.saved.map { (.milliseconds(900) ..< .milliseconds(1100)).contains(start.duration(to: $0)) } == true)
        #expect(laptop.list(all: true).first?.offer == offer)
        guard case .saved(let state)? = laptop.boards.ownOffer(letter)?.source else {
            Issue.record("nobody has the state")
            return
        }
        #expect(state.state.title == "save 1")
    }

    /// There is no app that could open a stream, so only the state can be continued. Shows A33.
    @Test func savedActivityOfAnAppThatQuitSupportsNoStreams() {
        let app = laptop.runSaving(editor)
        laptop.publish(1, by: app, streams: true)
        laptop.time.advance(by: .seconds(2))
        #expect(desktop.list().first?.offer.supportsStreams == true)
        quit(app)
        #expect(desktop.list().first?.offer.supportsStreams == false)
        #expect(laptop.boards.savedState(of: letter)?.state.supportsStreams == false)
        // After a restart, it supports streams again.
        laptop.publish(1, by: laptop.runSaving(editor), streams: true)
        #expect(desktop.list().first?.offer.supportsStreams == true)
    }

    @Test func itIsGoneAfterItsTime() {
        let shown = desktop.watch()
        quit(editorWithALetter())
        laptop.time.advance(by: .seconds(590))
        #expect(desktop.list().count == 1)
        laptop.time.advance(by: .seconds(20))
        #expect(shown().map(\.count) == [0, 1, 1, 0])
        #expect(laptop.boards.savedState(of: letter) == nil, "and so is its state")
    }

    @Test func appThatHasNotSavedYetLeavesNothing() {
        let app = laptop.runSaving(editor)
        laptop.publish(1, by: app)
        quit(app)
        #expect(desktop.list(all: true).isEmpty)
    }

    /// Shows X11. Resigned, invalidated, deallocated, or no longer eligible: the library sends the same message.
    @Test func activityEndedByItsAppIsWithdrawnDespiteSavedState() {
        let app = editorWithALetter()
        #expect(laptop.boards.savedState(of: letter) != nil)
        _ = laptop.answer(app, .advertising(.withdraw(letter)))
        #expect(laptop.boards.savedState(of: letter) == nil)
        quit(app)
        #expect(desktop.list(all: true).isEmpty)
    }

    @Test func restartedAppMayEndItsSavedActivity() {
        quit(editorWithALetter())
        let again = laptop.runSaving(editor)
        #expect(desktop.list().count == 1, "it said nothing yet")
        _ = laptop.answer(again, .advertising(.withdraw(letter)))
        #expect(desktop.list().isEmpty)
    }

    @Test func nextActivityReplacesTheSavedOne() {
        quit(editorWithALetter())
        let shown = desktop.watch()
        laptop.publish(2, by: laptop.runSaving(editor))
        #expect(shown().map(\.activities) == [[letter], [DeviceFixture.activity(2)]])
        #expect(laptop.boards.savedState(of: letter) == nil)
    }

    @Test func anotherAppTakesNothingsPlace() {
        quit(editorWithALetter())
        laptop.publish(2, by: laptop.runSaving(DeviceFixture.app("notes")))
        #expect(desktop.list().activities == [DeviceFixture.activity(2), letter])
    }

    @Test func removingTheAppDeletesItsSavedActivity() {
        quit(editorWithALetter())
        laptop.catalog.installed = []
        _ = laptop.answer(laptop.script(), .launching(.reloadApps))
        #expect(desktop.list(all: true).isEmpty)
        laptop.catalog.installed = [editor]
        _ = laptop.answer(laptop.script(), .launching(.reloadApps))
        #expect(desktop.list(all: true).isEmpty, "and does not come back")
    }

    @Test func distrustingTheTeamDeletesItsSavedActivity() throws {
        quit(editorWithALetter())
        laptop.teams.distrust(try #require(editor.developer))
        laptop.settle()
        #expect(desktop.list(all: true).isEmpty)
        #expect(laptop.boards.savedState(of: letter) == nil)
    }

    @Test(arguments: [nil, DeviceFixture.app("editor").bundle])
    func switchingOffAdvertisingWithdrawsTheSavedActivity(app: BundleID?) {
        quit(editorWithALetter())
        let change = PolicyChange(PolicySubject(.advertising, of: app), isOff: true, until: nil)
        _ = laptop.answer(laptop.script(), .policy(.setPolicy(change)))
        #expect(desktop.list(all: true).isEmpty)
    }

    // MARK: Cost

    /// Shows V05: an idle app is asked once, and its state is not sent anywhere.
    @Test func appAtRestIsAskedOnce() {
        let before = laptop.sessions.sent.count
        let app = editorWithALetter()
        laptop.time.advance(by: .seconds(12 * 3600))
        #expect(saves(app) == 1)
        #expect(laptop.sessions.sent.count - before == 1, "the delta alone")
    }

    @Test func busyAppIsAskedOnceInTenSeconds() {
        let app = editorWithALetter()
        for _ in 0..<600 {
            app.send(.advertising(.changed(letter)))
            laptop.time.advance(by: .milliseconds(100))
        }
        #expect(saves(app) == 1 + 6)
        quit(app)
        #expect(laptop.boards.savedState(of: letter)?.state.title == "save 7")
    }

    @Test func zeroKeepLimitNeverAsksAppsToSave() throws {
        var board = BoardLimits()
        board.keep = .zero
        let tablet = try DeviceFixture("tablet", number: 3, time: laptop.time, apps: [editor], board: board)
        tablet.join(desktop)
        let app = tablet.runSaving(editor)
        tablet.publish(1, by: app)
        tablet.time.advance(by: .seconds(60))
        #expect(saves(app) == 0)
        app.close()
        tablet.settle()
        #expect(desktop.list(all: true).isEmpty)
    }

    @Test func programWithoutABundleIsNotAsked() {
        let script = laptop.script()
        laptop.publish(1, by: script)
        laptop.time.advance(by: .seconds(60))
        #expect(saves(script) == 0)
        quit(script)
        #expect(desktop.list(all: true).isEmpty)
    }

    @Test func stateOfAnotherTypeIsNotHeld() {
        let app = laptop.runSaving(editor, type: DeviceFixture.reading)
        laptop.publish(1, by: app)
        laptop.time.advance(by: .seconds(2))
        #expect(saves(app) == 1)
        quit(app)
        #expect(desktop.list(all: true).isEmpty)
    }

    // MARK: Automatic expiry

    // Shows A18.
    @Test func activityItsAppSaysNothingOfGoesAfterADay() {
        let app = editorWithALetter()
        let shown = desktop.watch()
        laptop.time.advance(by: .seconds(24 * 3600))
        #expect(shown().map(\.count) == [1, 0])
        _ = laptop.answer(laptop.script(), .launching(.reloadApps))
        #expect(desktop.list().isEmpty, "it is not heard of by that")
        app.send(.advertising(.changed(letter)))
        laptop.settle()
        #expect(desktop.list().count == 1, "its user works on it again")
    }

    // Shows A18.
    @Test func activityThatChangesStays() {
        let app = editorWithALetter()
        for _ in 0..<40 {
            laptop.time.advance(by: .seconds(3600))
            app.send(.advertising(.changed(letter)))
        }
        #expect(desktop.list().count == 1)
    }
}
