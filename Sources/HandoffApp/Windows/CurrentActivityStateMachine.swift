// SPDX-License-Identifier: Apache-2.0

/// Chooses the current activity among the managed. Another that the app makes current stays until the choice changes.
struct CurrentActivityStateMachine<Activity: Hashable & Sendable>: ~Copyable {
    enum Action: Sendable, Hashable {
        case nothing
        case makeCurrent(Activity)
        case resign(Activity)
    }

    private(set) var rule: HandoffCurrentActivityRule
    private(set) var chosen: Activity?

    init(rule: HandoffCurrentActivityRule) { self.rule = rule }

    /// Makes the chosen activity current again, and so more recent than other apps'.
    mutating func turnedTo(_ screen: ScreenState<Activity>) -> Action {
        look(at: screen, again: true)
    }

    mutating func viewsChanged(_ screen: ScreenState<Activity>) -> Action {
        look(at: screen, again: false)
    }

    mutating func chainChanged(_ screen: ScreenState<Activity>) -> Action {
        switch rule {
        case .mainWindow: look(at: screen, again: false)
        case .visibleViewControllers: .nothing
        }
    }

    mutating func assigned(_ activity: Activity, on screen: ScreenState<Activity>) -> Action {
        switch rule {
        case .mainWindow:
            return look(at: screen, again: false)
        case .visibleViewControllers:
            guard !screen.isInTransition, screen.shows(activity) else { return ownersLeft(screen) }
            return choose(activity, again: false)
        }
    }

    mutating func ownersLeft(_ screen: ScreenState<Activity>) -> Action {
        switch rule {
        case .mainWindow:
            return look(at: screen, again: false)
        case .visibleViewControllers:
            if let chosen, screen.shows(chosen) { return .nothing }
            return look(at: screen, again: false)
        }
    }

    mutating func ruleChanged(to rule: HandoffCurrentActivityRule, _ screen: ScreenState<Activity>) -> Action {
        self.rule = rule
        return look(at: screen, again: false)
    }

    private mutating func look(at screen: ScreenState<Activity>, again: Bool) -> Action {
        // The outcome of a transition is known at its end.
        if rule == .visibleViewControllers, screen.isInTransition { return .nothing }
        guard let found = rule.choice(on: screen) else {
            defer { chosen = nil }
            return chosen.map { .resign($0) } ?? .nothing
        }
        return choose(found, again: again)
    }

    private mutating func choose(_ activity: Activity, again: Bool) -> Action {
        guard chosen != activity || again else { return .nothing }
        chosen = activity
        return .makeCurrent(activity)
    }
}
