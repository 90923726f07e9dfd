// SPDX-License-Identifier: Apache-2.0

// The browser with four tabs from Microsoft's article on Handoff, in Swift: the same classes, calls and comments.
// Ported: the import. The article's views (a busy text that fades, a web view) are lines of output here.

import Foundation
import HandoffApp

class UserActivityDelegate: NSObject, NSUserActivityDelegate {
    func userActivityWasContinued(_ userActivity: NSUserActivity) {
        report("User Activity Was Continued: \(userActivity.title ?? "")")
    }

    func userActivityWillSave(_ userActivity: NSUserActivity) {
        report("User Activity will be Saved: \(userActivity.title ?? "")")
    }
}

class TabViewController: UIViewController {
    let activityType: String
    let activityTitle: String
    let activityDelegate = UserActivityDelegate()
    var browsing: NSUserActivity?
    var url = ""

    init(activityType: String, title: String) {
        self.activityType = activityType
        self.activityTitle = title
        super.init()
    }

    func go(to url: String) {
        self.url = url
        let userActivity = NSUserActivity(activityType: activityType)
        userActivity.title = activityTitle
        userActivity.delegate = activityDelegate

        // Update the activity when the tab's URL changes
        userActivity.addUserInfoEntries(from: ["Url": url])
        userActivity.needsSave = true

        // Inform Activity that it has been updated
        userActivity.becomeCurrent()
        browsing = userActivity
        report("Showing: \(url)")
    }

    func preparingToHandoff() {
        // Inform caller
        report("Continuing Activity...")
    }

    func performHandoff(_ activity: NSUserActivity) {
        // Extract URL from dictionary
        url = activity.userInfo?["Url"] as? String ?? ""

        // Display the given webpage
        report("Showing: \(url)")

        // Save activity
        browsing = activity
        activity.becomeCurrent()
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)

        // Log activity
        report("Restoring Activity \(activity.title ?? "")")
    }
}

class BrowserAppDelegate: UIResponder, UIApplicationDelegate {
    let userActivityTab1 = "com.xamarin.monkeybrowser.tab1"
    let userActivityTab2 = "com.xamarin.monkeybrowser.tab2"
    let userActivityTab3 = "com.xamarin.monkeybrowser.tab3"
    let userActivityTab4 = "com.xamarin.monkeybrowser.tab4"

    lazy var tab1 = TabViewController(activityType: userActivityTab1, title: "Weather Tab")
    lazy var tab2 = TabViewController(activityType: userActivityTab2, title: "Favorite Tab")
    lazy var tab3 = TabViewController(activityType: userActivityTab3, title: "Coffee Break Tab")
    lazy var tab4 = TabViewController(activityType: userActivityTab4, title: "Work Tab")

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        User.says = { [weak self] line in
            let words = line.split(separator: " ").map(String.init)
            guard let self, words.count == 2, let number = Int(words[0]) else { return }
            [tab1, tab2, tab3, tab4][number - 1].go(to: words[1])
        }
        return true
    }

    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool {
        // Report Activity
        report("Will Continue Activity: \(userActivityType)")

        // Take action based on the user activity type
        switch userActivityType {
        case userActivityTab1: tab1.preparingToHandoff()
        case userActivityTab2: tab2.preparingToHandoff()
        case userActivityTab3: tab3.preparingToHandoff()
        case userActivityTab4: tab4.preparingToHandoff()
        default: break
        }

        // Inform system we handled this
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler completionHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        // Report Activity
        report("Continuing User Activity: \(userActivity.activityType)")

        // Take action based on the Activity type
        switch userActivity.activityType {
        case userActivityTab1:
            tab1.performHandoff(userActivity)
            completionHandler([tab1])
        case userActivityTab2:
            tab2.performHandoff(userActivity)
            completionHandler([tab2])
        case userActivityTab3:
            tab3.performHandoff(userActivity)
            completionHandler([tab3])
        case userActivityTab4:
            tab4.performHandoff(userActivity)
            completionHandler([tab4])
        default:
            return false
        }

        // Inform system we handled this
        return true
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: Error
    ) {
        // Log information about the failure
        report("User Activity \(userActivityType) failed to continue. Error: \(error.localizedDescription)")
    }
}
