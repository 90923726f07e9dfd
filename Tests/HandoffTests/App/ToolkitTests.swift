// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows R01, R08.
@Suite @MainActor struct MainWindowTests {
    @Test func focusDecidesWithinTheMainWindow() async throws {
        let fixture = try await AppFixture()
        let (root, left, right) = (
            fixture.page("root", offering: "Root"), fixture.page("left", offering: "Left"), fixture.page("right")
        )
        root.addChild(left)
        root.addChild(right)
        let window = fixture.mainWindow(with: root)
        #expect(try await fixture.nextTitle() == "Root")
        fixture.toolkit.firstResponderChanged(to: left, in: window)
        #expect(try await fixture.nextTitle() == "Left")
        // It has no activity: the next responder with one is used.
        fixture.toolkit.firstResponderChanged(to: right, in: window)
        #expect(try await fixture.nextTitle() == "Root")
        fixture.toolkit.firstResponderChanged(to: nil, in: window)
        _ = try await fixture.daemon.nextWithdrawal()
        window.userActivity = fixture.laptop.activity(title: "Window")
        #expect(try await fixture.nextTitle() == "Window")
    }

    @Test func windowThatBecomesMainBringsItsActivity() async throws {
        let fixture = try await AppFixture()
        let first = fixture.mainWindow(with: fixture.page("one", offering: "One"))
        #expect(try await fixture.nextTitle() == "One")
        let second = fixture.mainWindow(with: fixture.page("two", offering: "Two"))
        #expect(try await fixture.nextTitle() == "Two")
        #expect(fixture.application.windows == [second, first])
        fixture.toolkit.windowBecameMain(first)
        #expect(try await fixture.nextTitle() == "One")
        #expect(fixture.application.mainWindow === first)
        #expect(fixture.application.keyWindow === first)
        fixture.toolkit.windowClosed(first)
        #expect(try await fixture.nextTitle() == "Two")
        #expect(!first.isOpen)
    }

    @Test func windowControllersDocumentIsTheEndOfTheChain() async throws {
        let fixture = try await AppFixture()
        let document = NSDocument()
        document.userActivity = fixture.laptop.activity(title: "Letter")
        let page = fixture.page("page")
        let controller = NSWindowController(window: UIWindow())
        let window = try #require(controller.window)
        window.rootViewController = page
        fixture.toolkit.windowBecameMain(window)
        #expect(try await fixture.saidNothing())
        document.addWindowController(controller)
        #expect(try await fixture.nextTitle() == "Letter")
        controller.userActivity = fixture.laptop.activity(title: "Controller")
        #expect(try await fixture.nextTitle() == "Controller")
        fixture.toolkit.firstResponderChanged(to: page, in: window)
        page.userActivity = fixture.laptop.activity(title: "Page")
        #expect(try await fixture.nextTitle() == "Page")
    }

    @Test func turningToAnotherAppKeepsItAndComingBackSaysItAgain() async throws {
        let fixture = try await AppFixture()
        let window = fixture.mainWindow(with: fixture.page("page", offering: "Page"))
        #expect(try await fixture.nextTitle() == "Page")
        fixture.toolkit.windowResignedMain(window)
        fixture.toolkit.applicationResignedActive()
        #expect(fixture.application.mainWindow == nil)
        #expect(try await fixture.saidNothing())
        fixture.toolkit.applicationBecameActive()
        // Again the newest of all apps.
        #expect(try await fixture.nextTitle() == "Page")
        #expect(fixture.application.isActive)
    }

    @Test func activityTheAppMadeCurrentStaysUntilAChange() async throws {
        let fixture = try await AppFixture()
        let page = fixture.page("page", offering: "Page")
        let window = fixture.mainWindow(with: page)
        #expect(try await fixture.nextTitle() == "Page")
        let own = fixture.laptop.activity(title: "By hand")
        own.becomeCurrent()
        #expect(try await fixture.nextTitle() == "By hand")
        fixture.toolkit.firstResponderChanged(to: page, in: window)
        #expect(try await fixture.saidNothing())
    }

    @Test func panelThatGetsTheKeysIsNotTheMainWindow() async throws {
        let fixture = try await AppFixture()
        let window = fixture.mainWindow(with: fixture.page("page", offering: "Page"))
        #expect(try await fixture.nextTitle() == "Page")
        let panel = UIWindow()
        panel.userActivity = fixture.laptop.activity(title: "Panel")
        fixture.toolkit.windowBecameKey(panel)
        #expect(try await fixture.saidNothing())
        #expect(fixture.application.keyWindow === panel)
        #expect(fixture.application.mainWindow === window)
        fixture.toolkit.windowResignedKey(panel)
        #expect(fixture.application.keyWindow == nil)
    }

