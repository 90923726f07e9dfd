// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp
import Testing

@testable import HandoffTestKit

/// Shows U05: a client with a WatchKit screen offers activities, and continues none.
@Suite @MainActor struct SmallClientTests {
    private final class Book: WKInterfaceController {
        var page = 1

        func read() {
            let activity = NSUserActivity(activityType: Reader.reading)
            activity.title = "Chapter 3"
            activity.needsSave = true
            update(activity)
        }

        override func updateUserActivityState(_ activity: NSUserActivity) {
            super.updateUserActivityState(activity)
            activity.addUserInfoEntries(from: ["page": page])
        }
    }

    @Test func controllersActivityContinuesOnAnotherDevice() async throws {
        let account = HandoffSimulatedAccount()
        let watch = try await account.addDevice(named: "watch")
        let desktop = try await account.addDevice(named: "desktop")
        // Without types, it continues nothing.
        let client = HandoffSimulatedApp("com.example.reader.watch", activityTypes: []) { Book() }
        try await watch.install(client)
        try await desktop.install(Reader.app)
        let here = try await watch.open(client)
        here.run { book in
            book.read()
            book.page = 41
        }
        #expect(try await desktop.activities().map(\.title) == ["Chapter 3"])
        let there = try await desktop.continueActivity(in: Reader.app)
        #expect(there.main.page == 41)
        here.run { $0.invalidateUserActivity() }
        #expect(try await desktop.activities().isEmpty)
    }
}
