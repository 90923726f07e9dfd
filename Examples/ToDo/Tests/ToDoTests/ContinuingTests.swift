// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp
import HandoffTestKit
import Testing

@testable import ToDo

/// A laptop and a desktop, both with the app, in this process. Shows G06.
@Suite @MainActor struct ContinuingTests {
    let account = HandoffSimulatedAccount()
    let toDo: HandoffSimulatedApp<ToDoApp>

    init() throws {
        let bundle = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Bundle")
        toDo = try HandoffSimulatedApp(infoPlist: bundle.appending(path: "Info.plist")) {
            let app = ToDoApp()
            app.turn()
            return app
        }
    }

    private func pair() async throws -> (laptop: HandoffSimulatedDevice, desktop: HandoffSimulatedDevice) {
        try await account.laptopAndDesktop(with: toDo)
    }

    @Test func visibleItemIsOfferedByItsTitle() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(toDo)
        #expect(try await desktop.activities().map(\.title) == ["To-do list"])
        here.run { app in
            app.add("Milk")
            app.open(1)
        }
        #expect(try await desktop.activities().map(\.title) == ["Milk"])
        here.run { $0.write("Oat milk") }
        #expect(try await desktop.activities().map(\.title) == ["Oat milk"])
    }

    @Test func anItemIsEditedOnWithItsLatestText() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(toDo)
        here.run { app in
            app.add("Milk")
            app.open(1)
            app.write("Oat milk")
        }
        let there = try await desktop.continueActivity(in: toDo)
        #expect(there.main.list.openItem?.text == "Oat milk")
        #expect(there.main.list.items.count == 1)
    }

    @Test func aKnownItemIsChangedAndNotDoubled() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(toDo)
        here.run { $0.add("Milk") }
        let there = try await desktop.continueActivity(in: toDo)
        there.run { app in
            app.open(1)
            app.tick()
        }
        // Continued on the first device again, in the process that is still running.
        #expect(try await laptop.continueActivity(in: toDo) === here)
        #expect(here.main.list.items.map(\.isDone) == [true])
    }

    @Test func theListIsSentAsItIsOnTheScreen() async throws {
        let (laptop, desktop) = try await pair()
        let here = try await laptop.open(toDo)
        here.run { app in (1...30).forEach { app.add("Item \($0)") } }
        let there = try await desktop.continueActivity(in: toDo)
        #expect(there.main.list.items.map(\.text) == (1...20).map { "Item \($0)" })
        #expect(there.main.list.open == nil)
    }

    @Test func continuingFromAVanishedDeviceFails() async throws {
        let (laptop, desktop) = try await pair()
        _ = try await laptop.open(toDo)
        let there = try await desktop.open(toDo)
        let offered = try #require(try await desktop.activities().first)
        laptop.leaveNetwork()
        await #expect(throws: CocoaError.self) { try await desktop.continueActivity(offered) }
        #expect(there.main.list.items.isEmpty)
    }

    @Test func invalidActivityChangesNothing() {
        let nonsense: [[AnyHashable: Any]?] = [
            nil, ["version": 2, "items": []], ["version": 1], ["version": 1, "items": [["id": "1"]]],
            ["version": 1, "items": []],
        ]
        var list = ToDoList()
        for userInfo in nonsense {
            let isTaken = list.goOn(with: userInfo, isEditing: true)
            #expect(!isTaken)
        }
        #expect(list.items.isEmpty && list.open == nil)
    }
}
