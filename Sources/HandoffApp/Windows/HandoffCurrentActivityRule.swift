// SPDX-License-Identifier: Apache-2.0

/// Chooses the current activity; without an activity in front, the application's own.
public enum HandoffCurrentActivityRule: Sendable, Hashable, CaseIterable {
    /// As in AppKit: searches the main window, or the last one, from its first responder to the window's controller,
    /// then the controller's document. Applied when the main window, the first responder or an activity changes.
    case mainWindow

    /// As in UIKit: searches the visible view controllers, a presented controller before its presenter, the last child
    /// first, children before their parent. Applied when the app enters the foreground, views appear or disappear, or a
    /// transition ends. An activity set on a visible view controller becomes current at once, or after a transition.
    case visibleViewControllers
}

struct ScreenState<Activity: Hashable & Sendable>: Sendable, Hashable {
    struct Window: Sendable, Hashable {
        /// From the first responder to the window controller.
        var chain: [Activity] = []
        var document: Activity?
        var root: ViewState<Activity>?
        var hasBeenMain = false
    }

    /// Front to back.
    var windows: [Window] = []
    var application: Activity?
}

struct ViewState<Activity: Hashable & Sendable>: Sendable, Hashable {
    var presence = ViewPresence.hidden
    var activity: Activity?
    /// The last child is in front.
    var children: [Self] = []
    var presented: [Self] = []
}

enum ViewPresence: Sendable, Hashable, CaseIterable {
    case hidden
    case appearing
    case shown
    case disappearing
}

extension HandoffCurrentActivityRule {
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
