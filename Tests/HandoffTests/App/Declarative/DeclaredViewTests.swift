// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows U01.
@Suite @MainActor struct DeclaredViewTests {
    private static let editing = "com.example.notes.editing"
    private static let browsing = "com.example.notes.browsing"

    /// A part of a window, as a toolkit stores it.
    private final class Node: HandoffDeclaredView {
        let viewIdentity: AnyHashable
        let viewLifetime: HandoffViewLifetime

        init(_ name: String, in window: UIWindow? = nil) {
            viewIdentity = name
            viewLifetime = HandoffViewLifetime(in: window)
        }
    }

    @Test func viewOfTheMainWindowIsOfferedWithItsState() async throws {
        let fixture = try await AppFixture()
        let node = Node("note", in: fixture.mainWindow())
        node.userActivity(Self.editing) { activity in
            activity.title = "Note 7"
            activity.userInfo = ["note": 7]
        }
        #expect(try await fixture.nextTitle() == "Note 7")
        let activity = try #require(node.viewLifetime.window?.hooks.slot.activity)
        #expect(try await fixture.laptop.fetch(activity).entries() as? [String: Int] == ["note": 7])
    }

    @Test func otherWindowsViewsAreNotOffered() async throws {
        let fixture = try await AppFixture()
        let (first, second) = (fixture.mainWindow(), fixture.mainWindow())
        let back = Node("back", in: first)
        back.userActivity(Self.editing) { $0.title = "In the back" }
        #expect(try await fixture.saidNothing())
        let front = Node("front", in: second)
        front.userActivity(Self.editing) { $0.title = "In front" }
        #expect(try await fixture.nextTitle() == "In front")
        fixture.toolkit.windowBecameMain(first)
        #expect(try await fixture.nextTitle() == "In the back")
    }

    @Test(arguments: HandoffCurrentActivityRule.allCases)
    func closedWindowOffersNothing(rule: HandoffCurrentActivityRule) async throws {
        let fixture = try await AppFixture(rule: rule)
        let window = fixture.mainWindow()
        let node = Node("note", in: window)
        node.userActivity(Self.editing) { $0.title = "Note 7" }
        #expect(try await fixture.nextTitle() == "Note 7")
        weak let activity = window.hooks.slot.activity
        fixture.toolkit.windowClosed(window)
        _ = try await fixture.daemon.nextWithdrawal()
        #expect(activity == nil)
        // After it is opened again, its views' declarations are gone.
        fixture.toolkit.windowBecameMain(window)
        #expect(try await fixture.saidNothing())
    }

    @Test func declarationsOfAClosedWindowHaveNoEffect() async throws {
        let fixture = try await AppFixture()
        var window: UIWindow? = fixture.mainWindow()
        let node = Node("note", in: window)
        if let window { fixture.toolkit.windowClosed(window) }
        window?.userActivity(Self.editing) { $0.title = "Closed" }
        node.userActivity(Self.editing) { $0.title = "Closed" }
        #expect(try await fixture.saidNothing())
        weak let gone = window
        window = nil
        #expect(gone == nil)
        #expect(node.viewLifetime.window == nil)
        node.userActivity(Self.editing) { $0.title = "Gone" }
            .onContinueUserActivity(Self.editing) { _ in Issue.record("nothing came") }
            .onOpenURL { _ in Issue.record("nothing came") }
            .handlesExternalEvents(preferring: ["*"], allowing: ["*"])
        #expect(try await fixture.saidNothing())
        // Until the toolkit places the view elsewhere.
        node.viewLifetime.window = fixture.mainWindow()
        #expect(try await fixture.nextTitle() == "Gone")
    }

    @Test func declarationsWaitForTheWindowToOpen() async throws {
        let fixture = try await AppFixture()
        let window = UIWindow()
        window.userActivity(Self.editing) { $0.title = "Window" }
        #expect(window.hooks.slot.activity == nil)
        #expect(try await fixture.saidNothing())
        fixture.toolkit.windowBecameMain(window)
        #expect(try await fixture.nextTitle() == "Window")
    }

    @Test func neitherAnInactiveViewNorOneWithoutAnElementIsOffered() async throws {
        let fixture = try await AppFixture()
        let node = Node("note", in: fixture.mainWindow())
        node.userActivity(Self.editing, isActive: false) { _ in Issue.record("it is not active") }
        node.userActivity(Self.browsing, element: Int?.none) { _, _ in Issue.record("there is no element") }
        #expect(try await fixture.saidNothing())
        node.userActivity(Self.browsing, element: 7) { $1.title = "Note \($0)" }
        #expect(try await fixture.nextTitle() == "Note 7")
        node.userActivity(Self.browsing, element: 8) { $1.title = "Note \($0)" }
        #expect(try await fixture.nextTitle() == "Note 8")
        node.userActivity(Self.browsing, element: Int?.none) { _, _ in Issue.record("there is no element") }
        _ = try await fixture.daemon.nextWithdrawal()
        node.userActivity(Self.editing, isActive: true) { $0.title = "Active" }
        #expect(try await fixture.nextTitle() == "Active")
        node.userActivity(Self.editing, isActive: false) { _ in Issue.record("it is not active") }
        _ = try await fixture.daemon.nextWithdrawal()
    }

