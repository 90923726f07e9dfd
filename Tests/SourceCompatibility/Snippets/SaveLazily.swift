// SPDX-License-Identifier: Apache-2.0

import Handoff
import Synchronization

final class LazyReader: NSUserActivityDelegate {
    let activity = NSUserActivity(activityType: "com.example.reader.reading")
    let page = Mutex(1)

    func turnPage(to number: Int) {
        page.withLock { $0 = number }
        activity.needsSave = true
    }

    func userActivityWillSave(_ userActivity: NSUserActivity) {
        userActivity.addUserInfoEntries(from: ["page": page.withLock { $0 }])
    }
}
