// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire

@testable import Handoff
@testable import HandoffApp

/// A laptop with an app that has windows.
@MainActor final class AppFixture {
    let laptop: Laptop
    let application: UIApplication
    let calls = Mailbox<String>()

    var toolkit: HandoffToolkit { application.toolkit }
    var daemon: FakeDaemon { laptop.daemon }

    init(rule: HandoffCurrentActivityRule = .mainWindow, manners: FakeDaemon.Manners = .init()) async throws {
        laptop = try Laptop(manners: manners, bundle: "com.example.reader")
        application = UIApplication(center: laptop.center)
        application.currentActivityRule = rule
        _ = try await laptop.daemon.hellos.next()
        try await laptop.caughtUp()
    }

    isolated deinit {
        for window in toolkit.windows { toolkit.windowClosed(window) }
        application.userActivity = nil
    }

    func page(_ name: String, offering title: String? = nil) -> Page {
        let page = Page(name, calls: calls)
        if let title { page.userActivity = laptop.activity(title: title) }
        return page
    }

    /// A window with the controller in it, in front of the others.
    func mainWindow(with controller: UIViewController? = nil) -> UIWindow {
        let window = UIWindow()
        window.rootViewController = controller
        window.makeFirstResponder(controller)
        toolkit.windowBecameMain(window)
        return window
    }

    /// The title of the next frame, which must be a publication.
    func nextTitle() async throws -> String? { try await daemon.nextPublication().title?.text }

    /// Whether no frame has arrived since the last one taken.
    func saidNothing() async throws -> Bool {
        try await laptop.caughtUp()
        return daemon.frames.waiting.isEmpty
    }
}

/// A view controller that records its calls.
final class Page: UIViewController {
    let name: String
    let calls: Mailbox<String>
    var onUpdate: (NSUserActivity) -> Void = { _ in }

    init(_ name: String, calls: Mailbox<String>) {
        self.name = name
        self.calls = calls
        super.init()
    }

    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        calls.post("update \(name) \(MainThread.isCurrent ? "main" : "background")")
        activity.addUserInfoEntries(from: [name: "here"])
        onUpdate(activity)
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        calls.post("restore \(name) \(activity.title ?? "") \(MainThread.isCurrent ? "main" : "background")")
    }
}

extension ActivityState {
    /// As an app receives it.
    func entries() throws -> [AnyHashable: Any] { try ActivityContent(self).userInfo?.foundation ?? [:] }
}
