// SPDX-License-Identifier: Apache-2.0

// An app of 2016: an application delegate that is an NSObject with a window, no scenes, every lifecycle hook, URLs of
// its own scheme, shortcut items, and an activity that is changed at once without `needsSave`. Ported: the import;
// blocks instead of selectors.

import Foundation
import HandoffApp

class CookbookAppDelegate: NSObject, UIApplicationDelegate {
    var window: UIWindow?
    private var observers: [NSObjectProtocol] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow()
        window?.rootViewController = RecipeViewController(recipe: "none")
        window?.makeKeyAndVisible()
        let names = [UIApplication.didEnterBackgroundNotification, UIApplication.willEnterForegroundNotification]
        for name in names {
            let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                report("notified")
            }
            observers.append(observer)
        }
        if let item = launchOptions?[.shortcutItem] as? UIApplicationShortcutItem { report("shortcut \(item.type)") }
        Screen.shows(window, by: .visibleViewControllers)
        User.says = { line in
            switch line {
            case "background": application.toolkit.applicationEnteredBackground()
            case "quit": application.terminate()
            case "share": self.share()
            default: self.show(line)
            }
        }
        report("launched \(application.applicationState == .active ? "active" : "inactive")")
        return true
    }

    func applicationWillResignActive(_ application: UIApplication) {}
    func applicationDidEnterBackground(_ application: UIApplication) {
        report("saved in the background")
    }
    func applicationWillEnterForeground(_ application: UIApplication) {}
    func applicationDidBecomeActive(_ application: UIApplication) {}
    func applicationWillTerminate(_ application: UIApplication) {
        report("will terminate")
    }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        guard url.scheme == "cookbook", let recipe = url.host else { return false }
        show(recipe)
        return true
    }

    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        show(shortcutItem.userInfo?["recipe"] as? String ?? "random")
        completionHandler(true)
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        // The long way to the window, as elsewhere in the app.
        guard let controller = UIApplication.shared.delegate?.window??.rootViewController else { return false }
        restorationHandler([controller])
        return true
    }

    private func show(_ recipe: String) {
        let controller = RecipeViewController(recipe: recipe)
        window?.rootViewController = controller
        Screen.shows(window, by: .visibleViewControllers)
        report("recipe \(recipe)")
    }

    private func share() {
        let url = URL(string: "no-such-scheme-anywhere:recipe")!
        guard UIApplication.shared.canOpenURL(url) else {
            report("cannot share")
            return
        }
        UIApplication.shared.open(url, options: [:], completionHandler: nil)
    }
}

class RecipeViewController: UIViewController {
    var recipe: String

    init(recipe: String) {
        self.recipe = recipe
        super.init(nibName: nil, bundle: nil)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        let activity = NSUserActivity(activityType: "com.example.cookbook.cooking")
        activity.title = recipe
        activity.userInfo!["recipe"] = recipe
        activity.userInfo?["url"] = URL(string: "https://example.com/recipes/\(recipe)")
        activity.isEligibleForSearch = true
        activity.isEligibleForPublicIndexing = true
        userActivity = activity
        userActivity?.becomeCurrent()
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: ["servings": recipe.count, "note": String?.none as Any])
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        recipe = activity.userInfo?["recipe"] as? String ?? "none"
        let servings = activity.userInfo?["servings"] as? Int ?? 0
        report("restored \(recipe) for \(servings) note \(activity.userInfo?["note"] is NSNull)")
        super.restoreUserActivityState(activity)
    }
}
