// SPDX-License-Identifier: Apache-2.0

// The environment of the ported apps: the user and the screen, in place of a nib, a toolkit and a person.

import Foundation
import HandoffApp

/// Prints one line, on any thread.
func report(_ line: String) { print(line) }

@MainActor enum User {
    /// The app's reaction to a line that its user types.
    static var says: (String) -> Void = { _ in }

    /// Reads the user's lines until their end, on a separate thread.
    static func starts() {
        Thread.detachNewThread {
            while let line = readLine() { DispatchQueue.main.async { MainActor.assumeIsolated { says(line) } } }
        }
    }
}

@MainActor enum Screen {
    /// Reports the window and its view as visible, as a toolkit does.
    static func shows(_ window: UIWindow?, by rule: HandoffCurrentActivityRule) {
        let application = UIApplication.shared
        application.currentActivityRule = rule
        guard let window else { return }
        application.toolkit.windowBecameMain(window)
        if let controller = window.rootViewController { application.toolkit.viewDidAppear(controller) }
    }
}
