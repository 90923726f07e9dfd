// SPDX-License-Identifier: Apache-2.0

/// How the framework finds the activity to make current among those that it manages.
///
/// Whatever the rule, where nothing in front has an activity, that of the application itself counts.
public enum HandoffCurrentActivityRule: Sendable, Hashable, CaseIterable {
    /// As AppKit does: in the main window, from its first responder along the chain up to the window and its controller,
    /// then the document of the window controller. Looked at when another window becomes the main one, when the first
    /// responder changes and when an activity is set.
    ///
    /// While no window is the main one, as when another app is in front, the one that was it last counts.
    case mainWindow

    /// As UIKit does: the view controllers of the open windows whose views are on the screen, what is presented before what
    /// presents it, children before their parent, the last child first. Looked at when the app starts and comes to the
    /// foreground, when views came or went, and after a transition. One that is set at a view controller on the screen
    /// becomes current at once, or after the transition that is running.
    case visibleViewControllers
}

/// What is on the screen, as far as the rules look at it.
struct ScreenState<Activity: Hashable & Sendable>: Sendable, Hashable {
    struct Window: Sendable, Hashable {
        /// Of the responders from the first one up to the window controller, those that have one.
        var chain: [Activity] = []
        var document: Activity?
        var root: ViewState<Activity>?
        /// Is or was the main window.
        var hasBeenMain = false
    }

    /// In front first.
    var windows: [Window] = []
    var application: Activity?
}

/// A view controller and what hangs on it.
struct ViewState<Activity: Hashable & Sendable>: Sendable, Hashable {
    var presence = ViewPresence.hidden
    var activity: Activity?
    /// The last one is in front.
    var children: [Self] = []
    var presented: [Self] = []
}

/// Whether a view is in the hierarchy of views that are on the screen.
enum ViewPresence: Sendable, Hashable, CaseIterable {
    case hidden
    case appearing
    case shown
    case disappearing
}

extension HandoffCurrentActivityRule {
    /// Nil if there is nothing to continue.
    func choice<Activity>(on screen: ScreenState<Activity>) -> Activity? {
        let inFront: Activity? =
            switch self {
            case .mainWindow:
                screen.windows.first(where: \.hasBeenMain).flatMap { $0.chain.first ?? $0.document }
            case .visibleViewControllers:
                screen.windows.first { $0.root?.nearestActivity != nil }?.root?.nearestActivity
            }
        return inFront ?? screen.application
    }
}

extension ViewState {
    /// Of those on the screen, the one nearest to the user.
    var nearestActivity: Activity? {
        for view in presented.reversed() {
            if let nearest = view.nearestActivity { return nearest }
        }
        for view in children.reversed() {
            if let nearest = view.nearestActivity { return nearest }
        }
        return presence == .shown ? activity : nil
    }

    func shows(_ activity: Activity) -> Bool {
        presence == .shown && self.activity == activity || (children + presented).contains { $0.shows(activity) }
    }

    var isInTransition: Bool {
        presence == .appearing || presence == .disappearing || (children + presented).contains(where: \.isInTransition)
    }
}

extension ScreenState {
    func shows(_ activity: Activity) -> Bool { windows.contains { $0.root?.shows(activity) ?? false } }

    var isInTransition: Bool { windows.contains { $0.root?.isInTransition ?? false } }
}