    @Test func changedStateReplacesTheContentOfTheSameActivity() async throws {
        let fixture = try await AppFixture()
        let window = fixture.mainWindow()
        let node = Node("note", in: window)
        node.userActivity(Self.editing) { $0.addUserInfoEntries(from: ["draft": true]) }
        _ = try await fixture.nextTitle()
        let activity = try #require(window.hooks.slot.activity)
        node.userActivity(Self.editing) { $0.addUserInfoEntries(from: ["note": 7]) }
        #expect(window.hooks.slot.activity === activity)
        #expect(try await fixture.laptop.fetch(activity).entries() as? [String: Int] == ["note": 7])
    }

    /// With and without clearing by the framework.
    @Test func entriesAViewNoLongerAddsAreRemoved() async throws {
        let fixture = try await AppFixture()
        let window = fixture.mainWindow()
        var key = "draft"
        window.userActivity(Self.editing) { $0.addUserInfoEntries(from: [key: 1]) }
        let activity = try #require(window.hooks.slot.activity)
        activity.addUserInfoEntries(from: ["of another": 2])
        key = "note"
        window.hooks.updateUserActivityState(activity)
        #expect(activity.userInfo as? [String: Int] == ["note": 1, "of another": 2])
    }

    /// A change that did not rebuild the view.
    @Test func stateIsAskedForWhenTheActivityIsWanted() async throws {
        let fixture = try await AppFixture()
        let window = fixture.mainWindow()
        var place = 1
        let calls = fixture.calls
        window.userActivity(Self.editing) { activity in
            calls.post(MainThread.isCurrent ? "main" : "background")
            activity.addUserInfoEntries(from: ["place": place])
        }
        _ = try await fixture.nextTitle()
        place = 2
        let activity = try #require(window.hooks.slot.activity)
        #expect(try await fixture.laptop.fetch(activity).entries() as? [String: Int] == ["place": 2])
        #expect(calls.waiting == ["main", "main"])
        // No change was declared since then.
        #expect(try await fixture.laptop.fetch(activity).entries() as? [String: Int] == ["place": 2])
        #expect(calls.waiting.count == 2)
        place = 3
        activity.needsSave = true
        #expect(try await fixture.laptop.fetch(activity).entries() as? [String: Int] == ["place": 3])
    }

    @Test func viewsWithOneTypePutTheirPartsIntoOneActivity() async throws {
        let fixture = try await AppFixture()
        let window = fixture.mainWindow()
        let (text, tags) = (Node("text", in: window), Node("tags", in: window))
        text.userActivity(Self.editing) { $0.addUserInfoEntries(from: ["text": 1]) }
        tags.userActivity(Self.editing) { $0.addUserInfoEntries(from: ["tags": 2]) }
        _ = try await fixture.nextTitle()
        let activity = try #require(window.hooks.slot.activity)
        #expect(try await fixture.laptop.fetch(activity).entries() as? [String: Int] == ["text": 1, "tags": 2])
        text.viewLifetime.end()
        #expect(window.hooks.slot.activity === activity)
        #expect(try await fixture.laptop.fetch(activity).entries() as? [String: Int] == ["tags": 2])
    }

    @Test func removedViewRestoresThePreviousActivity() async throws {
        let fixture = try await AppFixture()
        let window = fixture.mainWindow()
        let list = Node("list", in: window)
        list.userActivity(Self.browsing) { $0.title = "All notes" }
        #expect(try await fixture.nextTitle() == "All notes")
        var note: Node? = Node("note", in: window)
        note?.userActivity(Self.editing) { $0.title = "Note 7" }
        #expect(try await fixture.nextTitle() == "Note 7")
        // Releasing its lifetime is enough.
        note = nil
        #expect(try await fixture.nextTitle() == "All notes")
    }

    @Test func viewThatMovesTakesWhatItDeclaredAlong() async throws {
        let fixture = try await AppFixture()
        let (first, second) = (fixture.mainWindow(), fixture.mainWindow())
        let node = Node("note")
        node.userActivity(Self.editing) { $0.title = "Note 7" }
        node.viewLifetime.window = first
        #expect(try await fixture.saidNothing())
        node.viewLifetime.window = second
        #expect(try await fixture.nextTitle() == "Note 7")
        #expect(first.hooks.slot.activity == nil)
        node.viewLifetime.window = nil
        _ = try await fixture.daemon.nextWithdrawal()
        node.viewLifetime.end()
        node.viewLifetime.window = second
        node.userActivity(Self.editing) { $0.title = "Over" }
        #expect(try await fixture.saidNothing())
    }

    /// A controller with the focus precedes the declarations of the window's views, which precede the window.
    @Test func responderWithTheFocusGoesBeforeAndTheWindowAfterWhatViewsDeclare() async throws {
        let fixture = try await AppFixture()
        let page = fixture.page("page")
        let window = fixture.mainWindow(with: page)
        window.userActivity = fixture.laptop.activity(title: "Window")
        #expect(try await fixture.nextTitle() == "Window")
        Node("note", in: window).declaring(Self.editing, titled: "View", for: fixture)
        #expect(try await fixture.nextTitle() == "View")
        page.userActivity = fixture.laptop.activity(title: "Page")
        #expect(try await fixture.nextTitle() == "Page")
    }

