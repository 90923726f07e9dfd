// SPDX-License-Identifier: Apache-2.0

// What is no part of a ported app: the user and the screen, which a nib, a toolkit and a person would be.

import Foundation
import HandoffApp

/// One line to whoever looks on. From any thread.
func report(_ line: String) { print(line) }

@MainActor enum User {
    /// What the app does when its user types a line.
    static var says: (String) -> Void = { _ in }

    /// Reads the user's lines until they end, on a thread of its own.
    static func starts() {
        Thread.detachNewThread {
            while let line = readLine() { DispatchQueue.main.async { MainActor.assumeIsolated { says(line) } } }
        }
    }
}

@MainActor enum Screen {
    /// The window and the view in it are on the screen, as a toolkit tells it.
    static func shows(_ window: UIWindow?, by rule: HandoffCurrentActivityRule) {
        let application = UIApplication.shared
        application.currentActivityRule = rule
        guard let window else { return }
        application.toolkit.windowBecameMain(window)
        if let controller = window.rootViewController { application.toolkit.viewDidAppear(controller) }
    }
}
