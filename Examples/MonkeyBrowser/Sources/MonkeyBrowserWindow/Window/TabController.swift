// SPDX-License-Identifier: Apache-2.0

import Foundation
import Handoff
import MonkeyBrowserModel
import MonkeyBrowserTerminal
import Synchronization

/// One tab of one window: its page, and its activity.
@MainActor
final class TabController {
    let tab: Tab
    let view: PageView
    private(set) var activity: NSUserActivity?
    private let activities: TabActivities

    /// The other device's user waits for this.
    private nonisolated static let patience: Double = 2

    init(_ tab: Tab, _ view: PageView, face: Face) {
        self.tab = tab
        self.view = view
        activities = TabActivities(
            scroll: { [weak view] _ in Self.scrollPosition(of: view) }, report: { face.show($0) })
    }

    /// The user went to a page.
    func go(to address: PageAddress) {
        activity?.invalidate()
        let new = activities.activity(of: tab, at: address)
        activity = new
        view.load(address)
        new.becomeCurrent()
    }

    /// What came from another device goes on here.
    func adopt(_ arrived: NSUserActivity, at address: PageAddress) {
        activity?.invalidate()
        activities.adopt(arrived, of: tab, at: address)
        activity = arrived
        view.load(address)
        arrived.becomeCurrent()
    }

    func moved(to address: PageAddress) {
        if let activity { activities.update(activity, of: tab, with: address) }
    }

    func titled(_ title: PageTitle?) {
        activity?.title = title?.text ?? tab.activityTitle
    }

    func close() {
        activity?.invalidate()
        activity = nil
        view.clear()
    }

    /// Asks the page, which only the main thread may, and waits here.
    private nonisolated static func scrollPosition(of view: PageView?) -> ScrollPosition? {
        let answer = LateAnswer<ScrollPosition>()
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                guard let view else { return answer.give(nil) }
                view.read { answer.give($0?.scroll) }
            }
        }
        return answer.wait(seconds: patience)
    }
}

/// What one thread waits for and another one says.
private final class LateAnswer<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func give(_ answer: Value?) {
        value.withLock { $0 = answer }
        isThere.signal()
    }

    /// Nil: there is none, or not in time.
    func wait(seconds: Double) -> Value? {
        _ = isThere.wait(timeout: .now() + seconds)
        return value.withLock { $0 }
    }
}
