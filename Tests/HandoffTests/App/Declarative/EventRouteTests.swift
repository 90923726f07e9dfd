// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffApp

/// Shows U03.
@Suite struct EventRouteTests {
    private typealias Route = EventRoute<String>
    private typealias Place = EventPlace<String>

    private func place(_ id: String, _ claim: EventClaim = .unspecified, openedBy: Int? = nil) -> Place {
        Place(id: id, claim: claim, openedBy: openedBy)
    }

    private func choice(
        _ windows: [Place], _ declarations: [Bool?] = [], isOneScene: Bool = false, hasOpenWindow: Bool? = nil
    ) -> Route {
        .choice(
            among: windows, declarations: declarations, isOneScene: isOneScene,
            hasOpenWindow: hasOpenWindow ?? !windows.isEmpty)
    }

    @Test func preferringWindowPrecedesAllowingWindowAndNewScene() {
        let windows = [place("front"), place("allows", .allows), place("prefers", .prefers), place("other", .prefers)]
        #expect(choice(windows, [true]) == .window("prefers"))
        #expect(choice(windows.filter { $0.claim != .prefers }, [true]) == .window("allows"))
        #expect(choice([place("front")], [true]) == .newScene(0))
    }

    @Test func frontmostOfSeveralWindowsIsChosen() {
        #expect(choice([place("front", .allows), place("back", .allows)]) == .window("front"))
        #expect(choice([place("front"), place("back")]) == .window("front"))
    }

    @Test(
        arguments: [
            // Whether each declaration matches, nil without conditions, and the one that is opened.
            ([false, true, true], 1),
            ([nil, true], 1),
            ([false, nil, nil], 1),
            ([nil], 0),
        ] as [([Bool?], Int)])
    func firstDeclarationThatMatchesIsOpenedElseTheFirstWithoutConditions(declarations: [Bool?], opened: Int) {
        #expect(choice([], declarations) == .newScene(opened))
        #expect(choice([place("refuses", .refuses)], declarations) == .newScene(opened))
    }

    @Test func windowWithoutDeclarationsTakesUnmatchedEvents() {
        #expect(choice([place("refuses", .refuses), place("back")], [false]) == .window("back"))
        #expect(choice([place("back")]) == .window("back"))
    }

    @Test func withoutAnyPlaceItIsTheDelegates() {
        #expect(choice([]) == .nowhere)
        #expect(choice([], [false, false]) == .nowhere)
        #expect(choice([place("refuses", .refuses)], [false]) == .nowhere)
        #expect(choice([place("refuses", .refuses)]) == .nowhere)
    }

    @Test func appWithOneSceneHasItTakeEverything() {
        #expect(choice([place("only", .refuses)], [true], isOneScene: true) == .window("only"))
        #expect(choice([place("only")], [nil], isOneScene: true) == .window("only"))
        // The app's window has no handler.
        #expect(choice([], [true], isOneScene: true, hasOpenWindow: true) == .nowhere)
        // The app has no window.
        #expect(choice([], [false, true], isOneScene: true) == .newScene(1))
        #expect(choice([], [false, false], isOneScene: true) == .newScene(0))
        #expect(choice([], isOneScene: true) == .nowhere)
    }

    @Test func sceneThatWasOpenedForItIsNotOpenedOnceMore() {
        let waiting = place("waiting", openedBy: 1)
        #expect(choice([place("front"), waiting], [false, nil]) == .window("waiting"))
        // The event belongs to another declaration.
        #expect(choice([waiting], [true, nil]) == .newScene(0))
        #expect(choice([place("waiting", .refuses, openedBy: 0)], [nil]) == .newScene(0))
    }

    /// Properties for all windows and declarations.
    @Test(arguments: 0..<2000 as Range<UInt64>)
    func anyWindows(seed: UInt64) {
        var random = Seeded(state: seed)
        let windows = (0..<Int.random(in: 0...4, using: &random)).map {
            place("\($0)", EventClaim.allCases.randomElement(using: &random)!)
        }
        let declarations = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            [true, false, nil].randomElement(using: &random)!
        }
        let isOneScene = Bool.random(using: &random)
        let hasOpenWindow = !windows.isEmpty || .random(using: &random)
        let route = choice(windows, declarations, isOneScene: isOneScene, hasOpenWindow: hasOpenWindow)
        switch route {
        case .window(let id):
            let chosen = windows.first { $0.id == id }!
            let best = windows.contains { $0.claim == .prefers } ? EventClaim.prefers : .allows
            #expect(chosen.claim == best || !windows.contains { $0.claim == best }, "seed \(seed)")
            #expect(chosen.claim != .refuses || isOneScene, "seed \(seed)")
        case .newScene(let index):
            #expect(!isOneScene || !hasOpenWindow, "seed \(seed)")
            #expect(!windows.contains { $0.claim == .prefers || $0.claim == .allows }, "seed \(seed)")
            #expect(declarations[index] == true || !declarations.contains(true), "seed \(seed)")
        case .nowhere:
            #expect(windows.allSatisfy { $0.claim == .refuses }, "seed \(seed)")
        }
    }
}