    @Test func tellingTwiceDoesNoHarm() async throws {
        let fixture = try await AppFixture()
        let page = fixture.page("page", offering: "Page")
        let window = fixture.mainWindow(with: page)
        #expect(try await fixture.nextTitle() == "Page")
        fixture.toolkit.windowOpened(window)
        fixture.toolkit.firstResponderChanged(to: page, in: window)
        #expect(try await fixture.saidNothing())
        fixture.toolkit.windowClosed(window)
        _ = try await fixture.daemon.nextWithdrawal()
        fixture.toolkit.windowClosed(window)
        #expect(try await fixture.saidNothing())
        #expect(fixture.application.windows.isEmpty)
    }

    @Test func chainThatIsARingEnds() {
        let (first, second) = (UIResponder(), UIResponder())
        first.nextResponder = second
        second.nextResponder = first
        #expect(first.chain == [first, second])
    }

    @Test func windowOfAnotherApplicationMoves() async throws {
        let (fixture, other) = (try await AppFixture(), try await AppFixture())
        let window = fixture.mainWindow(with: fixture.page("page"))
        other.toolkit.windowBecameMain(window)
        #expect(fixture.application.windows.isEmpty)
        #expect(other.application.windows == [window])
    }
}

/// Shows R09.
@Suite @MainActor struct VisibleViewControllerTests {
    private func tabs(of fixture: AppFixture) -> (Page, Page, Page) {
        let tabs = fixture.page("tabs")
        let (first, second) = (fixture.page("one", offering: "One"), fixture.page("two", offering: "Two"))
        tabs.addChild(first)
        tabs.addChild(second)
        return (tabs, first, second)
    }

    @Test func walkIsMadeAtLaunchAndOnAnotherTab() async throws {
        let fixture = try await AppFixture(rule: .visibleViewControllers)
        let (tabs, first, second) = tabs(of: fixture)
        let window = UIWindow()
        window.rootViewController = tabs
        fixture.toolkit.viewDidAppear(tabs)
        fixture.toolkit.viewDidAppear(first)
        #expect(try await fixture.saidNothing())
        fixture.toolkit.windowOpened(window)
        #expect(try await fixture.nextTitle() == "One")
        fixture.toolkit.viewWillDisappear(first)
        fixture.toolkit.viewWillAppear(second)
        fixture.toolkit.viewDidDisappear(first)
        #expect(try await fixture.saidNothing())
        fixture.toolkit.viewDidAppear(second)
        // No withdrawal in between.
        #expect(try await fixture.nextTitle() == "Two")
        fixture.toolkit.applicationBecameActive()
        #expect(try await fixture.nextTitle() == "Two")
    }

    @Test func presentedControllerIsChosenWhilePresent() async throws {
        let fixture = try await AppFixture(rule: .visibleViewControllers)
        let page = fixture.page("page", offering: "Page")
        let window = fixture.mainWindow(with: page)
        fixture.toolkit.viewDidAppear(page)
        #expect(try await fixture.nextTitle() == "Page")
        let sheet = fixture.page("sheet", offering: "Sheet")
        page.present(sheet, animated: true)
        #expect(try await fixture.saidNothing())
        fixture.toolkit.viewWillAppear(sheet)
        fixture.toolkit.viewDidAppear(sheet)
        #expect(try await fixture.nextTitle() == "Sheet")
        #expect(sheet.window === window)
        fixture.toolkit.viewDidDisappear(sheet)
        #expect(try await fixture.nextTitle() == "Page")
        sheet.dismiss(animated: true)
        #expect(page.presentedViewController == nil)
    }

    @Test func controllerOutsideEveryWindowIsNotLookedAt() async throws {
        let fixture = try await AppFixture(rule: .visibleViewControllers)
        let page = fixture.page("page", offering: "Page")
        fixture.toolkit.viewDidAppear(page)
        #expect(try await fixture.saidNothing())
        let window = fixture.mainWindow(with: page)
        #expect(try await fixture.nextTitle() == "Page")
        window.rootViewController = nil
        _ = try await fixture.daemon.nextWithdrawal()
    }

