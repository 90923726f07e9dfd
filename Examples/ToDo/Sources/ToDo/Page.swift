// SPDX-License-Identifier: Apache-2.0

import HandoffApp

// As much of a declarative toolkit as a terminal needs: a page is a value, made anew with each change. A toolkit of your own
// gives its views these modifiers in the same way.

/// What is on the screen.
@MainActor
struct Page {
    /// The same for as long as it is the same page.
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

/// A page for as long as it is on the screen: what the values leave behind.
@MainActor
final class Node: HandoffDeclaredView {
    let viewIdentity: AnyHashable
    let viewLifetime: HandoffViewLifetime

    init(_ identity: AnyHashable, in window: UIWindow) {
        viewIdentity = identity
        viewLifetime = HandoffViewLifetime(in: window)
    }
}

/// Shows a page at a time.
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
        // Another page comes before the one that is there goes, so that other devices see no gap.
        let before = node
        if before?.viewIdentity != page.identity { node = Node(page.identity, in: window) }
        if let node { page.modifiers.forEach { $0(node) } }
        say(page.text)
        withExtendedLifetime(before) {}
    }
}
