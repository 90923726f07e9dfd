// SPDX-License-Identifier: Apache-2.0

// A document-based app as in AppKit's documentation and Xcode's template: `@main` and a document class that the
// Info.plist names. Neither the delegate nor the document mentions continuing. Ported: the import, and a document
// controller that names the shared folder, in place of iCloud.

import Foundation
import HandoffApp

@main
class AppDelegate: NSObject, NSApplicationDelegate {
    func applicationWillFinishLaunching(_ notification: Notification) {
        NSApplication.shared.documentController = SharedFolderDocumentController()
    }

    func applicationDidFinishLaunching(_ notification: Notification) {
        User.says = { path in
            NSDocumentController.shared.openDocument(
                withContentsOf: URL(fileURLWithPath: path), display: true
            ) { document, wasOpen, error in
                if let error { report("cannot open \(error.localizedDescription)") }
            }
        }
        User.starts()
    }
}

class Letter: NSDocument {
    var text = ""

    override init() {
        super.init()
    }

    override func read(from data: Data, ofType typeName: String) throws {
        text = String(decoding: data, as: UTF8.self)
        report("read \(text)")
    }

    override func data(ofType typeName: String) throws -> Data {
        Data(text.utf8)
    }

    override func makeWindowControllers() {
        addWindowController(NSWindowController(window: NSWindow()))
    }

    override func updateUserActivityState(_ userActivity: NSUserActivity) {
        super.updateUserActivityState(userActivity)
        userActivity.addUserInfoEntries(from: ["line": text.count])
    }

    override func restoreUserActivityState(_ userActivity: NSUserActivity) {
        super.restoreUserActivityState(userActivity)
        report("restored line \(userActivity.userInfo?["line"] as? Int ?? 0)")
    }
}

class SharedFolderDocumentController: NSDocumentController {
    // Only that folder: documents elsewhere are not for other devices.
    override func isShared(_ url: URL) -> Bool {
        url.standardizedFileURL.resolvingSymlinksInPath().pathComponents.contains("Shared Letters")
    }
}
