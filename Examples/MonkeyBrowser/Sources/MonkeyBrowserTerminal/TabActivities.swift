// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Handoff
package import MonkeyBrowserModel
import Synchronization

/// The activities of the tabs. The system asks for their latest state on a queue of its own, so what it may ask for is
/// behind a lock.
package final class TabActivities: NSUserActivityDelegate, Sendable {
    /// Waits for its answer, for a moment at most; nil where there is none.
    package typealias Scroll = @Sendable (Tab) -> ScrollPosition?

    private struct Page {
        var address: PageAddress
        var scroll: ScrollPosition?

        var userInfo: [AnyHashable: Any] { address.userInfo.merging(scroll?.userInfo ?? [:]) { $1 } }
    }

    private let pages = Mutex<[Tab: Page]>([:])
    private let report: @Sendable (BrowserEvent) -> Void
    private let scroll: Scroll

    /// `scroll` is asked for when an activity is about to be sent, and not on the main thread.
    package init(scroll: @escaping Scroll = { _ in nil }, report: @escaping @Sendable (BrowserEvent) -> Void) {
        self.scroll = scroll
        self.report = report
    }

    /// A new activity for the page that the user went to; it is not current yet.
    package func activity(of tab: Tab, at address: PageAddress) -> NSUserActivity {
        let activity = NSUserActivity(activityType: tab.activityType)
        activity.title = tab.activityTitle
        activity.delegate = self
        update(activity, of: tab, with: address)
        return activity
    }

    /// An activity that came from another device goes on as this device's own. A web page that was open in any browser,
    /// of the site whose app this is, becomes an activity of the tab.
    package func adopt(_ activity: NSUserActivity, of tab: Tab, at address: PageAddress) -> NSUserActivity {
        guard activity.activityType == tab.activityType else { return self.activity(of: tab, at: address) }
        activity.title = tab.activityTitle
        activity.delegate = self
        update(activity, of: tab, with: address)
        return activity
    }

    package func update(_ activity: NSUserActivity, of tab: Tab, with address: PageAddress) {
        pages.withLock { $0[tab] = Page(address: address) }
        activity.addUserInfoEntries(from: address.userInfo)
        // Only for devices without this app, so an address too long for it is no reason to fail.
        try? activity.setWebpageURL(address.url)
        activity.needsSave = true
    }

    package func userActivityWillSave(_ userActivity: NSUserActivity) {
        guard let tab = Tab(activityType: userActivity.activityType) else { return }
        report(.saving(tab))
        let position = scroll(tab)
        if let position { pages.withLock { $0[tab]?.scroll = position } }
        userActivity.addUserInfoEntries(from: userInfo(of: tab))
    }

    /// As far as it is known: what another device needs to continue the tab.
    package func userInfo(of tab: Tab) -> [AnyHashable: Any] { pages.withLock { $0[tab]?.userInfo } ?? [:] }

    package func userActivityWasContinued(_ userActivity: NSUserActivity) {
        guard let tab = Tab(activityType: userActivity.activityType) else { return }
        report(.wasContinued(tab))
    }
}
