// SPDX-License-Identifier: Apache-2.0

// The code in the libraries' articles, so that it is compiled. `ArticleTests` compares the two.

import Foundation
import HandoffApp

@main
class Hello: UIResponder, UIApplicationDelegate {
    let activity = NSUserActivity(activityType: "com.example.hello.reading")

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        activity.title = "Chapter 3"
        activity.userInfo = ["page": 41]
        activity.becomeCurrent()
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        print("continuing at page \(userActivity.userInfo?["page"] ?? 1)")
        return true
    }
}
