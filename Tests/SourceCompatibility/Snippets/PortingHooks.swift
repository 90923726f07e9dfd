// SPDX-License-Identifier: Apache-2.0

// The code in PortAnApp.md.

import HandoffApp

class PageViewController: UIViewController {
    private let page = 41

    // On Apple's systems this stood in `extension PageViewController`.
    override func updateUserActivityState(_ activity: NSUserActivity) {
        super.updateUserActivityState(activity)
        activity.addUserInfoEntries(from: ["page": page])
    }
}

@MainActor
final class LibrarySceneDelegate: UIResponder, UIWindowSceneDelegate {
    private let library = Library()

    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
        await library.open(shortcutItem.type)
    }
}

private actor Library {
    func open(_ name: String) -> Bool { !name.isEmpty }
}
