// SPDX-License-Identifier: Apache-2.0

/// Follows what is on the screen, and says which managed activity is to become current. What an app makes current by its
/// own call stays so until the choice here changes.
struct CurrentActivityStateMachine<Activity: Hashable & Sendable>: ~Copyable {
    enum Action: Sendable, Hashable {
        case nothing
        case makeCurrent(Activity)
        /// No other takes its place.
        case resign(Activity)
    }

    private(set) var rule: HandoffCurrentActivityRule
    private(set) var chosen: Activity?

    init(rule: HandoffCurrentActivityRule) { self.rule = rule }

    /// The user turned to the app or to one of its windows: who is current then is newer than those of other apps, even if
    /// it was it before.
    mutating func turnedTo(_ screen: ScreenState<Activity>) -> Action {
        look(at: screen, again: true)
    }

    /// A window was closed, or views came or went.
    mutating func viewsChanged(_ screen: ScreenState<Activity>) -> Action {
        look(at: screen, again: false)
    }

    /// The main window's chain of responders is another, or its document.
    mutating func chainChanged(_ screen: ScreenState<Activity>) -> Action {
        switch rule {
        case .mainWindow: look(at: screen, again: false)
        case .visibleViewControllers: .nothing
        }
    }

    /// `activity` was given to a responder or a document.
    mutating func assigned(_ activity: Activity, on screen: ScreenState<Activity>) -> Action {
        switch rule {
        case .mainWindow:
            return look(at: screen, again: false)
        case .visibleViewControllers:
            guard !screen.isInTransition, screen.shows(activity) else { return ownersLeft(screen) }
            return choose(activity, again: false)
        }
    }

    /// A responder or a document left its activity, or went.
    mutating func ownersLeft(_ screen: ScreenState<Activity>) -> Action {
        switch rule {
        case .mainWindow:
            return look(at: screen, again: false)
        case .visibleViewControllers:
            // Not a time to look for another one, unless the one there is gone.
            if let chosen, screen.shows(chosen) { return .nothing }
            return look(at: screen, again: false)
        }
    }

    mutating func ruleChanged(to rule: HandoffCurrentActivityRule, _ screen: ScreenState<Activity>) -> Action {
        self.rule = rule
        return look(at: screen, again: false)
    }

    private mutating func look(at screen: ScreenState<Activity>, again: Bool) -> Action {
        // What a transition ends in is not known before its end.
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
