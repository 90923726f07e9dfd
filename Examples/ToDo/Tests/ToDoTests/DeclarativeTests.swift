// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp
import HandoffTestKit
import Testing

@testable import ToDo

/// The interface with declarative hooks, on a laptop and a desktop in this process.
@Suite @MainActor struct DeclarativeTests {
    let account = HandoffSimulatedAccount()
    let toDo: HandoffSimulatedApp<DeclarativeToDo>

    private static let infoPlist = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Bundle/Info.plist")

    init() throws {
        toDo = try HandoffSimulatedApp(infoPlist: Self.infoPlist) { DeclarativeToDo() }
    }

    private func pair() async throws -> (laptop: HandoffSimulatedDevice, desktop: HandoffSimulatedDevice) {
        try await account.laptopAndDesktop(with: toDo)
    }

    // Shows U01.
    @Test func visibleItemIsOfferedByItsTitle() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(toDo)
        #expect(try await desktop.activities().map(\.title) == ["To-do list"])
        here.run { app in
            app.face?.add("Milk")
            app.face?.open(1)
        }
        #expect(try await desktop.activities().map(\.title) == ["Milk"])
        here.run { $0.face?.write("Oat milk") }
        #expect(try await desktop.activities().map(\.title) == ["Oat milk"])
        here.run { $0.face?.open(nil) }
        #expect(try await desktop.activities().map(\.title) == ["To-do list"])
    }

    // Shows U02.
    @Test func anItemContinuesWithItsLatestTextAndReturns() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(toDo)
        here.run { app in
            app.face?.add("Milk")
            app.face?.open(1)
            app.face?.write("Oat milk")
        }
        let there = try await desktop.continueActivity(in: toDo)
        #expect(there.main.face?.list.openItem?.text == "Oat milk")
        #expect(there.main.face?.list.items.count == 1)
        there.run { $0.face?.tick() }
        // Continued on the first device again, in the process and the window that still exist.
        let face = here.main.face
        #expect(try await laptop.continueActivity(in: toDo) === here)
        #expect(here.main.face === face)
        #expect(here.main.face?.list.items.map(\.isDone) == [true])
    }

    // Shows U01.
    @Test func closedWindowOffersNothingAndReopensForAnActivity() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(toDo)
        let there = try await desktop.open(toDo)
        here.run { $0.face?.add("Milk") }
        here.run { $0.face?.open(1) }
        there.run { $0.face?.screen.window.close() }
        #expect(there.main.face == nil)
        #expect(try await laptop.activities().isEmpty)
        #expect(try await desktop.continueActivity(in: toDo) === there)
        #expect(there.main.face?.list.openItem?.text == "Milk")
        #expect(try await laptop.activities().map(\.title) == ["Milk"])
    }

    @Test func bothFacesContinueEachOther() async throws {
        let laptop = try await account.addDevice(named: "laptop")
        let desktop = try await account.addDevice(named: "desktop")
        let first = try HandoffSimulatedApp(infoPlist: Self.infoPlist) {
            let app = ToDoApp()
            app.turn()
            return app
        }
        try await laptop.install(first)
        try await desktop.install(toDo)
        let here = try await laptop.open(first)
        here.run { app in
            app.add("Milk")
            app.open(1)
        }
        let there = try await desktop.continueActivity(in: toDo)
        #expect(there.main.face?.list.openItem?.text == "Milk")
        there.run { $0.face?.write("Oat milk") }
        #expect(try await laptop.continueActivity(in: first) === here)
        #expect(here.main.list.openItem?.text == "Oat milk")
    }

    @Test func invalidActivityChangesNothing() async throws {
        let (laptop, desktop) = try await pair()
        let stranger = try HandoffSimulatedApp(infoPlist: Self.infoPlist) {
            let activity = NSUserActivity(activityType: ToDoApp.editing)
            activity.title = "Of another version"
            activity.userInfo = ["version": 2]
            activity.becomeCurrent()
            return Keeper(activity)
        }
        try await laptop.install(stranger)
        _ = try await laptop.open(stranger)
        let there = try await desktop.open(toDo)
        there.run { $0.face?.add("Milk") }
        let offered = try #require(try await desktop.activities().first)
        _ = try await desktop.continueActivity(offered)
        #expect(there.main.face?.list.items.map(\.text) == ["Milk"])
        #expect(there.main.face?.list.openItem == nil)
    }

    private final class Keeper {
        let activity: NSUserActivity
        init(_ activity: NSUserActivity) { self.activity = activity }
    }
}
