// SPDX-License-Identifier: Apache-2.0

// The four hooks as in AppKit's documentation, and a window controller that restores itself. Ported: the import.

import Foundation
import HandoffApp

class NotesAppDelegate: NSObject, NSApplicationDelegate {
    var noteWindowController: NoteWindowController?

    func applicationDidFinishLaunching(_ notification: Notification) {
        noteWindowController = NoteWindowController(window: NSWindow())
        noteWindowController?.showWindow(self)
    }

    func application(_ application: NSApplication, willContinueUserActivityWithType userActivityType: String) -> Bool {
        report("will continue \(userActivityType)")
        return userActivityType == "com.example.notes.writing"
    }

    func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([NSUserActivityRestoring]) -> Void
    ) -> Bool {
        guard userActivity.activityType == "com.example.notes.writing", let controller = noteWindowController else {
            return false
        }
        report("continue \(userActivity.title ?? "")")
        // It may be called later.
        DispatchQueue.main.async { restorationHandler([controller]) }
        return true
    }

    func application(
        _ application: NSApplication, didFailToContinueUserActivityWithType userActivityType: String, error: Error
    ) {
        report("failed \((error as NSError).code)")
    }

    func application(_ application: NSApplication, didUpdate userActivity: NSUserActivity) {
        report("did update \(userActivity.userInfo?["text"] as? String ?? "")")
    }
}

class NoteWindowController: NSWindowController {
    var text = "" {
        didSet { userActivity?.needsSave = true }
    }

    override func showWindow(_ sender: Any?) {
        super.showWindow(sender)
        let activity = NSUserActivity(activityType: "com.example.notes.writing")
        activity.title = "A note"
        activity.needsSave = true
        userActivity = activity

        User.says = { [weak self] line in
            self?.text = line
            report("text \(line)")
        }
    }

    override func updateUserActivityState(_ userActivity: NSUserActivity) {
        super.updateUserActivityState(userActivity)
        userActivity.addUserInfoEntries(from: ["text": text])
    }

    override func restoreUserActivityState(_ userActivity: NSUserActivity) {
        super.restoreUserActivityState(userActivity)
        text = userActivity.userInfo?["text"] as? String ?? ""
        report("restored \(text)")
    }
}
