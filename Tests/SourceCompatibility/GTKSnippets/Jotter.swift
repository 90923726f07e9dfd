// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffGTK

@main
final class Jotter: NSObject, GTKApplicationDelegate {
    static func main() { GTKApplication.shared.run(with: Jotter()) }

    private let note = NoteController()

    func applicationActivated(_ application: GTKApplication) {
        if let window = note.window { return window.makeKeyAndOrderFront(nil) }
        let window = GTKWindow()
        window.title = "Jotter"
        gtk_window_set_default_size(window.window, 480, 320)
        window.rootViewController = note
        window.makeKeyAndOrderFront(nil)
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        restorationHandler([note])
        return true
    }
}

final class NoteController: GTKViewController {
    private let textView: GTKWidget = gtk_text_view_new()
    private var buffer: UnsafeMutablePointer<GtkTextBuffer> {
        gtk_text_view_get_buffer(textView.cast(to: GtkTextView.self))
    }

    override func loadView() { widget = textView }

    override func viewDidLoad() {
        super.viewDidLoad()
        let activity = NSUserActivity(activityType: "com.example.jotter.writing")
        activity.title = "Note"
        activity.needsSave = true
        userActivity = activity
        onGTKSignal("changed", of: buffer.raw) { [weak self] _ in self?.userActivity?.needsSave = true }
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: ["text": text])
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        text = activity.userInfo?["text"] as? String ?? ""
    }

    private var text: String {
        get {
            var (start, end) = (GtkTextIter(), GtkTextIter())
            gtk_text_buffer_get_bounds(buffer, &start, &end)
            guard let text = gtk_text_buffer_get_text(buffer, &start, &end, 1) else { return "" }
            defer { g_free(text) }
            return String(cString: text)
        }
        set { gtk_text_buffer_set_text(buffer, newValue, -1) }
    }
}
