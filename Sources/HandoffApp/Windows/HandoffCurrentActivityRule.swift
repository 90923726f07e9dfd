// SPDX-License-Identifier: Apache-2.0

/// The rule for choosing the current activity among the managed ones.
///
/// With either rule, the application's own activity is chosen if nothing in front has an activity.
public enum HandoffCurrentActivityRule: Sendable, Hashable, CaseIterable {
    /// As in AppKit: searches the main window from its first responder along the chain to the window and its
    /// controller, then the document of the window controller. Applied when the main window or the first responder
    /// changes and when an activity is set.
    ///
    /// Without a main window, for example while another app is in front, the last main window is used.
    case mainWindow

    /// As in UIKit: searches the visible view controllers of the open windows, a presented controller before its
    /// presenter, children before their parent, the last child first. Applied when the app starts or enters the
    /// foreground, when views appear or disappear, and after a transition. An activity that is set on a visible view
    /// controller becomes current at once, or after the running transition.
    case visibleViewControllers
}

struct ScreenState<Activity: Hashable & Sendable>: Sendable, Hashable {
    struct Window: Sendable, Hashable {
        /// The activities of the responders, from the first responder to the window controller.
        var chain: [Activity] = []
        var document: Activity?
        var root: ViewState<Activity>?
        /// Is or was the main window.
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
    /// The frontmost activity among the visible views.
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
