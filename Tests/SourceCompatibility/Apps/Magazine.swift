// SPDX-License-Identifier: Apache-2.0

// One activity shared by three view controllers: a list, an article and its notes, each with its part of the state.
// Ported: the import.

import Foundation
import HandoffApp

class MagazineAppDelegate: NSObject, NSApplicationDelegate {
    let list = PartViewController(part: "issue")
    let article = PartViewController(part: "article")
    let notes = PartViewController(part: "notes")
    var window: NSWindow!

    func applicationDidFinishLaunching(_ notification: Notification) {
        list.addChild(article)
        article.present(notes, animated: false)
        window = NSWindow()
        window.contentViewController = list
        window.makeFirstResponder(article)
        Screen.shows(window, by: .mainWindow)
        let activity = NSUserActivity(activityType: "com.example.magazine.reading")
        activity.title = "Magazine"
        for controller in [list, article, notes] { controller.userActivity = activity }
        User.says = { line in
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let part = [self.list, self.article, self.notes].first { $0.part == words.first }
            part?.text = words.last ?? ""
            report("set \(line)")
        }
        report("presents \(article.presentedViewControllers?.count ?? 0)")
    }

    func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([NSUserActivityRestoring]) -> Void
    ) -> Bool {
        restorationHandler([list, article, notes])
        report("continued")
        return true
    }
}

class PartViewController: NSViewController {
    let part: String
    var text = "" {
        didSet { userActivity?.needsSave = true }
    }

    init(part: String) {
        self.part = part
        super.init(nibName: nil, bundle: nil)
    }

    override func updateUserActivityState(_ userActivity: NSUserActivity) {
        super.updateUserActivityState(userActivity)
        userActivity.addUserInfoEntries(from: [part: text])
    }

    override func restoreUserActivityState(_ userActivity: NSUserActivity) {
        super.restoreUserActivityState(userActivity)
        text = userActivity.userInfo?[part] as? String ?? ""
        report("restored \(part) \(text)")
    }
}
