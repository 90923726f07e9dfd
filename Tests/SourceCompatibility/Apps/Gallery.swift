// SPDX-License-Identifier: Apache-2.0

// A scene delegate as in UIKit's documentation: the scene connects, receives an activity and saves its state. Ported:
// the import.

import Foundation
import HandoffApp

class GalleryAppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        true
    }

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        UISceneConfiguration(name: "Default Configuration", sessionRole: connectingSceneSession.role)
    }

    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
    }
}

class GallerySceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    var photo = "none"

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard scene is UIWindowScene else { return }
        if let type = connectionOptions.handoffUserActivityType {
            report("connected for \(type)")
        } else {
            report("connected")
        }
        if let activity = connectionOptions.userActivities.first ?? session.stateRestorationActivity {
            configure(with: activity)
        }
        User.says = { [weak self] line in self?.show(line) }
    }

    func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
        report("will continue \(userActivityType)")
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        configure(with: userActivity)
        report("continue \(photo)")
    }

    func scene(_ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: Error) {
        report("failed \((error as NSError).code)")
    }

    func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) {
        userActivity.addUserInfoEntries(from: ["version": 2])
    }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        userActivity
    }

    private func show(_ name: String) {
        photo = name
        let activity = NSUserActivity(activityType: "com.example.gallery.photo")
        activity.title = "Photo \(name)"
        activity.targetContentIdentifier = name
        activity.addUserInfoEntries(from: ["photo": name])
        userActivity = activity
        activity.becomeCurrent()
        report("photo \(name)")
    }

    private func configure(with activity: NSUserActivity) {
        photo = activity.userInfo?["photo"] as? String ?? "none"
    }
}
