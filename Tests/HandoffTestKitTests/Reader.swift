// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp
import Synchronization

@testable import HandoffTestKit

/// An example app that reads a book and offers the page.
@MainActor
final class Reader: HandoffApplicationDelegate, NSUserActivityDelegate {
    nonisolated static let reading = "com.example.reader.reading"

    static let app = HandoffSimulatedApp("com.example.reader", activityTypes: [reading]) { Reader() }

    private(set) var page = 1
    private(set) var calls: [String] = []
    private(set) var activity: NSUserActivity?
    private nonisolated let background = Mutex((page: 1, calls: [String]()))

    /// Calls in the background, in order.
    var backgroundCalls: [String] { background.withLock { $0.calls } }

    func read(_ title: String, page: Int = 1) {
        self.page = page
        background.withLock { $0.page = page }
        let activity = NSUserActivity(activityType: Self.reading)
        activity.title = title
        activity.delegate = self
        activity.userInfo = ["page": page]
        activity.becomeCurrent()
        self.activity = activity
    }

    func turn(to page: Int) {
        self.page = page
        background.withLock { $0.page = page }
        activity?.needsSave = true
    }

    nonisolated func userActivityWillSave(_ userActivity: NSUserActivity) {
        let page = background.withLock { state in
            state.calls.append(Thread.isMainThread ? "save on the main thread" : "save")
            return state.page
        }
        userActivity.addUserInfoEntries(from: ["page": page])
        // An app may have other work on its main thread that it does not wait for.
        DispatchQueue.main.async { MainActor.assumeIsolated { self.calls.append("after save") } }
    }

    nonisolated func userActivityWasContinued(_ userActivity: NSUserActivity) {
        background.withLock { $0.calls.append("was continued") }
    }

    func application(
        _ application: HandoffApplication, willContinueUserActivityWithType userActivityType: String
    ) -> Bool {
        calls.append("will \(userActivityType)")
        return true
    }

    func application(
        _ application: HandoffApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        precondition(application === HandoffApplication.shared)
        page = userActivity.userInfo?["page"] as? Int ?? 0
        calls.append("continue")
        activity = userActivity
        userActivity.delegate = self
        return true
    }

    func application(
        _ application: HandoffApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) {
        calls.append("fail \((error as? CocoaError)?.code.rawValue ?? 0)")
    }
}
