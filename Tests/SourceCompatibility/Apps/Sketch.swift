// SPDX-License-Identifier: Apache-2.0

// A view controller that shares its activity with its document, as in UIKit's documentation: a UIDocument's activity
// does not become current automatically. Ported: the import, and the line that names the file, which a document does
// automatically only in the app's containers.

import Foundation
import HandoffApp

class SketchAppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    let sketches = SketchViewController()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow()
        window?.rootViewController = sketches
        window?.makeKeyAndVisible()
        Screen.shows(window, by: .visibleViewControllers)
        User.says = { [sketches] path in sketches.open(URL(fileURLWithPath: path)) }
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard let url = userActivity.userInfo?[UIDocument.userActivityURLKey] as? URL else { return false }
        sketches.open(url) { document in
            restorationHandler([document, self.sketches])
        }
        return true
    }
}

class SketchDocument: UIDocument {
    var strokes = ""

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        guard let data = contents as? Data else { throw CocoaError(.fileReadCorruptFile) }
        strokes = String(decoding: data, as: UTF8.self)
    }

    override func contents(forType typeName: String) throws -> Any {
        Data(strokes.utf8)
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: [UIDocument.userActivityURLKey: fileURL])
    }
}

class SketchViewController: UIViewController {
    var document: SketchDocument?
    var zoom = 1

    func open(_ url: URL, then: (@MainActor @Sendable (SketchDocument) -> Void)? = nil) {
        let document = SketchDocument(fileURL: url)
        self.document = document
        document.open { success in
            guard success else { return report("cannot open \(url.lastPathComponent)") }
            let activity = NSUserActivity(activityType: "com.example.sketch.drawing")
            activity.title = document.localizedName
            activity.needsSave = true
            // The document adds its location, the controller the part that is displayed.
            document.userActivity = activity
            self.userActivity = activity
            self.zoom = document.strokes.count
            report("opened \(document.strokes)")
            then?(document)
        }
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: ["zoom": zoom])
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        zoom = activity.userInfo?["zoom"] as? Int ?? 1
        report("restored zoom \(zoom)")
    }
}
