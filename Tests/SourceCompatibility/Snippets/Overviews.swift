// SPDX-License-Identifier: Apache-2.0

import HandoffApp

func offerChapter3() {
    let activity = NSUserActivity(activityType: "com.example.reader.reading")
    activity.title = "Chapter 3"
    activity.userInfo = ["page": 41]
    activity.becomeCurrent()
}

final class Editor: NSUserActivityDelegate {
    let position = 7

    func userActivityWillSave(_ userActivity: NSUserActivity) {
        userActivity.addUserInfoEntries(from: ["position": position])
    }
}
