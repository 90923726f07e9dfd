// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import Handoff
@testable import HandoffApp

/// A text document as in AppKit.
final class Letter: NSDocument {
    var text = ""
    var restored: [String] = []
    var windowToMake: UIWindow?

    override func read(from data: Data, ofType typeName: String) throws {
        guard let text = String(data: data, encoding: .utf8) else { throw CocoaError(.fileReadCorruptFile) }
        self.text = text
    }

    override func data(ofType typeName: String) throws -> Data { Data(text.utf8) }

    override func makeWindowControllers() {
        addWindowController(NSWindowController(window: windowToMake))
    }

    override func restoreUserActivityState(_ userActivity: NSUserActivity) {
        super.restoreUserActivityState(userActivity)
        restored.append("\(text) \(userActivity.title ?? "")")
    }
}

/// A text document as in UIKit.
final class Note: UIDocument {
    var text = ""
    var failures: [any Error] = []
    var calls: [String] = []

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        text = (contents as? Data).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }

    override func disableEditing() { calls.append("disable") }
    override func enableEditing() { calls.append("enable") }

    override func handleError(_ error: any Error, userInteractionPermitted: Bool) { failures.append(error) }
}

/// A test's folder.
final class Folder: Sendable {
    let url = URL(filePath: "/tmp/handoff-documents-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String, _ text: String = "Dear Anna") throws -> URL {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file
    }
}
