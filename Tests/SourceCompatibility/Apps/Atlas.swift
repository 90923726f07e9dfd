// SPDX-License-Identifier: Apache-2.0

// State restoration with two scenes, as in Apple's sample. Each scene saves an activity, the app requests the second
// scene with an activity, and both are restored in the next run. The activity is a subclass. Ported: the import, and a
// predicate with a block instead of a format.

import Foundation
import HandoffApp

class PlaceActivity: NSUserActivity, @unchecked Sendable {
    static let type = "com.example.atlas.place"

    init(place: String) {
        super.init(activityType: PlaceActivity.type)
        title = "Map of \(place)"
        targetContentIdentifier = place
        userInfo = ["place": place]
    }
}

class AtlasAppDelegate: UIResponder, UIApplicationDelegate {
    override init() {
        super.init()
        report("made")
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        User.says = { line in
            switch line {
            case "quit": application.terminate()
            case let place:
                application.requestSceneSessionActivation(
                    nil, userActivity: PlaceActivity(place: place), options: nil,
                    errorHandler: { error in
                        report("refused \(error.localizedDescription)")
                    })
            }
        }
        return true
    }
}

class AtlasSceneDelegate: NSObject, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let controller = MapViewController()
        window = UIWindow(windowScene: windowScene)
        window?.rootViewController = controller
        window?.makeKeyAndVisible()
        if let activity = connectionOptions.userActivities.first ?? session.stateRestorationActivity {
            show(activity, in: scene)
        }
        report("connected \(controller.place)")
        for context in connectionOptions.urlContexts { report("for \(context.url)") }
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        show(userActivity, in: scene)
        report("continue \(userActivity.title ?? "")")
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        report("open \(URLContexts.first?.url.absoluteString ?? "")")
    }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        scene.userActivity
    }

    private func show(_ activity: NSUserActivity, in scene: UIScene) {
        guard let controller = window?.rootViewController as? MapViewController else { return }
        controller.place = activity.userInfo?["place"] as? String ?? "nowhere"
        scene.userActivity = PlaceActivity(place: controller.place)
        scene.title = controller.place
        let place = controller.place
        scene.activationConditions.prefersToActivateForTargetContentIdentifierPredicate =
            NSPredicate { identifier, _ in identifier as? String == place }
        // A property that view code reads.
        precondition(controller.view.window?.windowScene === scene)
        scene.userActivity?.becomeCurrent()
    }
}

class MapViewController: UIViewController {
    var place = "nowhere"

    override func encodeRestorableState(with coder: NSCoder) {
        coder.encode(place, forKey: "place")
        super.encodeRestorableState(with: coder)
    }
}
