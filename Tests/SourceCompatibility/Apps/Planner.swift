// SPDX-License-Identifier: Apache-2.0

// A current app: the activity that it was started for as text in the launch options, hooks in their async form,
// coordinates as numbers, the row of a list, work that finishes in the background, and remote notifications. Ported:
// the import.

import Foundation
import HandoffApp

class PlannerAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private var saving = UIBackgroundTaskIdentifier.invalid

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let pending = launchOptions?[.userActivityDictionary] as? [String: Any]
        let type = pending?["UIApplicationLaunchOptionsUserActivityTypeKey"] as? String
        if let activity = pending?["UIApplicationLaunchOptionsUserActivityKey"] as? NSUserActivity {
            report("has \(activity.activityType)")
        }
        report("launched for \(type ?? "nothing")")
        window = UIWindow()
        window?.rootViewController = DayViewController()
        window?.makeKeyAndVisible()
        Screen.shows(window, by: .visibleViewControllers)
        User.says = { [weak self] line in
            switch line {
            case "quit": application.terminate(nil)
            case "edit": self?.day?.edit()
            case "upload": self?.upload()
            default: self?.day?.select(IndexPath(row: Int(line) ?? 0, section: 1))
            }
        }
        application.registerForRemoteNotifications()
        return true
    }

    private var day: DayViewController? { window?.rootViewController as? DayViewController }

    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error
    ) {
        report("no remote notifications")
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        .noData
    }

    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        await Task.yield()
        report("performed \(shortcutItem.type)")
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        saving = application.beginBackgroundTask(withName: "save") { [weak self] in
            report("could not save in time")
            self?.saved(application)
        }
        Task {
            try? await Task.sleep(nanoseconds: 50_000_000)
            report("saved in the background")
            saved(application)
        }
    }

    private func upload() {
        let task = UIApplication.shared.beginBackgroundTask()
        report("uploads")
        Task {
            try? await Task.sleep(nanoseconds: 100_000_000)
            report("uploaded")
            UIApplication.shared.endBackgroundTask(task)
        }
    }

    private func saved(_ application: UIApplication) {
        application.endBackgroundTask(saving)
        saving = .invalid
    }

    func applicationWillTerminate(_ application: UIApplication) { report("will terminate") }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        restorationHandler(day.map { [$0] })
        return true
    }
}

class DayViewController: UIViewController {
    private var selection = IndexPath(row: 0, section: 0)
    private let field = NoteField()

    override func viewDidLoad() {
        super.viewDidLoad()
        field.nextResponder = self
        userActivity = NSUserActivity(activityType: "com.example.planner.day")
        userActivity?.title = "Planner"
    }

    func select(_ indexPath: IndexPath) {
        selection = indexPath
        userActivity?.title = "Row \(indexPath.row)"
        userActivity?.needsSave = true
        report("selected \(indexPath.section).\(indexPath.row)")
    }

    func edit() {
        guard field.becomeFirstResponder() else { return report("cannot edit") }
        report("edits \(field.isFirstResponder)")
        field.resignFirstResponder()
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        let offset: CGFloat = 12.5
        activity.addUserInfoEntries(from: [
            "row" as NSString: selection.row, "offset": offset, "columns": [CGFloat(100), 250.5],
        ])
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        guard let row = activity.userInfo?["row" as NSString] as? Int,
            let offset = activity.userInfo?["offset"] as? CGFloat,
            let columns = activity.userInfo?["columns"] as? [CGFloat]
        else { return report("nothing to restore") }
        select(IndexPath(row: row, section: 1))
        report("restored offset \(offset) columns \(columns)")
    }
}

class NoteField: UIView {
    override var canBecomeFirstResponder: Bool { true }
}

class PlannerSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        windowScene.sizeRestrictions?.minimumSize = CGSize(width: 320, height: 480)
        windowScene.title = "Planner"
        windowScene.subtitle = "Today"
        if let response = connectionOptions.notificationResponse {
            report("opened by \(response.notification.request.identifier)")
        }
    }

    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        await Task.yield()
        return shortcutItem.type == "com.example.planner.today"
    }
}