    @Test func assignedOnTheScreenIsCurrentAtOnceElseAfterTheTransition() async throws {
        let fixture = try await AppFixture(rule: .visibleViewControllers)
        let page = fixture.page("page")
        let window = fixture.mainWindow(with: page)
        fixture.toolkit.viewWillAppear(page, animated: true)
        page.userActivity = fixture.laptop.activity(title: "Early")
        #expect(try await fixture.saidNothing())
        fixture.toolkit.viewDidAppear(page, animated: true)
        #expect(try await fixture.nextTitle() == "Early")
        page.userActivity = fixture.laptop.activity(title: "At once")
        #expect(try await fixture.nextTitle() == "At once")
        #expect(window.isOpen)
    }

    @Test func anotherRuleIsTakenUp() async throws {
        let fixture = try await AppFixture()
        let (shown, focused) = (fixture.page("shown", offering: "Shown"), fixture.page("focused", offering: "Focused"))
        shown.addChild(focused)
        let window = fixture.mainWindow(with: shown)
        fixture.toolkit.viewDidAppear(shown)
        fixture.toolkit.firstResponderChanged(to: focused, in: window)
        #expect(try await fixture.nextTitle() == "Shown")
        #expect(try await fixture.nextTitle() == "Focused")
        fixture.application.currentActivityRule = .visibleViewControllers
        #expect(try await fixture.nextTitle() == "Shown")
        #expect(fixture.application.currentActivityRule == .visibleViewControllers)
    }
}

@Suite @MainActor struct ViewControllerTests {
    private final class Witness: NSViewController {
        var seen: [String] = []
        override func loadView() { seen.append("load") }
        override func viewDidLoad() { seen.append("did load") }
        override func viewWillAppear() { seen.append("will appear") }
        override func viewDidAppear() { seen.append("did appear") }
        override func viewWillDisappear() { seen.append("will disappear") }
        override func viewDidDisappear() { seen.append("did disappear") }
    }

    @Test func hooksComeInOrderAndTheViewIsLoadedOnce() async throws {
        let fixture = try await AppFixture()
        let witness = Witness()
        fixture.toolkit.viewDidAppear(witness)
        #expect(witness.seen == ["load", "did load", "will appear", "did appear"])
        #expect(witness.isViewShown)
        witness.seen = []
        fixture.toolkit.viewDidDisappear(witness)
        fixture.toolkit.viewWillAppear(witness)
        fixture.toolkit.viewWillAppear(witness)
        // A transition that was cancelled halfway.
        fixture.toolkit.viewDidDisappear(witness)
        #expect(
            witness.seen == ["will disappear", "did disappear", "will appear", "will disappear", "did disappear"])
    }

    @Test func treeNeverBecomesARing() {
        let (top, middle, bottom) = (UIViewController(), UIViewController(), UIViewController())
        top.addChild(middle)
        middle.addChild(bottom)
        bottom.addChild(top)
        bottom.present(top, animated: false)
        #expect(top.parent == nil)
        #expect(bottom.children.isEmpty)
        #expect(bottom.presentedViewController == nil)
        top.addChild(top)
        #expect(top.children == [middle])
    }

    @Test func childHasOneParent() {
        let (left, right, child) = (UIViewController(), UIViewController(), UIViewController())
        left.addChild(child)
        right.addChild(child)
        #expect(left.children.isEmpty)
        #expect(child.parent === right)
        child.removeFromParent()
        #expect(right.children.isEmpty)
        #expect(child.next == nil)
    }

    @Test func chainGoesUpToTheWindowController() {
        let (root, child, sheet) = (UIViewController(), UIViewController(), UIViewController())
        let controller = NSWindowController(window: UIWindow())
        controller.contentViewController = root
        root.addChild(child)
        child.present(sheet, animated: false)
        #expect(sheet.chain == [sheet, child, root, controller.window, controller])
        let interposed = UIResponder()
        interposed.nextResponder = root
        child.nextResponder = interposed
        #expect(sheet.chain == [sheet, child, interposed, root, controller.window, controller])
        child.nextResponder = nil
        #expect(child.next === root)
    }

    @Test func controllerIsInOneWindow() {
        let (first, second, controller) = (UIWindow(), UIWindow(), UIViewController())
        first.rootViewController = controller
        second.contentViewController = controller
        #expect(first.rootViewController == nil)
        #expect(controller.window === second)
    }
}
