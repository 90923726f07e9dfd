// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffApp

private typealias Screen = ScreenState<String>
private typealias View = ViewState<String>

/// Shows R08, R09.
@Suite struct CurrentActivityRuleTests {
    private func window(
        _ chain: [String] = [], document: String? = nil, root: View? = nil, main: Bool = true
    ) -> Screen.Window {
        Screen.Window(chain: chain, document: document, root: root, hasBeenMain: main)
    }

    @Test func chainOfTheMainWindowGoesBeforeItsDocument() {
        let rule = HandoffCurrentActivityRule.mainWindow
        let back = window(["other"], document: "report")
        #expect(rule.choice(on: Screen(windows: [window(["field", "window"], document: "letter"), back])) == "field")
        #expect(rule.choice(on: Screen(windows: [window(document: "letter"), back])) == "letter")
        #expect(rule.choice(on: Screen(windows: [window(), back])) == nil)
    }

    @Test func windowThatNeverWasMainIsNotLookedAt() {
        let panel = window(["panel"], main: false)
        #expect(HandoffCurrentActivityRule.mainWindow.choice(on: Screen(windows: [panel, window(["page"])])) == "page")
        #expect(HandoffCurrentActivityRule.mainWindow.choice(on: Screen(windows: [panel])) == nil)
    }

    @Test(arguments: HandoffCurrentActivityRule.allCases)
    func applicationActivityIsUsedIfNoOtherExists(rule: HandoffCurrentActivityRule) {
        #expect(rule.choice(on: Screen(windows: [window()], application: "whole")) == "whole")
        let busy = window(["page"], root: View(presence: .shown, activity: "page"))
        #expect(rule.choice(on: Screen(windows: [busy], application: "whole")) == "page")
    }

    @Test func presentedViewsPrecedeChildrenAndThenParents() {
        let rule = HandoffCurrentActivityRule.visibleViewControllers
        var tabs = View(presence: .shown, activity: "tabs")
        tabs.children = [View(presence: .shown, activity: "left"), View(presence: .shown, activity: "right")]
        #expect(rule.choice(on: Screen(windows: [window(root: tabs)])) == "right")
        tabs.children[1].presence = .hidden
        #expect(rule.choice(on: Screen(windows: [window(root: tabs)])) == "left")
        tabs.presented = [View(presence: .shown, activity: "sheet")]
        #expect(rule.choice(on: Screen(windows: [window(root: tabs)])) == "sheet")
        tabs.presented[0].presence = .disappearing
        tabs.children[0].presence = .appearing
        #expect(rule.choice(on: Screen(windows: [window(root: tabs)])) == "tabs")
    }

    @Test func shownChildOfAHiddenParentIsChosen() {
        let root = View(activity: "hidden", children: [View(presence: .shown, activity: "child")])
        #expect(
            HandoffCurrentActivityRule.visibleViewControllers.choice(on: Screen(windows: [window(root: root)]))
                == "child")
    }

    /// The choice equals the first of an independently made list.
    @Test(arguments: 0..<500 as Range<UInt64>)
    func randomTreesAreWalkedFromTheFront(seed: UInt64) {
        var random = Walk(seed: seed)
        let screen = random.screen()
        let views = screen.windows.compactMap(\.root).flatMap(listedFromTheFront)
        let shown = views.filter { $0.presence == .shown }.compactMap(\.activity)
        #expect(
            HandoffCurrentActivityRule.visibleViewControllers.choice(on: screen) == shown.first ?? screen.application)
        for name in shown { #expect(screen.shows(name)) }
        for view in views where view.presence != .shown {
            // Names are unique.
            if let name = view.activity { #expect(!screen.shows(name)) }
        }
        #expect(screen.isInTransition == views.contains { $0.presence == .appearing || $0.presence == .disappearing })
        let main = screen.windows.first(where: \.hasBeenMain)
        let owners = (main?.chain ?? []) + [main?.document, screen.application].compactMap { $0 }
        #expect(HandoffCurrentActivityRule.mainWindow.choice(on: screen) == owners.first)
    }

    private func listedFromTheFront(_ root: View) -> [View] {
        var listed: [View] = []
        // In reverse: parents, then children from back to front, then presented controllers.
        var open = [root]
        while let view = open.popLast() {
            listed.append(view)
            open += view.presented.reversed() + view.children.reversed()
        }
        return listed.reversed()
    }
}

