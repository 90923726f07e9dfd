// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffGTK
import MonkeyBrowserModel
import MonkeyBrowserTerminal
import Synchronization

/// One tab of one window: its page, and its activity, which is current while the tab is in front in the main window.
final class TabController: GTKViewController {
    let tab: Tab
    let page: PageView
    /// Continues an activity from another device in this tab. Set once.
    var perform: @MainActor (NSUserActivity) -> Void = { _ in }
    private let activities: TabActivities

    /// The longest wait, because the other device's user is waiting.
    private nonisolated static let patience: Double = 2

    init(_ tab: Tab, _ page: PageView, face: Face) {
        self.tab = tab
        self.page = page
        activities = TabActivities(
            scroll: { [weak page] _ in Self.scrollPosition(of: page) }, report: { face.show($0) })
        super.init()
        widget = page.widget
    }

    /// The user opened a page.
    func go(to address: PageAddress) {
        userActivity = activities.activity(of: tab, at: address)
        page.load(address)
    }

    /// Continues a received activity here.
    func adopt(_ arrived: NSUserActivity, at address: PageAddress) {
        userActivity = activities.adopt(arrived, of: tab, at: address)
        page.load(address)
    }

    func moved(to address: PageAddress) {
        if let userActivity { activities.update(userActivity, of: tab, with: address) }
    }

    func titled(_ title: PageTitle?) {
        userActivity?.title = title?.text ?? tab.activityTitle
    }

    func close() {
        userActivity = nil
        page.clear()
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: activities.userInfo(of: tab))
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        perform(activity)
    }

    /// Asks the page on the main thread, and waits for the answer on this thread.
    private nonisolated static func scrollPosition(of page: PageView?) -> ScrollPosition? {
        let answer = LateAnswer<ScrollPosition>()
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                guard let page else { return answer.give(nil) }
                page.read { answer.give($0?.scroll) }
            }
        }
        return answer.wait(seconds: patience)
    }
}

/// A value that one thread waits for and another thread provides.
private final class LateAnswer<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func give(_ answer: Value?) {
        value.withLock { $0 = answer }
        isThere.signal()
    }

    /// Nil if there was no answer in time.
    func wait(seconds: Double) -> Value? {
        _ = isThere.wait(timeout: .now() + seconds)
        return value.withLock { $0 }
    }
}
