// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Handoff
@testable import HandoffApp

/// Shows R01, R08.
@Suite @MainActor struct MainWindowTests {
    @Test func focusDecidesWithinTheMainWindow() async throws {
        let desk = try await Desk()
        let (root, left, right) = (
            desk.page("root", offering: "Root"), desk.page("left", offering: "Left"), desk.page("right")
        )
        root.addChild(left)
        root.addChild(right)
        let window = desk.mainWindow(with: root)
        #expect(try await desk.nextTitle() == "Root")
        desk.toolkit.firstResponderChanged(to: left, in: window)
        #expect(try await desk.nextTitle() == "Left")
        // It has no activity: the next responder with one is used.
        desk.toolkit.firstResponderChanged(to: right, in: window)
        #expect(try await desk.nextTitle() == "Root")
        desk.toolkit.firstResponderChanged(to: nil, in: window)
        _ = try await desk.daemon.nextWithdrawal()
        window.userActivity = desk.laptop.activity(title: "Window")
        #expect(try await desk.nextTitle() == "Window")
    }

    @Test func windowThatBecomesMainBringsItsActivity() async throws {
        let desk = try await Desk()
        let first = desk.mainWindow(with: desk.page("one", offering: "One"))
        #expect(try await desk.nextTitle() == "One")
        let second = desk.mainWindow(with: desk.page("two", offering: "Two"))
        #expect(try await desk.nextTitle() == "Two")
        #expect(desk.application.windows == [second, first])
        desk.toolkit.windowBecameMain(first)
        #expect(try await desk.nextTitle() == "One")
        #expect(desk.application.mainWindow === first)
        #expect(desk.application.keyWindow === first)
        desk.toolkit.windowClosed(first)
        #expect(try await desk.nextTitle() == "Two")
        #expect(!first.isOpen)
    }

    @Test func windowControllersDocumentIsTheEndOfTheChain() async throws {
        let desk = try await Desk()
        let document = NSDocument()
        document.userActivity = desk.laptop.activity(title: "Letter")
        let page = desk.page("page")
        let controller = NSWindowController(window: UIWindow())
        let window = try #require(controller.window)
        window.rootViewController = page
        desk.toolkit.windowBecameMain(window)
        #expect(try await desk.saidNothing())
        document.addWindowController(controller)
        #expect(try await desk.nextTitle() == "Letter")
        controller.userActivity = desk.laptop.activity(title: "Controller")
        #expect(try await desk.nextTitle() == "Controller")
        desk.toolkit.firstResponderChanged(to: page, in: window)
        page.userActivity = desk.laptop.activity(title: "Page")
        #expect(try await desk.nextTitle() == "Page")
    }

    @Test func turningToAnotherAppKeepsItAndComingBackSaysItAgain() async throws {
        let desk = try await Desk()
        let window = desk.mainWindow(with: desk.page("page", offering: "Page"))
        #expect(try await desk.nextTitle() == "Page")
        desk.toolkit.windowResignedMain(window)
        desk.toolkit.applicationResignedActive()
        #expect(desk.application.mainWindow == nil)
        #expect(try await desk.saidNothing())
        desk.toolkit.applicationBecameActive()
        // Again the newest of all apps.
        #expect(try await desk.nextTitle() == "Page")
        #expect(desk.application.isActive)
    }

    @Test func activityTheAppMadeCurrentStaysUntilAChange() async throws {
        let desk = try await Desk()
        let page = desk.page("page", offering: "Page")
        let window = desk.mainWindow(with: page)
        #expect(try await desk.nextTitle() == "Page")
        let own = desk.laptop.activity(title: "By hand")
        own.becomeCurrent()
        #expect(try await desk.nextTitle() == "By hand")
        desk.toolkit.firstResponderChanged(to: page, in: window)
        #expect(try await desk.saidNothing())
    }

    @Test func panelThatGetsTheKeysIsNotTheMainWindow() async throws {
        let desk = try await Desk()
        let window = desk.mainWindow(with: desk.page("page", offering: "Page"))
        #expect(try await desk.nextTitle() == "Page")
        let panel = UIWindow()
        panel.userActivity = desk.laptop.activity(title: "Panel")
        desk.toolkit.windowBecameKey(panel)
        #expect(try await desk.saidNothing())
        #expect(desk.application.keyWindow === panel)
        #expect(desk.application.mainWindow === window)
        desk.toolkit.windowResignedKey(panel)
        #expect(desk.application.keyWindow == nil)
    }

    @Test func tellingTwiceDoesNoHarm() async throws {
        let desk = try await Desk()
        let page = desk.page("page", offering: "Page")
        let window = desk.mainWindow(with: page)
        #expect(try await desk.nextTitle() == "Page")
        desk.toolkit.windowOpened(window)
        desk.toolkit.firstResponderChanged(to: page, in: window)
        #expect(try await desk.saidNothing())
        desk.toolkit.windowClosed(window)
        _ = try await desk.daemon.nextWithdrawal()
        desk.toolkit.windowClosed(window)
        #expect(try await desk.saidNothing())
        #expect(desk.application.windows.isEmpty)
    }

