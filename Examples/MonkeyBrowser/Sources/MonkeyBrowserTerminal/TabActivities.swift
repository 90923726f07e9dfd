// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Handoff
package import MonkeyBrowserModel
import Synchronization

/// The activities of the tabs. The system requests their latest state on its own queue, so that state is protected by a
/// lock.
package final class TabActivities: NSUserActivityDelegate, Sendable {
    /// Waits briefly for the answer; nil if there is none.
    package typealias Scroll = @Sendable (Tab) -> ScrollPosition?

    private struct Page {
        var address: PageAddress
        var scroll: ScrollPosition?

        var userInfo: [AnyHashable: Any] { address.userInfo.merging(scroll?.userInfo ?? [:]) { $1 } }
    }

    private let pages = Mutex<[Tab: Page]>([:])
    private let report: @Sendable (BrowserEvent) -> Void
    private let scroll: Scroll

    /// `scroll` is called when an activity is about to be sent, and not on the main thread.
    package init(scroll: @escaping Scroll = { _ in nil }, report: @escaping @Sendable (BrowserEvent) -> Void) {
        self.scroll = scroll
        self.report = report
    }

    /// A new activity for the page that the user opened; it is not current yet.
    package func activity(of tab: Tab, at address: PageAddress) -> NSUserActivity {
        let activity = NSUserActivity(activityType: tab.activityType)
        activity.title = tab.activityTitle
        activity.delegate = self
        update(activity, of: tab, with: address)
        return activity
    }

    /// A received activity becomes this device's own. A web page that was open in any browser becomes an activity of the
    /// tab, if this is the app of its site.
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
        // Used only by devices without this app, so an address that is too long is not an error.
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

    /// The state that another device needs to continue the tab, as far as it is known.
    package func userInfo(of tab: Tab) -> [AnyHashable: Any] { pages.withLock { $0[tab]?.userInfo } ?? [:] }

    package func userActivityWasContinued(_ userActivity: NSUserActivity) {
        guard let tab = Tab(activityType: userActivity.activityType) else { return }
        report(.wasContinued(tab))
    }
}