/// Shows R08, R09.
@Suite struct CurrentActivityStateMachineTests {
    private typealias Machine = CurrentActivityStateMachine<String>

    private func screen(_ views: View...) -> Screen {
        Screen(windows: [Screen.Window(root: View(presence: .shown, children: views), hasBeenMain: true)])
    }

    private func main(_ chain: String...) -> Screen {
        Screen(windows: [Screen.Window(chain: chain, hasBeenMain: true)])
    }

    private let page = View(presence: .shown, activity: "page")

    @Test func isMadeCurrentOnceHoweverOftenTheScreenChanges() {
        var machine = Machine(rule: .mainWindow)
        #expect(machine.chainChanged(main("page")) == .makeCurrent("page"))
        #expect(machine.chainChanged(main("page")) == .nothing)
        #expect(machine.viewsChanged(main("page", "window")) == .nothing)
    }

    @Test(arguments: HandoffCurrentActivityRule.allCases)
    func turningToTheAppMakesItCurrentAgain(rule: HandoffCurrentActivityRule) {
        var machine = Machine(rule: rule)
        var screen = screen(page)
        screen.windows[0].chain = ["page"]
        #expect(machine.turnedTo(screen) == .makeCurrent("page"))
        #expect(machine.turnedTo(screen) == .makeCurrent("page"))
    }

    @Test func theLastActivityResigns() {
        var machine = Machine(rule: .mainWindow)
        _ = machine.chainChanged(main("page"))
        #expect(machine.ownersLeft(main()) == .resign("page"))
        #expect(machine.ownersLeft(main()) == .nothing)
    }

    @Test func activityMadeCurrentByTheAppIsNotReplaced() {
        var machine = Machine(rule: .mainWindow)
        #expect(machine.turnedTo(main()) == .nothing)
        #expect(machine.chainChanged(main()) == .nothing)
    }

    @Test func transitionDefersTheChoice() {
        var machine = Machine(rule: .visibleViewControllers)
        _ = machine.viewsChanged(screen(page))
        var leaving = page
        leaving.presence = .disappearing
        var coming = View(presence: .appearing, activity: "map")
        #expect(machine.viewsChanged(screen(leaving, coming)) == .nothing)
        leaving.presence = .hidden
        #expect(machine.viewsChanged(screen(leaving, coming)) == .nothing)
        coming.presence = .shown
        #expect(machine.viewsChanged(screen(leaving, coming)) == .makeCurrent("map"))
    }

    @Test func assignedToAShownControllerIsCurrentAtOnce() {
        var machine = Machine(rule: .visibleViewControllers)
        let list = View(presence: .shown, activity: "list")
        #expect(machine.viewsChanged(screen(list, page)) == .makeCurrent("page"))
        // Behind the other, but set last.
        #expect(machine.assigned("list", on: screen(list, page)) == .makeCurrent("list"))
        #expect(machine.ownersLeft(screen(list, page)) == .nothing)
        // The next walk decides again.
        #expect(machine.viewsChanged(screen(list, page)) == .makeCurrent("page"))
    }

    @Test func assignedDuringATransitionWaitsForItsEnd() {
        var machine = Machine(rule: .visibleViewControllers)
        let coming = View(presence: .appearing, activity: "map")
        #expect(machine.assigned("map", on: screen(coming)) == .nothing)
        #expect(machine.viewsChanged(screen(View(presence: .shown, activity: "map"))) == .makeCurrent("map"))
    }