    @Test func chainThatIsARingEnds() {
        let (first, second) = (UIResponder(), UIResponder())
        first.nextResponder = second
        second.nextResponder = first
        #expect(first.chain == [first, second])
    }

    @Test func windowOfAnotherApplicationMoves() async throws {
        let (desk, other) = (try await Desk(), try await Desk())
        let window = desk.mainWindow(with: desk.page("page"))
        other.toolkit.windowBecameMain(window)
        #expect(desk.application.windows.isEmpty)
        #expect(other.application.windows == [window])
    }
}

/// Shows R09.
@Suite @MainActor struct VisibleViewControllerTests {
    private func tabs(of desk: Desk) -> (Page, Page, Page) {
        let tabs = desk.page("tabs")
        let (first, second) = (desk.page("one", offering: "One"), desk.page("two", offering: "Two"))
        tabs.addChild(first)
        tabs.addChild(second)
        return (tabs, first, second)
    }

    @Test func walkIsMadeAtLaunchAndOnAnotherTab() async throws {
        let desk = try await Desk(rule: .visibleViewControllers)
        let (tabs, first, second) = tabs(of: desk)
        let window = UIWindow()
        window.rootViewController = tabs
        desk.toolkit.viewDidAppear(tabs)
        desk.toolkit.viewDidAppear(first)
        #expect(try await desk.saidNothing())
        desk.toolkit.windowOpened(window)
        #expect(try await desk.nextTitle() == "One")
        desk.toolkit.viewWillDisappear(first)
        desk.toolkit.viewWillAppear(second)
        desk.toolkit.viewDidDisappear(first)
        #expect(try await desk.saidNothing())
        desk.toolkit.viewDidAppear(second)
        // No withdrawal in between.
        #expect(try await desk.nextTitle() == "Two")
        desk.toolkit.applicationBecameActive()
        #expect(try await desk.nextTitle() == "Two")
    }

    @Test func presentedControllerIsChosenWhilePresent() async throws {
        let desk = try await Desk(rule: .visibleViewControllers)
        let page = desk.page("page", offering: "Page")
        let window = desk.mainWindow(with: page)
        desk.toolkit.viewDidAppear(page)
        #expect(try await desk.nextTitle() == "Page")
        let sheet = desk.page("sheet", offering: "Sheet")
        page.present(sheet, animated: true)
        #expect(try await desk.saidNothing())
        desk.toolkit.viewWillAppear(sheet)
        desk.toolkit.viewDidAppear(sheet)
        #expect(try await desk.nextTitle() == "Sheet")
        #expect(sheet.window === window)
        desk.toolkit.viewDidDisappear(sheet)
        #expect(try await desk.nextTitle() == "Page")
        sheet.dismiss(animated: true)
        #expect(page.presentedViewController == nil)
    }

    @Test func controllerOutsideEveryWindowIsNotLookedAt() async throws {
        let desk = try await Desk(rule: .visibleViewControllers)
        let page = desk.page("page", offering: "Page")
        desk.toolkit.viewDidAppear(page)
        #expect(try await desk.saidNothing())
        let window = desk.mainWindow(with: page)
        #expect(try await desk.nextTitle() == "Page")
        window.rootViewController = nil
        _ = try await desk.daemon.nextWithdrawal()
    }

    @Test func assignedOnTheScreenIsCurrentAtOnceElseAfterTheTransition() async throws {
        let desk = try await Desk(rule: .visibleViewControllers)
        let page = desk.page("page")
        let window = desk.mainWindow(with: page)
        desk.toolkit.viewWillAppear(page, animated: true)
        page.userActivity = desk.laptop.activity(title: "Early")
        #expect(try await desk.saidNothing())
        desk.toolkit.viewDidAppear(page, animated: true)
        #expect(try await desk.nextTitle() == "Early")
        page.userActivity = desk.laptop.activity(title: "At once")
        #expect(try await desk.nextTitle() == "At once")
        #expect(window.isOpen)
    }

    @Test func anotherRuleIsTakenUp() async throws {
        let desk = try await Desk()
        let (shown, focused) = (desk.page("shown", offering: "Shown"), desk.page("focused", offering: "Focused"))
        shown.addChild(focused)
        let window = desk.mainWindow(with: shown)
        desk.toolkit.viewDidAppear(shown)
        desk.toolkit.firstResponderChanged(to: focused, in: window)
        #expect(try await desk.nextTitle() == "Shown")
        #expect(try await desk.nextTitle() == "Focused")
        desk.application.currentActivityRule = .visibleViewControllers
        #expect(try await desk.nextTitle() == "Shown")
        #expect(desk.application.currentActivityRule == .visibleViewControllers)
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
        let desk = try await Desk()
        let witness = Witness()
        desk.toolkit.viewDidAppear(witness)
        #expect(witness.seen == ["load", "did load", "will appear", "did appear"])
        #expect(witness.isViewShown)
        witness.seen = []
        desk.toolkit.viewDidDisappear(witness)
        desk.toolkit.viewWillAppear(witness)
        desk.toolkit.viewWillAppear(witness)
        // A transition that was cancelled halfway.
        desk.toolkit.viewDidDisappear(witness)
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
