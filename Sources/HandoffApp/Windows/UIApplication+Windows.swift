// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Handoff

extension UIApplication {
    /// The rule for choosing the current activity. Initially AppKit's.
    public var currentActivityRule: HandoffCurrentActivityRule {
        get { toolkit.rule }
        set { toolkit.rule = newValue }
    }

    /// The open windows, front to back.
    public var windows: [UIWindow] { toolkit.windows }
    /// The window in which the user works; nil also while another app is in front.
    public var mainWindow: UIWindow? { toolkit.mainWindow }
    /// The window with keyboard focus; nil also while another app is in front.
    public var keyWindow: UIWindow? { toolkit.keyWindow }
    /// Whether the user works with the app, as reported by the toolkit.
    public var isActive: Bool { toolkit.isActive }

    enum Promptness {
        /// Immediately on the main thread; on another thread, the same as the other case.
        case atOnce
        case laterOnMainThread
    }

    /// May be called on any thread.
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
            // There is no `UIApplication` yet; the first activity of a responder creates it on the main thread.
            DispatchQueue.main.async { ownersChanged(of: activity, isAssigned: isAssigned) }
        }
    }
}
