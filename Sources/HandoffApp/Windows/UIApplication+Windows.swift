// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Handoff

extension UIApplication {
    /// The rule for choosing the current activity. Initially `mainWindow`, as in AppKit.
    public var currentActivityRule: HandoffCurrentActivityRule {
        get { toolkit.rule }
        set { toolkit.rule = newValue }
    }

    /// The open windows, front to back.
    public var windows: [UIWindow] { toolkit.windows }
    /// The window in which the user works; nil while another app is in front.
    public var mainWindow: UIWindow? { toolkit.mainWindow }
    /// The window with keyboard focus; nil while another app is in front.
    public var keyWindow: UIWindow? { toolkit.keyWindow }
    /// Whether the user works with the app.
    public var isActive: Bool { toolkit.isActive }

    enum Promptness {
        /// Off the main thread, the same as `laterOnMainThread`.
        case atOnce
        case laterOnMainThread
    }

    /// For any thread.
    nonisolated static func ownersChanged(
        of activity: NSUserActivity, isAssigned: Bool = false, _ promptness: Promptness = .atOnce
    ) {
        let center = activity.center
        if promptness == .atOnce, MainThread.isCurrent {
            MainActor.assumeIsolated {
                center.run { UIApplication.shared }.toolkit.ownersChanged(of: activity, isAssigned: isAssigned)
            }
        } else if let application = center.handler as? UIApplication {
            application.onMainThread { application.toolkit.ownersChanged(of: activity, isAssigned: isAssigned) }
        } else {
            // A responder's first activity creates the `UIApplication`, on the main thread.
            DispatchQueue.main.async { ownersChanged(of: activity, isAssigned: isAssigned) }
        }
    }
}
