// SPDX-License-Identifier: Apache-2.0

// A transactional activity, as in the description of Mail in Apple's guide: once another device has the draft, it is
// closed here. Ported: the import.

import Foundation
import HandoffApp

class MailAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    let composer = ComposeViewController()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow()
        window?.rootViewController = composer
        window?.makeKeyAndVisible()
        User.says = { [composer] line in composer.compose(line) }
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard let text = userActivity.userInfo?["draft"] as? String else { return false }
        composer.compose(text)
        return true
    }
}

class ComposeViewController: UIViewController, NSUserActivityDelegate {
    var draftActivity: NSUserActivity?

    func compose(_ text: String) {
        let activity = NSUserActivity(activityType: "com.example.mail.composing")
        activity.title = "Draft"
        activity.delegate = self
        activity.userInfo = ["draft": text]
        activity.becomeCurrent()
        draftActivity = activity
        report("composing \(text)")
    }

    nonisolated func userActivityWasContinued(_ userActivity: NSUserActivity) {
        DispatchQueue.main.async {
            self.closeDraft()
        }
    }

    func closeDraft() {
        draftActivity?.invalidate()
        draftActivity = nil
        report("closed")
    }
}