    @Test func controllerOnTheScreenGoesBeforeWhatViewsDeclare() async throws {
        let fixture = try await AppFixture(rule: .visibleViewControllers)
        let page = fixture.page("page", offering: "Page")
        let window = fixture.mainWindow(with: page)
        window.userActivity(Self.editing) { $0.title = "View" }
        #expect(try await fixture.nextTitle() == "View")
        fixture.toolkit.viewDidAppear(page)
        #expect(try await fixture.nextTitle() == "Page")
        fixture.toolkit.viewDidDisappear(page)
        #expect(try await fixture.nextTitle() == "View")
    }

    // MARK: Invalid and unusual use

    @Test func invalidActivityTypeIsNotOfferedAndLogged() async throws {
        let fixture = try await AppFixture()
        let window = fixture.mainWindow()
        fixture.laptop.center.run {
            _ = window.userActivity("") { _ in Issue.record("it has no type") }
            window.userActivity(String(repeating: "x", count: 256), element: 1) { _, _ in Issue.record("too long") }
        }
        #expect(
            try await fixture.laptop.log.next().hasPrefix("a view offers no activity, because its type is not allowed"))
        #expect(
            try await fixture.laptop.log.next().hasPrefix("a view offers no activity, because its type is not allowed"))
        #expect(try await fixture.saidNothing())
    }

    @Test func updateMayDeclareAgainEndTheActivityAndCloseTheWindow() async throws {
        let fixture = try await AppFixture()
        let window = fixture.mainWindow()
        var calls = 0
        func declare() {
            window.userActivity(Self.editing) { activity in
                calls += 1
                activity.title = "Note \(calls)"
                declare()
            }
        }
        declare()
        #expect(try await fixture.nextTitle() == "Note 1")
        #expect(calls == 1)
        window.userActivity(Self.editing) { $0.invalidate() }
        _ = try await fixture.daemon.nextWithdrawal()
        window.userActivity(Self.editing) { $0.title = "Another one" }
        #expect(try await fixture.nextTitle() == "Another one")
        window.userActivity(Self.editing) { _ in window.close() }
        _ = try await fixture.daemon.nextWithdrawal()
        #expect(window.hooks.slot.activity == nil)
    }

    @Test func updateThatOffersAnotherActivityDoesNotCallItself() async throws {
        let fixture = try await AppFixture()
        let window = fixture.mainWindow()
        let other = Node("other", in: window)
        var calls = 0
        window.userActivity(Self.editing) { activity in
            calls += 1
            other.userActivity(Self.browsing, isActive: calls > 0) { $0.title = "Browsing" }
        }
        await mainThreadCaughtUp()
        #expect(try await fixture.nextTitle() == "Browsing")
        #expect(calls == 1)
    }

    /// An action that is released may own a view itself.
    @Test func actionMayHoldAViewThatGoesWithIt() async throws {
        let fixture = try await AppFixture()
        let window = fixture.mainWindow()
        var held: Node? = Node("held", in: window)
        held?.userActivity(Self.browsing) { $0.title = "Held" }
        window.onOpenURL { [held] _ in withExtendedLifetime(held) {} }
        #expect(try await fixture.nextTitle() == "Held")
        held = nil
        #expect(try await fixture.saidNothing())
        window.onOpenURL { _ in }
        _ = try await fixture.daemon.nextWithdrawal()
        held = Node("held", in: window)
        held?.userActivity(Self.browsing) { $0.title = "Held again" }
        window.onOpenURL { [held] _ in withExtendedLifetime(held) {} }
        held = nil
        #expect(try await fixture.nextTitle() == "Held again")
        fixture.toolkit.windowClosed(window)
        _ = try await fixture.daemon.nextWithdrawal()
    }

    @Test func sceneAddsToWhatItsViewsOffer() async throws {
        let fixture = try await AppFixture()
        let app = SceneApp()
        let window = UIWindow()
        app.connected = { window.windowScene = $0 as? UIWindowScene }
        fixture.application.delegate = app
        fixture.application.finishLaunching()
        fixture.toolkit.windowBecameMain(window)
        window.userActivity(Self.editing) { $0.addUserInfoEntries(from: ["note": 7]) }
        _ = try await fixture.nextTitle()
        let activity = try #require(window.hooks.slot.activity)
        #expect(try await fixture.laptop.fetch(activity).entries()["version"] as? Int == 2)
        #expect(app.calls.last == "1 update")
    }
}

extension HandoffDeclaredView {
    /// Retained by the application.
    fileprivate func declaring(_ type: String, titled title: String, for fixture: AppFixture) {
        userActivity(type) { $0.title = title }
        let lifetime = viewLifetime
        viewLifetime.window?.onOpenURL { _ in withExtendedLifetime(lifetime) {} }
    }
}
