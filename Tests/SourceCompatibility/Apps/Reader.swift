// SPDX-License-Identifier: Apache-2.0

// An app delegate with the four hooks, as in UIKit's documentation, and a view controller whose activity UIKit manages.
// Ported: the import.

import Foundation
import HandoffApp

class ReaderAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow()
        window?.rootViewController = ReaderViewController()
        window?.makeKeyAndVisible()
        Screen.shows(window, by: .visibleViewControllers)

        if let pending = launchOptions?[.userActivityDictionary] as? [AnyHashable: Any],
            let type = pending[UIApplication.LaunchOptionsKey.userActivityType] as? String
        {
            report("launched for \(type)")
        }
        return true
    }

    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool {
        report("will continue \(userActivityType)")
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard userActivity.activityType == "com.example.reader.reading",
            let reader = window?.rootViewController as? ReaderViewController
        else {
            return false
        }
        report("continue \(userActivity.title ?? "")")
        restorationHandler([reader])
        return true
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: Error
    ) {
        let error = error as NSError
        guard error.code != CocoaError.userCancelled.rawValue else { return }
        report("failed \(error.domain) \(error.code)")
    }

    func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {
        userActivity.addUserInfoEntries(from: ["version": 3])
    }
}

class ReaderViewController: UIViewController {
    var page = 1 {
        didSet { userActivity?.needsSave = true }
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let activity = NSUserActivity(activityType: "com.example.reader.reading")
        activity.title = "Chapter 3"
        activity.userInfo = ["page": page]
        userActivity = activity

        User.says = { [weak self] line in
            guard let number = Int(line) else { return }
            self?.page = number
            report("page \(number)")
        }
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: ["page": page])
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        page = activity.userInfo?["page"] as? Int ?? 1
        report("restored page \(page) version \(activity.userInfo?["version"] as? Int ?? 0)")
    }
}
