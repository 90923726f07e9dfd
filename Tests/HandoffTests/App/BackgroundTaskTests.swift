// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Handoff
@testable import HandoffApp

@Suite @MainActor struct BackgroundTaskTests {
    private let application: UIApplication

    init() throws {
        application = UIApplication(center: try Laptop(startingDaemon: false, bundle: "com.example.notes").center)
    }

    @Test func endOfTheAppWaitsForWorkOnOtherThreads() {
        let application = application
        let task = application.beginBackgroundTask(withName: "upload")
        #expect(task != .invalid)
        #expect(application.backgroundTimeRemaining == .greatestFiniteMagnitude)
        DispatchQueue.global().async { application.endBackgroundTask(task) }
        application.finishBackgroundTasks()
        #expect(application.backgroundTasks.leftOver().isEmpty)
        #expect(application.backgroundTimeRemaining <= 30)
    }

    @Test func unfinishedWorkExpiresAtItsLimit() {
        application.backgroundTimeLimit = .milliseconds(20)
        var calls: [String] = []
        _ = application.beginBackgroundTask(withName: "first") { calls.append("first") }
        _ = application.beginBackgroundTask { calls.append("second") }
        application.finishBackgroundTasks()
        #expect(calls == ["first", "second"])
        #expect(application.backgroundTimeRemaining == 0)
    }
}
