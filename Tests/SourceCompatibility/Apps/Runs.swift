// SPDX-License-Identifier: Apache-2.0

// A watch app: WatchKit's lifecycle hooks and a screen that offers an activity. Ported: the import, and the screen is
// created in code.

import Foundation
import HandoffApp

class RunsAppDelegate: NSObject, WKExtensionDelegate {
    private let screen = RunInterfaceController()
    private let window = UIWindow()

    func applicationDidFinishLaunching() {
        report("launched")
        User.says = { [weak self] line in
            if line == "away" { UIApplication.shared.toolkit.applicationEnteredBackground() }
            self?.screen.show(line)
        }
        window.rootViewController = screen
        Screen.shows(window, by: .visibleViewControllers)
    }

    func applicationDidBecomeActive() { report("active") }
    func applicationWillResignActive() {}
    func applicationDidEnterBackground() { report("away") }

    func handle(_ userActivity: NSUserActivity) {
        report("handles \(userActivity.userInfo?["run"] as? String ?? "nothing")")
        (WKExtension.shared().rootInterfaceController as? RunInterfaceController)?.show("a run")
    }
}

class RunInterfaceController: WKInterfaceController {
    override func awake(withContext context: Any?) {
        super.awake(withContext: context)
        report("awake")
    }

    override func willActivate() {
        super.willActivate()
        setTitle("Runs")
    }

    override func didAppear() { report("appeared") }
    override func didDeactivate() { super.didDeactivate() }

    func show(_ run: String) {
        let activity = NSUserActivity(activityType: "com.example.runs.running")
        activity.title = run
        activity.userInfo = ["run": run]
        update(activity)
        report("shows \(run)")
    }
}
