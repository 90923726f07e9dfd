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
        let desk = try await Desk()
        let node = Node("note", in: desk.mainWindow())
        node.userActivity(Self.editing) { activity in
            activity.title = "Note 7"
            activity.userInfo = ["note": 7]
        }
        #expect(try await desk.nextTitle() == "Note 7")
        let activity = try #require(node.viewLifetime.window?.hooks.slot.activity)
        #expect(try await desk.laptop.fetch(activity).entries() as? [String: Int] == ["note": 7])
    }

    @Test func otherWindowsViewsAreNotOffered() async throws {
        let desk = try await Desk()
        let (first, second) = (desk.mainWindow(), desk.mainWindow())
        let back = Node("back", in: first)
        back.userActivity(Self.editing) { $0.title = "In the back" }
        #expect(try await desk.saidNothing())
        let front = Node("front", in: second)
        front.userActivity(Self.editing) { $0.title = "In front" }
        #expect(try await desk.nextTitle() == "In front")
        desk.toolkit.windowBecameMain(first)
        #expect(try await desk.nextTitle() == "In the back")
    }

    @Test(arguments: HandoffCurrentActivityRule.allCases)
    func closedWindowOffersNothing(rule: HandoffCurrentActivityRule) async throws {
        let desk = try await Desk(rule: rule)
        let window = desk.mainWindow()
        let node = Node("note", in: window)
        node.userActivity(Self.editing) { $0.title = "Note 7" }
        #expect(try await desk.nextTitle() == "Note 7")
        weak let activity = window.hooks.slot.activity
        desk.toolkit.windowClosed(window)
        _ = try await desk.daemon.nextWithdrawal()
        #expect(activity == nil)
        // After it is opened again, its views' declarations are gone.
        desk.toolkit.windowBecameMain(window)
        #expect(try await desk.saidNothing())
    }

    @Test func declarationsOfAClosedWindowHaveNoEffect() async throws {
        let desk = try await Desk()
        var window: UIWindow? = desk.mainWindow()
        let node = Node("note", in: window)
        if let window { desk.toolkit.windowClosed(window) }
        window?.userActivity(Self.editing) { $0.title = "Closed" }
        node.userActivity(Self.editing) { $0.title = "Closed" }
        #expect(try await desk.saidNothing())
        weak let gone = window
        window = nil
        #expect(gone == nil)
        #expect(node.viewLifetime.window == nil)
        node.userActivity(Self.editing) { $0.title = "Gone" }
            .onContinueUserActivity(Self.editing) { _ in Issue.record("nothing came") }
            .onOpenURL { _ in Issue.record("nothing came") }
            .handlesExternalEvents(preferring: ["*"], allowing: ["*"])
        #expect(try await desk.saidNothing())
        // Until the toolkit places the view elsewhere.
        node.viewLifetime.window = desk.mainWindow()
        #expect(try await desk.nextTitle() == "Gone")
    }

    @Test func declarationsWaitForTheWindowToOpen() async throws {
        let desk = try await Desk()
        let window = UIWindow()
        window.userActivity(Self.editing) { $0.title = "Window" }
        #expect(window.hooks.slot.activity == nil)
        #expect(try await desk.saidNothing())
        desk.toolkit.windowBecameMain(window)
        #expect(try await desk.nextTitle() == "Window")
    }

    @Test func neitherAnInactiveViewNorOneWithoutAnElementIsOffered() async throws {
        let desk = try await Desk()
        let node = Node("note", in: desk.mainWindow())
        node.userActivity(Self.editing, isActive: false) { _ in Issue.record("it is not active") }
        node.userActivity(Self.browsing, element: Int?.none) { _, _ in Issue.record("there is no element") }
        #expect(try await desk.saidNothing())
        node.userActivity(Self.browsing, element: 7) { $1.title = "Note \($0)" }
        #expect(try await desk.nextTitle() == "Note 7")
        node.userActivity(Self.browsing, element: 8) { $1.title = "Note \($0)" }
        #expect(try await desk.nextTitle() == "Note 8")
        node.userActivity(Self.browsing, element: Int?.none) { _, _ in Issue.record("there is no element") }
        _ = try await desk.daemon.nextWithdrawal()
        node.userActivity(Self.editing, isActive: true) { $0.title = "Active" }
        #expect(try await desk.nextTitle() == "Active")
        node.userActivity(Self.editing, isActive: false) { _ in Issue.record("it is not active") }
        _ = try await desk.daemon.nextWithdrawal()
    }

    @Test func changedStateIsTheSameActivityWithNothingLeftOfTheOldOne() async throws {
        let desk = try await Desk()
        let window = desk.mainWindow()
        let node = Node("note", in: window)
        node.userActivity(Self.editing) { $0.addUserInfoEntries(from: ["draft": true]) }
        _ = try await desk.nextTitle()
        let activity = try #require(window.hooks.slot.activity)
        node.userActivity(Self.editing) { $0.addUserInfoEntries(from: ["note": 7]) }
        #expect(window.hooks.slot.activity === activity)
        #expect(try await desk.laptop.fetch(activity).entries() as? [String: Int] == ["note": 7])
    }

    /// With and without clearing by the framework.
    @Test func entriesAViewNoLongerAddsAreRemoved() async throws {
        let desk = try await Desk()
        let window = desk.mainWindow()
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
        let desk = try await Desk()
        let window = desk.mainWindow()
        var place = 1
        let calls = desk.calls
        window.userActivity(Self.editing) { activity in
            calls.post(MainThread.isCurrent ? "main" : "background")
            activity.addUserInfoEntries(from: ["place": place])
        }
        _ = try await desk.nextTitle()
        place = 2
        let activity = try #require(window.hooks.slot.activity)
        #expect(try await desk.laptop.fetch(activity).entries() as? [String: Int] == ["place": 2])
        #expect(calls.waiting == ["main", "main"])
        // No change was declared since then.
        #expect(try await desk.laptop.fetch(activity).entries() as? [String: Int] == ["place": 2])
        #expect(calls.waiting.count == 2)
        place = 3
        activity.needsSave = true
        #expect(try await desk.laptop.fetch(activity).entries() as? [String: Int] == ["place": 3])
    }

    @Test func viewsWithOneTypePutTheirPartsIntoOneActivity() async throws {
        let desk = try await Desk()
        let window = desk.mainWindow()
        let (text, tags) = (Node("text", in: window), Node("tags", in: window))
        text.userActivity(Self.editing) { $0.addUserInfoEntries(from: ["text": 1]) }
        tags.userActivity(Self.editing) { $0.addUserInfoEntries(from: ["tags": 2]) }
        _ = try await desk.nextTitle()
        let activity = try #require(window.hooks.slot.activity)
        #expect(try await desk.laptop.fetch(activity).entries() as? [String: Int] == ["text": 1, "tags": 2])
        text.viewLifetime.end()
        #expect(window.hooks.slot.activity === activity)
        #expect(try await desk.laptop.fetch(activity).entries() as? [String: Int] == ["tags": 2])
    }

    @Test func viewThatGoesBringsBackTheOneBefore() async throws {
        let desk = try await Desk()
        let window = desk.mainWindow()
        let list = Node("list", in: window)
        list.userActivity(Self.browsing) { $0.title = "All notes" }
        #expect(try await desk.nextTitle() == "All notes")
        var note: Node? = Node("note", in: window)
        note?.userActivity(Self.editing) { $0.title = "Note 7" }
        #expect(try await desk.nextTitle() == "Note 7")
        // Releasing its lifetime is enough.
        note = nil
        #expect(try await desk.nextTitle() == "All notes")
    }

    @Test func viewThatMovesTakesWhatItDeclaredAlong() async throws {
        let desk = try await Desk()
        let (first, second) = (desk.mainWindow(), desk.mainWindow())
        let node = Node("note")
        node.userActivity(Self.editing) { $0.title = "Note 7" }
        node.viewLifetime.window = first
        #expect(try await desk.saidNothing())
        node.viewLifetime.window = second
        #expect(try await desk.nextTitle() == "Note 7")
        #expect(first.hooks.slot.activity == nil)
        node.viewLifetime.window = nil
        _ = try await desk.daemon.nextWithdrawal()
        node.viewLifetime.end()
        node.viewLifetime.window = second
        node.userActivity(Self.editing) { $0.title = "Over" }
        #expect(try await desk.saidNothing())
    }

    /// A controller with the focus precedes the declarations of the window's views, which precede the window.
    @Test func responderWithTheFocusGoesBeforeAndTheWindowAfterWhatViewsDeclare() async throws {
        let desk = try await Desk()
        let page = desk.page("page")
        let window = desk.mainWindow(with: page)
        window.userActivity = desk.laptop.activity(title: "Window")
        #expect(try await desk.nextTitle() == "Window")
        Node("note", in: window).declaring(Self.editing, titled: "View", for: desk)
        #expect(try await desk.nextTitle() == "View")
        page.userActivity = desk.laptop.activity(title: "Page")
        #expect(try await desk.nextTitle() == "Page")
    }

    @Test func controllerOnTheScreenGoesBeforeWhatViewsDeclare() async throws {
        let desk = try await Desk(rule: .visibleViewControllers)
        let page = desk.page("page", offering: "Page")
        let window = desk.mainWindow(with: page)
        window.userActivity(Self.editing) { $0.title = "View" }
        #expect(try await desk.nextTitle() == "View")
        desk.toolkit.viewDidAppear(page)
        #expect(try await desk.nextTitle() == "Page")
        desk.toolkit.viewDidDisappear(page)
        #expect(try await desk.nextTitle() == "View")
    }

    // MARK: Invalid and unusual use

    @Test func invalidActivityTypeIsNotOfferedAndLogged() async throws {
        let desk = try await Desk()
        let window = desk.mainWindow()
        desk.laptop.center.run {
            _ = window.userActivity("") { _ in Issue.record("it has no type") }
            window.userActivity(String(repeating: "x", count: 256), element: 1) { _, _ in Issue.record("too long") }
        }
        #expect(
            try await desk.laptop.log.next().hasPrefix("a view offers no activity, because its type is not allowed"))
        #expect(
            try await desk.laptop.log.next().hasPrefix("a view offers no activity, because its type is not allowed"))
        #expect(try await desk.saidNothing())
    }

    @Test func updateMayDeclareAgainEndTheActivityAndCloseTheWindow() async throws {
        let desk = try await Desk()
        let window = desk.mainWindow()
        var calls = 0
        func declare() {
            window.userActivity(Self.editing) { activity in
                calls += 1
                activity.title = "Note \(calls)"
                declare()
            }
        }
        declare()
        #expect(try await desk.nextTitle() == "Note 1")
        #expect(calls == 1)
        window.userActivity(Self.editing) { $0.invalidate() }
        _ = try await desk.daemon.nextWithdrawal()
        window.userActivity(Self.editing) { $0.title = "Another one" }
        #expect(try await desk.nextTitle() == "Another one")
        window.userActivity(Self.editing) { _ in window.close() }
        _ = try await desk.daemon.nextWithdrawal()
        #expect(window.hooks.slot.activity == nil)
    }

    @Test func updateThatOffersAnotherActivityDoesNotCallItself() async throws {
        let desk = try await Desk()
        let window = desk.mainWindow()
        let other = Node("other", in: window)
        var calls = 0
        window.userActivity(Self.editing) { activity in
            calls += 1
            other.userActivity(Self.browsing, isActive: calls > 0) { $0.title = "Browsing" }
        }
        await mainThreadCaughtUp()
        #expect(try await desk.nextTitle() == "Browsing")
        #expect(calls == 1)
    }

    /// An action that is released may own a view itself.
    @Test func actionMayHoldAViewThatGoesWithIt() async throws {
        let desk = try await Desk()
        let window = desk.mainWindow()
        var held: Node? = Node("held", in: window)
        held?.userActivity(Self.browsing) { $0.title = "Held" }
        window.onOpenURL { [held] _ in withExtendedLifetime(held) {} }
        #expect(try await desk.nextTitle() == "Held")
        held = nil
        #expect(try await desk.saidNothing())
        window.onOpenURL { _ in }
        _ = try await desk.daemon.nextWithdrawal()
        held = Node("held", in: window)
        held?.userActivity(Self.browsing) { $0.title = "Held again" }
        window.onOpenURL { [held] _ in withExtendedLifetime(held) {} }
        held = nil
        #expect(try await desk.nextTitle() == "Held again")
        desk.toolkit.windowClosed(window)
        _ = try await desk.daemon.nextWithdrawal()
    }

    @Test func sceneAddsToWhatItsViewsOffer() async throws {
        let desk = try await Desk()
        let app = SceneApp()
        let window = UIWindow()
        app.connected = { window.windowScene = $0 as? UIWindowScene }
        desk.application.delegate = app
        desk.application.finishLaunching()
        desk.toolkit.windowBecameMain(window)
        window.userActivity(Self.editing) { $0.addUserInfoEntries(from: ["note": 7]) }
        _ = try await desk.nextTitle()
        let activity = try #require(window.hooks.slot.activity)
        #expect(try await desk.laptop.fetch(activity).entries()["version"] as? Int == 2)
        #expect(app.calls.last == "1 update")
    }
}

extension HandoffDeclaredView {
    /// Retained by the application.
    fileprivate func declaring(_ type: String, titled title: String, for desk: Desk) {
        userActivity(type) { $0.title = title }
        let lifetime = viewLifetime
        viewLifetime.window?.onOpenURL { _ in withExtendedLifetime(lifetime) {} }
    }
}