    @Test func assignedToAHiddenControllerIsNotCurrent() {
        var machine = Machine(rule: .visibleViewControllers)
        #expect(machine.assigned("map", on: screen(View(activity: "map"))) == .nothing)
        _ = machine.viewsChanged(screen(page))
        #expect(machine.assigned("map", on: screen(page, View(activity: "map"))) == .nothing)
    }

    @Test func focusIsNothingToTheRuleOfVisibleControllers() {
        var machine = Machine(rule: .visibleViewControllers)
        let list = View(presence: .shown, activity: "list")
        _ = machine.assigned("list", on: screen(list, page))
        #expect(machine.chainChanged(screen(list, page)) == .nothing)
    }

    @Test func anotherRuleIsAppliedAtOnce() {
        var machine = Machine(rule: .mainWindow)
        var screen = screen(page)
        screen.windows[0].chain = ["field"]
        _ = machine.turnedTo(screen)
        #expect(machine.ruleChanged(to: .visibleViewControllers, screen) == .makeCurrent("page"))
        #expect(machine.ruleChanged(to: .mainWindow, screen) == .makeCurrent("field"))
    }

    /// After all events, the machine's actions and its state agree with a screen without transitions.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func randomEventsNeverLeaveSomethingElseCurrent(seed: UInt64) {
        var random = Walk(seed: seed)
        var machine = Machine(rule: random.rule())
        var current: String?
        for _ in 0..<60 {
            let screen = random.screen()
            let action =
                switch random.below(6) {
                case 0: machine.turnedTo(screen)
                case 1: machine.viewsChanged(screen)
                case 2: machine.chainChanged(screen)
                case 3: machine.assigned(random.name(), on: screen)
                case 4: machine.ownersLeft(screen)
                default: machine.ruleChanged(to: random.rule(), screen)
                }
            switch action {
            case .nothing: break
            case .makeCurrent(let name):
                let isInFront =
                    machine.rule == .visibleViewControllers
                    ? screen.shows(name) : screen.windows.contains { $0.chain.contains(name) || $0.document == name }
                #expect(isInFront || name == screen.application)
                current = name
            case .resign(let name):
                #expect(name == current)
                #expect(machine.rule.choice(on: screen) == nil)
                current = nil
            }
            let chosen = machine.chosen
            #expect(chosen == current)
            let walked = machine.viewsChanged(screen)
            if case .makeCurrent(let name) = walked { current = name }
            if case .resign = walked { current = nil }
            if machine.rule == .mainWindow || !screen.isInTransition {
                #expect(current == machine.rule.choice(on: screen))
            }
        }
    }
}

/// Random screens from a seed.
private struct Walk {
    private var state: UInt64
    private var named = 0

    init(seed: UInt64) { state = seed }

    mutating func below(_ bound: UInt64) -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return (mixed ^ (mixed >> 31)) % bound
    }

    mutating func rule() -> HandoffCurrentActivityRule { HandoffCurrentActivityRule.allCases[Int(below(2))] }

    /// A name of the last screen, or a new one.
    mutating func name() -> String { "activity \(below(UInt64(named) + 1))" }

    private mutating func newName() -> String? {
        guard below(3) > 0 else { return nil }
        named += 1
        return "activity \(named)"
    }

    mutating func screen() -> Screen {
        named = 0
        var screen = Screen(application: below(4) == 0 ? newName() : nil)
        for _ in 0..<below(4) {
            var window = Screen.Window(document: newName(), hasBeenMain: below(2) == 0)
            window.chain = (0..<below(4)).compactMap { _ in newName() }
            if below(4) > 0 { window.root = view(depth: 4) }
            screen.windows.append(window)
        }
        return screen
    }

    private mutating func view(depth: UInt64) -> View {
        // Usually without a transition.
        let presence: ViewPresence = below(12) == 0 ? .appearing : below(2) == 0 ? .shown : .hidden
        var view = View(presence: presence, activity: newName())
        guard depth > 0 else { return view }
        for _ in 0..<below(3) { view.children.append(self.view(depth: depth - 1)) }
        if below(4) == 0 { view.presented.append(self.view(depth: depth - 1)) }
        return view
    }
}
