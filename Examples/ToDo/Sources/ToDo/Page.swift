// SPDX-License-Identifier: Apache-2.0

import HandoffApp

// The part of a declarative toolkit that a terminal needs: a page is a value that is rebuilt on each change. Your own
// toolkit can provide these modifiers for its views in the same way.

/// The content of the screen.
@MainActor
struct Page {
    /// The page's identity across rebuilds.
    let identity: AnyHashable
    let text: String
    private(set) var modifiers: [@MainActor (Node) -> Void] = []

    init(_ identity: AnyHashable, _ text: String) {
        self.identity = identity
        self.text = text
    }

    func userActivity<P>(
        _ activityType: String, element: P?, _ update: @escaping (P, NSUserActivity) -> Void
    ) -> Page {
        with { $0.userActivity(activityType, element: element, update) }
    }

    func userActivity(_ activityType: String, _ update: @escaping (NSUserActivity) -> Void) -> Page {
        with { $0.userActivity(activityType, update) }
    }

    private func with(_ modifier: @escaping @MainActor (Node) -> Void) -> Page {
        var page = self
        page.modifiers.append(modifier)
        return page
    }
}

/// The node of a page: exists while the page is on the screen, across rebuilds of its value.
@MainActor
final class Node: HandoffDeclaredView {
    let viewIdentity: AnyHashable
    let viewLifetime: HandoffViewLifetime

    init(_ identity: AnyHashable, in window: UIWindow) {
        viewIdentity = identity
        viewLifetime = HandoffViewLifetime(in: window)
    }
}

/// Shows one page at a time.
@MainActor
final class Screen {
    let window: UIWindow
    private var node: Node?
    private let say: (String) -> Void

    init(in scene: UIWindowScene, say: @escaping (String) -> Void) {
        window = UIWindow(windowScene: scene)
        self.say = say
    }

    func show(_ page: Page) {
        // Adds the new page before it removes the old one, so that other devices see no gap.
        let before = node
        if before?.viewIdentity != page.identity { node = Node(page.identity, in: window) }
        if let node { page.modifiers.forEach { $0(node) } }
        say(page.text)
        withExtendedLifetime(before) {}
    }
}
