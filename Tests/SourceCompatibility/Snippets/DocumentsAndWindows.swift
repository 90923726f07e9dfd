// SPDX-License-Identifier: Apache-2.0

import HandoffApp

final class PageController: UIViewController {
    var page = 1 { didSet { userActivity?.needsSave = true } }

    override func viewDidLoad() {
        super.viewDidLoad()
        let activity = NSUserActivity(activityType: "com.example.reader.reading")
        activity.title = "Chapter 3"
        activity.needsSave = true
        userActivity = activity
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: ["page": page])
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        page = activity.userInfo?["page"] as? Int ?? 1
    }
}

final class Letter: NSDocument {}

@MainActor func tellTheFramework(of window: UIWindow, with controller: UIViewController) {
    let toolkit = UIApplication.shared.toolkit
    toolkit.windowOpened(window)
    toolkit.windowBecameMain(window)
    toolkit.viewDidAppear(controller)
    toolkit.windowClosed(window)

    UIApplication.shared.documentController.register(forType: "Letter") { _ in Letter() }
}
